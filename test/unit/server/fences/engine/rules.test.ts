import { describe, expect, it } from 'vitest';
import type { FenceRules } from '../../../../../shared/protocol/api/fences/fences.ts';
import { fenceSet, storedFence } from '../../../../support/fences.ts';
import { Drive, INSIDE, OUTSIDE, START_MS } from './drive.ts';

const drive = (rules: Partial<FenceRules>, content: Parameters<typeof storedFence>[0] = {}) =>
  new Drive(fenceSet([storedFence({ ...content, rules })]));

describe('the rule of being too long in a geofence', () => {
  it('is broken when the minutes are over, also without another position', () => {
    const bus = drive({ insideMinutes: 5 });
    bus.at(0, OUTSIDE);
    bus.at(60, INSIDE);
    expect(bus.fences.nextTickAtMs).toBe(START_MS + 360_000);
    expect(bus.tick(350)).toEqual([]);
    expect(bus.tick(360)).toEqual(['fence-inside-long begin']);
    expect(bus.tick(370)).toEqual([]);
    const [end] = bus.signalsAt(900, OUTSIDE);
    expect(end).toMatchObject({ type: 'fence-inside-long', form: 'end', value: 14 });
  });

  it('is measured by the clock of the device, which networks do not delay', () => {
    const bus = drive({ insideMinutes: 5 });
    bus.at(0, INSIDE);
    // Measured 200 seconds later, and held up for 120.
    expect(bus.at(320, { ...INSIDE, clockMs: -120_000 })).toEqual([]);
    expect(bus.at(321, { ...INSIDE, clockMs: -1_000 })).toEqual(['fence-inside-long begin']);
  });

  it('goes on counting when the clock of the device is set', () => {
    const bus = drive({ insideMinutes: 5 });
    bus.at(0, INSIDE);
    expect(bus.at(60, { ...INSIDE, clockMs: 365 * 86_400_000 })).toEqual([]);
    expect(bus.at(120, INSIDE)).toEqual([]);
    expect(bus.at(300, INSIDE)).toEqual(['fence-inside-long begin']);
  });

  it('applies in its hours alone', () => {
    // 08:10 to 08:20 on every day.
    const schedule = [{ days: [1, 2, 3, 4, 5, 6, 7], fromMinute: 490, toMinute: 500 }];
    const bus = drive({ insideMinutes: 5, enter: true }, { schedule });
    expect(bus.at(0, INSIDE)).toEqual([]);
    expect(bus.tick(599)).toEqual([]);
    expect(bus.tick(600)).toEqual([]);
    expect(bus.fences.nextTickAtMs).toBe(START_MS + 660_000);
    expect(bus.tick(899)).toEqual([]);
    expect(bus.tick(900)).toEqual(['fence-inside-long begin']);
    expect(bus.tick(1_200)).toEqual(['fence-inside-long end']);
  });

  it('goes by the clock of its own zone', () => {
    const schedule = [{ days: [1, 2, 3, 4, 5, 6, 7], fromMinute: 960, toMinute: 970 }];
    const bus = drive({ enter: true }, { schedule, timeZone: 'Asia/Taipei' });
    expect(bus.at(60, INSIDE)).toEqual(['fence-entered']);
  });
});

describe('the rule of being too long outside a geofence', () => {
  it('is broken once, and ends when it enters', () => {
    const bus = drive({ outsideMinutes: 10 });
    bus.at(0, OUTSIDE);
    expect(bus.tick(599)).toEqual([]);
    expect(bus.tick(600)).toEqual(['fence-outside-long begin']);
    expect([bus.at(900, OUTSIDE), bus.tick(1_800)]).toEqual([[], []]);
    expect(bus.at(1_860, INSIDE)).toEqual(['fence-outside-long end']);
    expect(bus.at(1_920, OUTSIDE)).toEqual([]);
    expect(bus.tick(2_520)).toEqual(['fence-outside-long begin']);
  });
});

describe('the speed limit of a geofence', () => {
  it('is broken while it is faster inside, and clears 5 km/h below', () => {
    const bus = drive({ speedKmh: 60 });
    expect(bus.at(0, { ...OUTSIDE, kmh: 90 })).toEqual([]);
    const [begin] = bus.signalsAt(60, { ...INSIDE, kmh: 70 });
    expect(begin).toMatchObject({ type: 'area-speeding', form: 'begin', value: 70, limit: 60, area: 1 });
    expect([bus.at(70, { ...INSIDE, kmh: 95 }), bus.at(80, { ...INSIDE, kmh: 57 })]).toEqual([[], []]);
    const [end] = bus.signalsAt(90, { ...INSIDE, kmh: 55 });
    expect(end).toMatchObject({ form: 'end', value: 95 });
  });

  it('is kept by a vehicle that leaves, or of which nothing is heard', () => {
    const bus = drive({ speedKmh: 60 });
    bus.at(0, { ...INSIDE, kmh: 70 });
    expect(bus.at(60, { ...OUTSIDE, kmh: 70 })).toEqual(['area-speeding end']);
    bus.at(120, { ...INSIDE, kmh: 70 });
    expect(bus.tick(419)).toEqual([]);
    expect(bus.tick(420)).toEqual(['area-speeding end']);
  });
});

describe('the rule of parking in a geofence', () => {
  it('is broken by standing in it, and ends with moving', () => {
    const bus = drive({ parkedMinutes: 2 });
    bus.at(0, INSIDE);
    bus.at(60, { ...INSIDE, kmh: 0 });
    expect(bus.at(120, { ...INSIDE, kmh: 0 })).toEqual([]);
    expect(bus.tick(180)).toEqual(['fence-parked begin']);
    expect(bus.at(200, INSIDE)).toEqual(['fence-parked end']);
    bus.at(300, { ...INSIDE, kmh: 0 });
    bus.at(360, INSIDE);
    expect(bus.tick(600)).toEqual([]);
  });
});

describe('the direction of a corridor', () => {
  const line = { kind: 'corridor', widthMeters: 40 } as const;
  const corridor = () =>
    drive(
      { wrongDirection: true },
      {
        ...line,
        geometry: {
          type: 'LineString',
          coordinates: [
            [120.5, 24],
            [120.6, 24],
          ],
        },
      },
    );
  /** Steps of 10 meters. */
  const step = (at: number) => ({ lat: 24, lng: 120.55 + at * 0.000_1, kmh: 30 });

  it('is wrong after 50 meters, or three points', () => {
    const bus = corridor();
    expect(bus.at(0, { ...step(0), heading: 270 })).toEqual([]);
    expect(bus.at(10, { ...step(0), heading: 270 })).toEqual([]);
    expect(bus.at(20, { ...step(-6), heading: 270 })).toEqual(['fence-wrong-direction begin']);
    const slow = corridor();
    slow.at(0, { ...step(0), heading: 270 });
    slow.at(1, { ...step(0), heading: 270 });
    const said = [-1, -2, -3].map((at) => slow.at(1 - at, { ...step(at), heading: 270 }));
    expect(said).toEqual([[], [], ['fence-wrong-direction begin']]);
    expect(slow.at(20, { ...step(0), heading: 90 })).toEqual(['fence-wrong-direction end']);
  });

  it('is right along the line, and says nothing of a vehicle that stands', () => {
    const bus = corridor();
    expect([0, 6, 12, 18].flatMap((at) => bus.at(at, { ...step(at), heading: 90 }))).toEqual([]);
    expect([20, 21, 22, 23].flatMap((at) => bus.at(at, { ...step(18 - at), heading: 270, kmh: 0 }))).toEqual([]);
  });
});

describe('the time that a geofence is in force', () => {
  it('is all that counts', () => {
    const validity = { validFromMs: START_MS + 100_000, validToMs: START_MS + 200_000 } as never;
    const bus = drive({ enter: true, insideMinutes: 1 }, validity);
    expect(bus.at(0, INSIDE)).toEqual([]);
    expect(bus.at(100, INSIDE)).toEqual(['fence-entered']);
    expect(bus.tick(160)).toEqual(['fence-inside-long begin']);
    expect(bus.fences.nextTickAtMs).toBe(START_MS + 200_000);
    expect(bus.tick(200)).toEqual(['fence-inside-long end']);
    expect(bus.at(260, INSIDE)).toEqual([]);
    expect(bus.visits).toEqual(['open 100', 'close 200']);
  });
});
