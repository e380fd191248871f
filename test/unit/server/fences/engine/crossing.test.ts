import { describe, expect, it } from 'vitest';
import { FenceCourse, INSIDE_LIMIT, OUTSIDE_LIMIT } from '../../../../../server/fences/engine/fenceCourse.ts';
import { fenceSet, storedFence } from '../../../../support/fences.ts';
import { Drive, INSIDE, JUST_INSIDE, JUST_OUTSIDE, OUTSIDE, START_MS } from './drive.ts';

const BOTH = { rules: { enter: true, leave: true } };
const drive = (content: Parameters<typeof storedFence>[0] = BOTH) => new Drive(fenceSet([storedFence(content)]));

describe('entering and leaving a geofence', () => {
  it('takes one point that is 30 meters beyond the border', () => {
    const bus = drive();
    expect(bus.at(0, OUTSIDE)).toEqual([]);
    expect(bus.at(60, INSIDE)).toEqual(['fence-entered']);
    expect(bus.at(120, INSIDE)).toEqual([]);
    expect(bus.at(180, OUTSIDE)).toEqual(['fence-left']);
    expect(bus.visits).toEqual(['open 60', 'close 180']);
  });

  it('takes two points near the border, and dates it by the first', () => {
    const bus = drive();
    bus.at(0, OUTSIDE);
    expect(bus.at(60, JUST_INSIDE)).toEqual([]);
    const [entered] = bus.signalsAt(70, JUST_INSIDE);
    expect(entered).toMatchObject({ type: 'fence-entered', area: 1, sinceMs: START_MS + 60_000 });
    expect(bus.at(80, JUST_OUTSIDE)).toEqual([]);
    expect(bus.at(90, JUST_OUTSIDE)).toEqual(['fence-left']);
    expect(bus.visits).toEqual(['open 60', 'close 80']);
  });

  it('is not what a vehicle does whose position drifts across the border', () => {
    const bus = drive();
    const drift = Array.from({ length: 50 }, (_, at) => (at % 2 === 0 ? JUST_INSIDE : JUST_OUTSIDE));
    expect(drift.flatMap((where, at) => bus.at(at * 10, { ...where, kmh: 0 }))).toEqual([]);
    expect(bus.visits).toEqual([]);
  });

  it('goes without rules too: visits are kept', () => {
    const bus = drive({});
    expect([bus.at(0, OUTSIDE), bus.at(60, INSIDE), bus.at(120, OUTSIDE)]).toEqual([[], [], []]);
    expect(bus.visits).toEqual(['open 60', 'close 120']);
  });

  it('is told of the geofence that a vehicle is in when it is drawn', () => {
    const bus = drive();
    expect(bus.at(0, INSIDE)).toEqual(['fence-entered']);
  });
});

describe('a geofence between two points', () => {
  it('was entered and left', () => {
    const bus = drive();
    bus.at(0, OUTSIDE);
    expect(bus.at(120, { lat: 24.005, lng: 120.515 })).toEqual(['fence-entered', 'fence-left']);
    expect(bus.visits).toEqual(['visit 60 to 60']);
  });

  it('was driven through where one point lies near its border, and those about it clearly outside', () => {
    const bus = drive({
      ...BOTH,
      kind: 'circle',
      geometry: { type: 'Point', coordinates: [120.5, 24] },
      radiusMeters: 15,
    });
    bus.at(0, { lat: 24, lng: 120.498 });
    expect(bus.at(15, { lat: 24, lng: 120.5 })).toEqual([]);
    expect(bus.at(30, { lat: 24, lng: 120.502 })).toEqual(['fence-entered', 'fence-left']);
    expect(bus.visits).toEqual(['visit 15 to 30']);
  });

  it.each([
    ['after a gap', { seconds: 400, lng: 120.515, kmh: 50 }],
    ['of a vehicle that stands', { seconds: 120, lng: 120.515, kmh: 0 }],
    ['faster than a vehicle drives', { seconds: 10, lng: 120.515, kmh: 50 }],
  ])('was not: %s', (_name, { seconds, lng, kmh }) => {
    const bus = drive();
    bus.at(0, { ...OUTSIDE, kmh });
    expect(bus.at(seconds, { lat: 24.005, lng, kmh })).toEqual([]);
  });
});

describe('positions that say nothing of geofences', () => {
  it('are those without a fix', () => {
    const bus = drive();
    bus.at(0, OUTSIDE);
    expect([bus.at(60, { ...INSIDE, hasFix: false }), bus.at(120, { ...INSIDE, hasFix: false })]).toEqual([[], []]);
  });

  it('are those that no vehicle can have driven to, until two agree', () => {
    const bus = drive();
    bus.at(0, OUTSIDE);
    expect(bus.at(1, INSIDE)).toEqual([]);
    expect(bus.at(2, OUTSIDE)).toEqual([]);
    expect(bus.at(3, { lat: 25, lng: 121 })).toEqual([]);
    expect(bus.at(5, INSIDE)).toEqual([]);
    expect(bus.at(15, INSIDE)).toEqual(['fence-entered']);
  });

  it('are those that come again, or were overtaken', () => {
    const bus = drive();
    bus.at(60, OUTSIDE);
    expect([bus.at(70, JUST_INSIDE), bus.at(70, JUST_INSIDE), bus.at(65, JUST_INSIDE)]).toEqual([[], [], []]);
  });
});

describe('who a geofence is for', () => {
  const entered = (content: Parameters<typeof storedFence>[0], memberGroup = 1) =>
    new Drive(fenceSet([storedFence({ ...BOTH, ...content }, 1, memberGroup)])).at(0, INSIDE);

  it('are devices of its member group alone', () => {
    expect(entered({}, 1)).toEqual(['fence-entered']);
    expect(entered({}, 2)).toEqual([]);
  });

  it('are the devices and groups that it names, with the groups inside them', () => {
    expect(entered({ devices: ['BUS1'] })).toEqual(['fence-entered']);
    expect(entered({ devices: ['BUS2'] })).toEqual([]);
    expect(entered({ deviceGroups: [10] })).toEqual(['fence-entered']);
    expect(entered({ deviceGroups: [12] })).toEqual([]);
  });
});

describe('a geofence that is changed', () => {
  it('goes on from where the devices are', () => {
    const bus = drive({ rules: { enter: true } });
    bus.at(0, INSIDE);
    expect(bus.use(fenceSet([storedFence(BOTH)]))).toEqual([]);
    expect(bus.at(60, OUTSIDE)).toEqual(['fence-left']);
  });

  it('ends what it had raised, and its visits, when it goes', () => {
    const bus = drive({ rules: { insideMinutes: 1 } });
    bus.at(0, INSIDE);
    expect(bus.at(60, INSIDE)).toEqual(['fence-inside-long begin']);
    expect(bus.use(fenceSet([]))).toEqual(['fence-inside-long end']);
    expect(bus.visits).toEqual(['open 0', 'close 60']);
  });
});

describe('geofences of one device', () => {
  it('that it is in are so many, and no more', () => {
    const fences = Array.from({ length: INSIDE_LIMIT.max + 1 }, (_, at) => storedFence(BOTH, at + 1));
    const bus = new Drive(fenceSet(fences));
    expect(bus.at(0, INSIDE)).toHaveLength(INSIDE_LIMIT.max);
    expect(bus.limits).toEqual([INSIDE_LIMIT.name]);
  });

  it('that it is watched outside of are so many, and no more', () => {
    const fences = Array.from({ length: OUTSIDE_LIMIT.max + 1 }, (_, at) =>
      storedFence({ rules: { outsideMinutes: 1 } }, at + 1),
    );
    const bus = new Drive(fenceSet(fences));
    bus.at(0, OUTSIDE);
    expect(bus.at(60, OUTSIDE)).toHaveLength(OUTSIDE_LIMIT.max);
    expect(new Set(bus.limits)).toEqual(new Set([OUTSIDE_LIMIT.name]));
  });

  it('are forgotten where it is plainly outside', () => {
    const course = new FenceCourse();
    expect(course.stateCount).toBe(0);
    const bus = drive();
    bus.at(0, INSIDE);
    expect(bus.fences.stateCount).toBe(1);
    bus.at(60, OUTSIDE);
    expect(bus.fences.stateCount).toBe(0);
  });
});
