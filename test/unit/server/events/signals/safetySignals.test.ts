import { describe, expect, it } from 'vitest';
import type { SafetyAlarm, SafetyKind } from '../../../../../server/device/jt808/codec/activeSafety.ts';
import type { PositionItem } from '../../../../../server/device/jt808/codec/messages/position.ts';
import { CustomTypes } from '../../../../../server/events/signals/customTypes.ts';
import { observationOf } from '../../../../../server/events/signals/observation.ts';
import { safetySignals } from '../../../../../server/events/signals/safetySignals.ts';
import { Origin } from '../../../../../server/events/signals/signal.ts';
import { hexOf } from '../../device/jt808/codec/vectors.ts';
import { bits, item, openAfter, positionReport } from './reports.ts';
import { MARK, safetyAlarm, tyre } from './safety.ts';

const signalsOf = (...items: readonly PositionItem[]) => safetySignals(positionReport({ items }).details);
const signalOf = <Kind extends SafetyKind>(kind: Kind, fields: Partial<SafetyAlarm<Kind>>) =>
  signalsOf(safetyAlarm(kind, fields))[0];

const TYPES = [
  ['adas', 0x01, 'forward-collision'],
  ['adas', 0x02, 'lane-departure'],
  ['adas', 0x03, 'following-too-close'],
  ['adas', 0x04, 'pedestrian-warning'],
  ['adas', 0x05, 'frequent-lane-changes'],
  ['adas', 0x06, 'sign-limit'],
  ['adas', 0x07, 'obstacle-warning'],
  ['adas', 0x08, 'adas-fault'],
  ['adas', 0x10, 'sign-recognized'],
  ['adas', 0x11, 'adas-snapshot'],
  ['driverMonitoring', 0x01, 'fatigue'],
  ['driverMonitoring', 0x02, 'phone-use'],
  ['driverMonitoring', 0x03, 'smoking'],
  ['driverMonitoring', 0x04, 'distraction'],
  ['driverMonitoring', 0x05, 'driver-abnormal'],
  ['driverMonitoring', 0x06, 'hands-off-wheel'],
  ['driverMonitoring', 0x07, 'dsm-fault'],
  ['driverMonitoring', 0x10, 'dsm-snapshot'],
  ['driverMonitoring', 0x11, 'driver-change'],
  ['blindSpot', 1, 'blind-spot-rear'],
  ['blindSpot', 2, 'blind-spot-left'],
  ['blindSpot', 3, 'blind-spot-right'],
  ['drivingStyle', 1, 'harsh-acceleration'],
  ['drivingStyle', 2, 'harsh-braking'],
  ['drivingStyle', 3, 'harsh-cornering'],
  ['drivingStyle', 4, 'idling'],
  ['drivingStyle', 5, 'stalling'],
  ['drivingStyle', 6, 'coasting'],
  ['drivingStyle', 7, 'over-revving'],
] as const;
const ALL_ONES: readonly (readonly [string, PositionItem])[] = [
  ['a headway', safetyAlarm('adas', { type: 0x01, headwayMs: 25_500 })],
  ['a headway above 100 tenths', safetyAlarm('adas', { type: 0x03, headwayMs: 10_100 })],
  ['the limit of a sign', safetyAlarm('adas', { type: 0x06, signType: 1, signValue: 0xff, speedKmh: 0xff })],
  ['a sign', safetyAlarm('adas', { type: 0x10, signType: 1, signValue: 0xff })],
  ['the threshold of an acceleration', safetyAlarm('drivingStyle', { type: 1, threshold1: 0xffff })],
  ['the largest one with a sign', safetyAlarm('drivingStyle', { type: 2, threshold1: 0x7fff })],
  ['a time of idling', safetyAlarm('drivingStyle', { type: 4, durationSeconds: 0xffff })],
  ['the threshold of a stall', safetyAlarm('drivingStyle', { type: 5, threshold1: 0xffff, speedKmh: 0xff })],
  ['revolutions', safetyAlarm('drivingStyle', { type: 7, threshold2: 0xffff })],
];
const INSTANTS: readonly string[] = ['sign-recognized', 'adas-snapshot', 'dsm-snapshot', 'driver-change'];

describe('active-safety alarms', () => {
  it.each(TYPES)('%s type %d is %s', (kind, type, expected) => {
    expect(signalsOf(safetyAlarm(kind, { type }))).toMatchObject([
      {
        type: expected,
        unit: 0,
        area: 0,
        form: 'momentary',
        origin: Origin.ActiveSafety,
        alarmMark: hexOf(MARK.bytes),
      },
    ]);
  });

  it.each([
    ['adas', [0x00, 0x09, 0x0f, 0x12, 0xff]],
    ['driverMonitoring', [0x00, 0x08, 0x0f, 0x12, 0xff]],
    ['blindSpot', [0, 4, 255]],
    ['drivingStyle', [0, 8, 255]],
  ] as const)("%s types of a vendor's own say nothing", (kind, types) => {
    for (const type of types) expect(signalsOf(safetyAlarm(kind, { type })), `type ${type}`).toEqual([]);
  });

  it.each(ALL_ONES)('say nothing of %s that cannot be', (_what, said) => {
    const [signal] = signalsOf(said);
    expect(signal).toBeDefined();
    expect(signal).not.toHaveProperty('value');
    expect(signal).not.toHaveProperty('limit');
  });

  it.each([
    [0, 'momentary'],
    [1, 'begin'],
    [2, 'end'],
    [3, 'momentary'],
    [255, 'momentary'],
  ])('flag %d is %s', (flag, form) => {
    const items = [
      safetyAlarm('adas', { flag }),
      safetyAlarm('driverMonitoring', { flag }),
      safetyAlarm('tyres', { flag, readings: [tyre(0, bits(2))] }),
      safetyAlarm('blindSpot', { flag }),
      safetyAlarm('drivingStyle', { flag }),
    ];
    expect(signalsOf(...items).map((signal) => signal.form)).toEqual(Array.from({ length: 5 }, () => form));
  });

  it.each(TYPES.filter(([, , type]) => INSTANTS.includes(type)))('%s type %d has no duration: %s', (kind, type) => {
    expect(signalOf(kind, { type, flag: 1 })?.form).toBe('momentary');
    expect(signalOf(kind, { type, flag: 2 })).toBeUndefined();
  });

  it('are said in the order they came, an alarm that begins and ends in one position too', () => {
    const [begin, end] = [1, 2].map((flag) => safetyAlarm('adas', { flag }));
    if (begin === undefined || end === undefined) throw new Error('no alarms');
    expect(signalsOf(begin, end).map(({ form }) => form)).toEqual(['begin', 'end']);
  });

  it('last until they are said to end, whatever comes in between', () => {
    const observed = (...items: readonly PositionItem[]) =>
      observationOf(positionReport({ items }), new CustomTypes([]));
    const begun = observed(safetyAlarm('driverMonitoring', { flag: 1 }));
    const between = observed(safetyAlarm('adas', { flag: 2 }), item(0x14, '00000000'));
    expect(openAfter([begun, observed(), between])).toEqual(['fatigue']);
    expect(openAfter([begun, observed(safetyAlarm('driverMonitoring', { flag: 2 }))])).toEqual([]);
  });

  it('say nothing in a layout of another standard', () => {
    const { value } = safetyAlarm('adas');
    expect(signalsOf({ id: 0x64, value: Uint8Array.of(...value, 0) }, { id: 0x64, value: value.slice(1) })).toEqual([]);
  });
});

describe('what was measured', () => {
  it.each([0x01, 0x03, 0x04])('is the seconds to what is ahead (ADAS type %d)', (type) => {
    expect(signalOf('adas', { type, headwayMs: 1_200 })).toMatchObject({ value: 1.2 });
    expect(signalOf('adas', { type, headwayMs: 0 })).not.toHaveProperty('value');
  });

  it('is the speed, where it was above that of a sign', () => {
    const said = { signType: 1, signValue: 80, speedKmh: 95 };
    expect(signalOf('adas', { ...said, type: 0x06 })).toMatchObject({ value: 95, limit: 80 });
    expect(signalOf('adas', { ...said, type: 0x10 })).toMatchObject({ value: 80 });
    expect(signalOf('adas', { ...said, type: 0x10 })).not.toHaveProperty('limit');
  });

  it.each([2, 3])('is nothing with signs of other limits (type %d)', (signType) => {
    const signal = signalOf('adas', { type: 0x06, signType, signValue: 40, headwayMs: 100 });
    expect(signal).not.toHaveProperty('value');
    expect(signal).not.toHaveProperty('limit');
  });

  it.each([
    [0x01, 1, 10],
    [0x01, 10, 100],
    [0x01, 0, undefined],
    [0x01, 11, undefined],
    [0x02, 5, undefined],
  ])('is the fatigue in percent (driver type %d, degree %d: %s)', (type, fatigueDegree, value) => {
    expect(signalOf('driverMonitoring', { type, fatigueDegree })?.value).toBe(value);
  });

  it.each([
    [1, { limit: 15.9 }],
    [2, { limit: 15.9 }],
    [3, { limit: 15.9 }],
    [4, { limit: 300 }],
    [5, { value: 60, limit: 45 }],
    [6, { value: 60, limit: 45 }],
    [7, { limit: 2_500 }],
  ])('is of driving style %d what its unit allows: %j', (type, expected) => {
    const passed = { durationSeconds: 300, threshold1: 45, threshold2: 2_500 };
    const { value, limit } = signalOf('drivingStyle', { type, ...passed }) ?? {};
    expect({ ...(value !== undefined && { value }), ...(limit !== undefined && { limit }) }).toEqual(expected);
  });

  it.each([1, 4, 7])('has no limit where the terminal has none (driving style %d)', (type) => {
    expect(signalOf('drivingStyle', { type })).not.toHaveProperty('limit');
  });
});

describe('tires', () => {
  const tires = (flag: number, ...readings: readonly ReturnType<typeof tyre>[]) =>
    signalsOf(safetyAlarm('tyres', { flag, readings }));

  it('are counted from 1, each with its pressure', () => {
    expect(tires(1, tyre(0, bits(1), 900), tyre(5, bits(2), 400))).toMatchObject([
      { type: 'tire-pressure', unit: 1, value: 900, form: 'begin', alarmMark: hexOf(MARK.bytes) },
      { type: 'tire-pressure', unit: 6, value: 400, form: 'begin' },
    ]);
  });

  it.each([1, 2, 3, 4, 5, 6, 7])('have an alarm in bit %d', (bit) => {
    expect(tires(0, tyre(0, bits(bit)))).toHaveLength(1);
  });

  it("have none in a reading that is due, nor in a vendor's bits", () => {
    expect(tires(1, tyre(0, 0), tyre(1, bits(0)), tyre(2, 0xff00))).toEqual([]);
    expect(tires(1, tyre(0, bits(0, 2)))).toHaveLength(1);
  });

  it('have theirs ended by being listed, with bits or without', () => {
    expect(tires(2, tyre(0, 0), tyre(1, bits(2)))).toMatchObject([
      { unit: 1, form: 'end' },
      { unit: 2, form: 'end' },
    ]);
  });

  it.each([0xffff, 0x7fff])('have no pressure where it is %d, which no tire has', (pressureKpa) => {
    const [signal] = tires(1, tyre(2, bits(1), pressureKpa));
    expect(signal).toMatchObject({ type: 'tire-pressure', unit: 3 });
    expect(signal).not.toHaveProperty('value');
  });

  it('are none in particular where the terminal does not say which', () => {
    expect(tires(1, tyre(0xff, bits(1)))).toMatchObject([{ unit: 0, value: 800 }]);
  });

  it('are none without a reading', () => {
    expect([tires(0), tires(1), tires(2)]).toEqual([[], [], []]);
  });
});
