import { describe, expect, it } from 'vitest';
import type { Position } from '../../../../../server/store/fleet/positions.ts';
import { MeasuredClock } from '../../../../../server/tracks/clock/measuredClock.ts';
import { metersBetween } from '../../../../../server/tracks/trips/distance.ts';
import { LocalDays } from '../../../../../server/tracks/trips/localDays.ts';
import { type TrackPoint, trackPoint } from '../../../../../server/tracks/trips/trackPoint.ts';
import { type Drive, noTrack, parseState } from '../../../../../server/tracks/trips/trackState.ts';
import { TripDetector } from '../../../../../server/tracks/trips/tripDetector.ts';
import { aPosition, type MadePosition, randomOf } from '../../../../support/tracks/drives.ts';

const FROM_MS = Date.UTC(2026, 10, 20, 8);
const METERS_PER_DEGREE = 111_195;
const RULES = { minMeters: 200, minMs: 60_000, stopMs: 300_000 };
const CLOCK = new MeasuredClock([{ deviceFromMs: 0, offsetMs: 0 }]);

function detect(positions: readonly Position[], timeZone = 'UTC') {
  const detector = new TripDetector(RULES, new LocalDays(timeZone), noTrack());
  for (const position of positions) {
    const point = trackPoint(position, CLOCK);
    if (point !== undefined) detector.add(point);
  }
  return detector.takeChanges();
}

/** Northwards along a meridian, with a position every 10 s. */
class Course {
  readonly positions: Position[] = [];
  atMs = FROM_MS;
  latitude = 25;
  about: Partial<MadePosition> = {};

  go(seconds: number, speedKmh: number): this {
    for (let second = 0; second < seconds; second += 10) {
      this.atMs += 10_000;
      this.latitude += ((speedKmh / 3.6) * 10) / METERS_PER_DEGREE;
      this.put({ speedKmh });
    }
    return this;
  }

  put(made: Partial<MadePosition>): this {
    const { atMs, latitude } = this;
    this.positions.push(aPosition({ atMs, latitude, longitude: 121, ...this.about, ...made }));
    return this;
  }

  wait(seconds: number): this {
    this.atMs += seconds * 1_000;
    return this;
  }

  with(about: Partial<MadePosition>): this {
    this.about = { ...this.about, ...about };
    return this;
  }
}

const course = (): Course => new Course().put({});

describe('a trip (S-2.4.15)', () => {
  it('begins where it stood and ends where it came to stand', () => {
    const { trips, stops } = detect(course().go(600, 36).go(600, 0).positions);
    expect(trips).toMatchObject([
      { fromMs: FROM_MS, toMs: FROM_MS + 610_000, isOpen: false, movingMs: 610_000, idleMs: 0, maxSpeedKmh: 36 },
    ]);
    expect(trips[0]?.meters).toBeCloseTo(6_000, -2);
    expect(stops).toMatchObject([
      { fromMs: FROM_MS, toMs: FROM_MS },
      { fromMs: FROM_MS + 610_000, isOpen: true, idleMs: 590_000 },
    ]);
  });

  it('goes on over five minutes less a moment, and its standing is idling', () => {
    const { trips } = detect(course().go(120, 36).go(300, 0).go(120, 36).positions);
    expect(trips).toHaveLength(1);
    expect(trips[0]).toMatchObject({ isOpen: true, idleMs: 290_000 });
  });

  it.each([
    ['shorter than 200 m', 80, 7],
    ['shorter than 60 s', 40, 72],
  ])('%s is none, and the stop goes on', (_name, seconds, speedKmh) => {
    const { trips, stops, days } = detect(course().go(600, 0).go(seconds, speedKmh).go(600, 0).positions);
    expect(trips).toEqual([]);
    expect(stops).toMatchObject([{ fromMs: FROM_MS, isOpen: true }]);
    expect(days).toMatchObject([{ meters: 0, stops: 1 }]);
  });

  it('ends at once with the ignition off', () => {
    const { trips, stops } = detect(course().go(120, 36).with({ ignitionOn: false }).go(20, 0).positions);
    expect(trips).toMatchObject([{ isOpen: false, toMs: FROM_MS + 130_000 }]);
    expect(stops.at(-1)).toMatchObject({ isOpen: true, idleMs: 0 });
  });

  it('ends before a silence, which is no drive', () => {
    const { trips, gaps, days } = detect(
      course()
        .go(120, 36)
        .wait(590)
        .go(120, 360 / 10).positions,
    );
    expect(gaps).toEqual([{ fromMs: FROM_MS + 120_000, toMs: FROM_MS + 720_000 }]);
    expect(trips.map(({ isOpen }) => isOpen)).toEqual([false, true]);
    expect(days[0]?.movingMs).toBe(230_000);
    expect(days[0]?.meters).toBeLessThan(2_400);
  });

  it('is divided into local days', () => {
    const late = new Course();
    late.atMs = Date.UTC(2026, 10, 20, 15, 50);
    const { days } = detect(late.put({}).go(1_800, 36).positions, 'Asia/Taipei');
    expect(days.map(({ localDay }) => localDay)).toEqual([20_261_120, 20_261_121]);
    expect(days.map(({ movingMs }) => movingMs)).toEqual([590_000, 1_210_000]);
  });
});

describe('no distance', () => {
  it('comes of a parked vehicle that drifts', () => {
    const random = randomOf(7);
    const parked = course();
    for (const ignitionOn of [true, false]) {
      for (let at = 0; at < 2_000; at++) {
        const off = () => (random() - 0.5) * 0.000_4;
        const speedKmh = Math.floor(random() * 4);
        parked.wait(10).put({ latitude: 25 + off(), longitude: 121 + off(), speedKmh, ignitionOn });
      }
    }
    const { trips, days, stops } = detect(parked.positions);
    expect(trips).toEqual([]);
    expect(stops).toHaveLength(1);
    expect(days.reduce((sum, { meters }) => sum + meters, 0)).toBe(0);
  });

  it.each([
    ['jumps', { latitude: 34, longitude: 135 }],
    ['points without a fix', { hasFix: false, latitude: 25.5 }],
    ['a billion meters in a second', { latitude: -80, longitude: -59 }],
  ])('comes of %s', (_name, stray) => {
    const straight = course().go(1_200, 36);
    const strays = new Course()
      .put({})
      .go(600, 36)
      .wait(3)
      .put({ ...stray, speedKmh: 36 })
      .wait(-3)
      .go(600, 36);
    expect(detect(strays.positions).trips[0]?.meters).toBe(detect(straight.positions).trips[0]?.meters);
  });

  it('comes of a ferry, but where it lands is where it goes on from', () => {
    const landed = course().go(300, 36);
    landed.latitude += 3;
    const { trips } = detect(landed.go(300, 36).positions);
    expect(trips[0]?.meters).toBeGreaterThan(5_500);
    expect(trips[0]?.meters).toBeLessThan(6_100);
  });

  it('comes of a clock that was set back, or of the same position three times', () => {
    const once = course().go(600, 36).positions;
    const thrice = once.flatMap((position) => [position, position, position]);
    const back = [...once, ...once.slice(3, 9)];
    expect(detect(thrice)).toEqual(detect(once));
    expect(detect(back)).toEqual(detect(once));
  });

  it.each([Date.UTC(2099, 0), Date.UTC(1970, 0), 0, Number.NaN])('comes of the impossible time %d', (deviceMs) => {
    const [first] = course().positions;
    if (first === undefined) throw new Error('no position');
    const late = { ...first, deviceTimeMs: deviceMs as Position['deviceTimeMs'], isLate: true };
    expect(trackPoint(late, CLOCK)).toBeUndefined();
  });

  it('comes of ten thousand positions in a minute beyond what a vehicle can drive', () => {
    const random = randomOf(3);
    const many = course();
    for (let at = 0; at < 10_000; at++) {
      many.wait(0.006).put({ latitude: 25 + random() * 0.01, speedKmh: 40 });
    }
    const meters = detect(many.positions).days.reduce((sum, day) => sum + day.meters, 0);
    expect(meters).toBeLessThanOrEqual((250 / 3.6) * 60);
  });
});

describe('the odometer and the fuel', () => {
  const measured = (mileages: (at: number) => number | undefined, fuel?: (at: number) => number) => {
    const drive = new Course();
    for (let at = 0; at <= 60; at++) {
      const mileageKm = mileages(at);
      drive.wait(10);
      drive.latitude += 100 / METERS_PER_DEGREE;
      const made = { speedKmh: 36, ...(mileageKm !== undefined && { mileageKm }) };
      drive.put({ ...made, ...(fuel !== undefined && { fuelLiters: fuel(at) }) });
    }
    return detect(drive.positions).trips[0];
  };

  it('counts where it only rises', () => {
    expect(measured((at) => 500 + at * 0.12)).toMatchObject({ isOdometer: true, meters: 7_200 });
  });

  it.each([
    ['falls', (at: number) => (at < 30 ? 500 + at * 0.1 : 100 + at * 0.1)],
    ['leaps', (at: number) => (at < 30 ? 500 + at * 0.1 : 900 + at * 0.1)],
    ['stands still', () => 500],
    ['is not reported', () => undefined],
  ])('does not where it %s', (_name, mileages) => {
    const trip = measured(mileages);
    expect(trip).toMatchObject({ isOdometer: false });
    expect(trip?.meters).toBeCloseTo(6_000, -2);
  });

  it.each([
    ['hardly rises', (at: number) => 500 + (at > 30 ? 0.1 : 0), true],
    ['counts a quarter', (at: number) => 500 + at * 0.025, true],
    ['counts in units of its maker', (at: number) => 500 + at * 0.6, true],
    ['stands still', () => 500, true],
    ['leaps by thousands', (at: number) => (at < 30 ? 500 + at * 0.1 : 9_000 + at * 0.1), true],
    ['is a tenth off', (at: number) => 500 + at * 0.11, false],
    ['is not reported', () => undefined, false],
  ])('differs from the line, which counts, where it %s', (_name, mileages, odometerDiffers) => {
    const trip = measured(mileages);
    expect(trip?.odometerDiffers).toBe(odometerDiffers);
    if (odometerDiffers) expect(trip).toMatchObject({ isOdometer: false });
  });

  it.each([
    { title: 'a tunnel of 12 minutes', km: 14, isOdometer: true },
    { title: 'a tunnel in which the odometer leaps', km: 140, isOdometer: false },
  ])('counts where the line has nothing: $title', ({ km, isOdometer }) => {
    const drive = new Course();
    const move = (count: number, hasFix: boolean, kmAStep: number, from: number) => {
      for (let at = 1; at <= count; at++) {
        drive.wait(10);
        drive.latitude += (kmAStep * 1_000) / METERS_PER_DEGREE;
        drive.put({ speedKmh: 70, hasFix, mileageKm: from + at * kmAStep });
      }
    };
    move(30, true, 0.2, 1_000);
    move(72, false, km / 72, 1_006);
    move(30, true, 0.2, 1_006 + km);
    const trip = detect(drive.positions).trips[0];
    expect(trip).toMatchObject({ isOdometer, odometerDiffers: !isOdometer });
    expect((trip?.meters ?? 0) / 1_000).toBeCloseTo(isOdometer ? 12 + km - 0.2 : 12, 0);
  });

  it('goes on from what an earlier program knew of a drive', () => {
    const { positions } = new Course().with({ mileageKm: 500 }).go(600, 36);
    const detector = new TripDetector(RULES, new LocalDays('UTC'), noTrack());
    for (const position of positions) detector.add(trackPoint(position, CLOCK) as TrackPoint);
    const { isOdometerWhole, unmeasuredMs, ...known } = detector.state.drive as Drive;
    expect([isOdometerWhole, unmeasuredMs]).toEqual([true, 0]);
    const state = parseState(JSON.stringify({ ...detector.state, drive: known }));
    expect(state.drive).toMatchObject({ ...known, isOdometerWhole: true, unmeasuredMs: 0 });
  });

  it('is used up, and a filling is not the opposite', () => {
    const fuel = (at: number): number => (at < 30 ? 50 - at * 0.1 : 80 - (at - 30) * 0.1);
    expect(measured(() => undefined, fuel)?.fuelLiters).toBeCloseTo(5.9, 1);
    expect(measured(() => undefined)?.fuelLiters).toBeNull();
  });

  it('is used up before each of several fillings', () => {
    const fuel = (at: number): number => 50 + Math.floor(at / 20) * 30 - (at % 20) * 0.1;
    expect(
      measured(
        () => undefined,
        (at) => (at === 60 ? 108 : fuel(at)),
      )?.fuelLiters,
    ).toBeCloseTo(5.8, 1);
  });
});

// By Vincenty's formulas on the ellipsoid of WGS 84.
it.each([
  ['a degree along the equator', [0, 0, 0, 1], 111_319.49],
  ['a degree along a meridian at the equator', [0, 0, 1, 0], 110_574.39],
  ['a degree along a meridian at 45 degrees', [44.5, 0, 45.5, 0], 111_131.78],
  ['a degree of longitude at 60 degrees', [60, 10, 60, 11], 55_799.47],
  ['across the date line', [0, 179.5, 0, -179.5], 111_319.49],
])('distances are within 0.5 %% of known courses: %s', (_name, [fromLat, fromLng, toLat, toLng], meters) => {
  const from = { latitude: fromLat ?? 0, longitude: fromLng ?? 0 };
  const measured = metersBetween(from, { latitude: toLat ?? 0, longitude: toLng ?? 0 });
  expect(Math.abs(measured / meters - 1)).toBeLessThan(0.005);
});
