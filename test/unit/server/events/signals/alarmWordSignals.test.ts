import { describe, expect, it } from 'vitest';
import { alarmWordSignals } from '../../../../../server/events/signals/alarmWordSignals.ts';
import { Origin } from '../../../../../server/events/signals/signal.ts';
import { bits, item, positionReport, type ReportOptions } from './reports.ts';

/** By bit: what it means in 2013 and in 2019; a dash where the edition reserves it. */
const MEANINGS = [
  [0, 'emergency', 'emergency'],
  [1, 'speeding', 'speeding'],
  [2, 'fatigue', 'fatigue'],
  [3, 'danger-warning', 'dangerous-driving'],
  [4, 'gnss-fault', 'gnss-fault'],
  [5, 'gnss-antenna-open', 'gnss-antenna-open'],
  [6, 'gnss-antenna-short', 'gnss-antenna-short'],
  [7, 'power-low', 'power-low'],
  [8, 'power-lost', 'power-lost'],
  [9, 'display-fault', 'display-fault'],
  [10, 'voice-fault', 'voice-fault'],
  [11, 'camera-fault', 'camera-fault'],
  [12, 'card-reader-fault', 'card-reader-fault'],
  [13, 'speeding-warning', 'speeding-warning'],
  [14, 'fatigue-warning', 'fatigue-warning'],
  [15, '-', 'driving-violation'],
  [16, '-', 'tire-pressure'],
  [17, '-', 'right-turn-blind-spot'],
  [18, 'driving-time', 'driving-time'],
  [19, 'parked-too-long', 'parked-too-long'],
  [20, 'area-crossed', 'area-crossed'],
  [21, 'route-crossed', 'route-crossed'],
  [22, 'section-time', 'section-time'],
  [23, 'off-route', 'off-route'],
  [24, 'speed-sensor-fault', 'speed-sensor-fault'],
  [25, 'fuel-abnormal', 'fuel-abnormal'],
  [26, 'theft', 'theft'],
  [27, 'unauthorized-ignition', 'unauthorized-ignition'],
  [28, 'unauthorized-movement', 'unauthorized-movement'],
  [29, 'collision-warning', 'collision'],
  [30, 'rollover-warning', 'rollover-warning'],
  [31, 'unauthorized-door', '-'],
] as const;

const signalsOf = (options: ReportOptions) => alarmWordSignals(positionReport(options));
const typesOf = (options: ReportOptions) => signalsOf(options).map(({ type }) => type);

describe('the alarm word', () => {
  it.each(MEANINGS)('has in bit %d: 2013 %s, 2019 %s', (bit, in2013, in2019) => {
    expect(typesOf({ alarm: bits(bit), edition: '2013' })).toEqual(in2013 === '-' ? [] : [in2013]);
    expect(typesOf({ alarm: bits(bit), edition: '2019' })).toEqual(in2019 === '-' ? [] : [in2019]);
  });

  it('is said of the device as a whole, and held', () => {
    const held = { unit: 0, area: 0, form: 'held', origin: Origin.AlarmWord } as const;
    expect(signalsOf({ alarm: bits(0, 8) })).toEqual([
      { ...held, type: 'emergency' },
      { ...held, type: 'power-lost' },
    ]);
  });

  it.each(['2013', '2019'] as const)('of %s gives one signal for each of its bits', (edition) => {
    const types = typesOf({ alarm: 0xffffffff, edition });
    expect(types).toHaveLength(edition === '2013' ? 29 : 31);
    expect(new Set(types).size).toBe(types.length);
  });

  it('is silent without a bit, whatever the items say', () => {
    const items = [item(0x11, '0100000007'), item(0x12, '010000000700'), item(0x13, '00000007003c01')];
    expect(signalsOf({ items })).toEqual([]);
  });
});

describe('speeding', () => {
  const speeding = (hex: string) => signalsOf({ alarm: bits(1), speedKmh: 92.5, items: [item(0x11, hex)] });

  it('has the speed that was reported, and so has its warning', () => {
    expect(signalsOf({ alarm: bits(1, 13), speedKmh: 92.5 })).toMatchObject([
      { type: 'speeding', value: 92.5 },
      { type: 'speeding-warning', value: 92.5 },
    ]);
  });

  it.each([1, 2, 3, 4])('is that of an area where the item says so (type %d)', (areaType) => {
    const expected = { type: 'area-speeding', area: 0xfffffffe, value: 92.5, form: 'held', origin: Origin.AlarmWord };
    expect(speeding(`0${areaType}fffffffe`)).toEqual([{ ...expected, unit: 0 }]);
  });

  it.each([
    ['00', 'is nowhere in particular'],
    ['0000000007', 'is nowhere in particular, with a number all the same'],
    ['01', 'is in an area that has no number'],
    ['0500000007', 'is in an area of an unknown kind'],
    ['01000007', 'comes in a length of a vendor'],
  ])('stays plain speeding where the item (%s) %s', (hex) => {
    expect(speeding(hex)).toMatchObject([{ type: 'speeding', area: 0 }]);
  });
});

describe('areas and routes', () => {
  const both = bits(20, 21);

  it.each([1, 2, 3])('an area of type %d takes the place of its bit, and leaves the route alone', (areaType) => {
    expect(signalsOf({ alarm: both, items: [item(0x12, `0${areaType}0000000900`)] })).toMatchObject([
      { type: 'area-crossed', area: 9, value: 0 },
      { type: 'route-crossed', area: 0 },
    ]);
  });

  it('a route takes the place of its bit, and leaves the area alone', () => {
    const [area, route, ...more] = signalsOf({ alarm: both, items: [item(0x12, '040000000901')] });
    expect([area, route]).toMatchObject([
      { type: 'area-crossed', area: 0 },
      { type: 'route-crossed', area: 9, value: 1 },
    ]);
    expect([more, area?.value]).toEqual([[], undefined]);
  });

  it('a section has its number and the seconds', () => {
    const items = [item(0x13, '00000007003c01')];
    expect(signalsOf({ alarm: bits(22), items })).toMatchObject([{ type: 'section-time', area: 7, value: 60 }]);
    expect(signalsOf({ alarm: bits(22) })).toMatchObject([{ type: 'section-time', area: 0 }]);
  });

  it('areas and seconds that the terminal does not know are none', () => {
    const [section] = signalsOf({ alarm: bits(22), items: [item(0x13, 'ffffffffffff01')] });
    expect(section).toMatchObject({ type: 'section-time', area: 0 });
    expect(section).not.toHaveProperty('value');
    expect(signalsOf({ alarm: bits(1), items: [item(0x11, '01ffffffff')] })).toMatchObject([
      { type: 'area-speeding', area: 0 },
    ]);
    expect(signalsOf({ alarm: bits(20), items: [item(0x12, '01ffffffff00')] })).toMatchObject([
      { type: 'area-crossed', area: 0, value: 0 },
    ]);
  });
});
