import { afterEach, expect, it } from 'vitest';
import { wallMs } from '../../../shared/protocol/time.ts';
import { aPosition } from '../../support/tracks/drives.ts';
import { sortedResult, TrackScene } from './trackScene.ts';

const FROM_MS = Date.UTC(2026, 10, 20, 8);
const METERS_PER_DEGREE = 111_195;

/** Northwards at 36 km/h, from a moment on each 10 s. */
function driven(fromMs: number, count: number, latitude: number) {
  return Array.from({ length: count }, (_, at) => {
    const place = { latitude: latitude + (at * 100) / METERS_PER_DEGREE, longitude: 121 };
    return aPosition({ atMs: fromMs + at * 10_000, speedKmh: 36, ...place });
  });
}

let scene: TrackScene | undefined;
afterEach(async () => {
  await scene?.engine.close();
  await scene?.database.close();
});

it('a device that begins with stored positions, sent as live ones, has its trip when it drove', async () => {
  scene = await TrackScene.open('sqlite', FROM_MS);
  const beginMs = FROM_MS + 600_000;
  scene.goOnTo(beginMs);
  const stored = driven(FROM_MS, 60, 25).map((each, at) => ({ ...each, receivedAtMs: wallMs(beginMs + at * 20) }));
  await scene.report(stored);
  const live = driven(beginMs + 5_000, 30, 25.06);
  for (const position of live) {
    scene.goOnTo(position.receivedAtMs);
    await scene.report([position]);
  }
  await scene.settle();
  expect(scene.faults).toEqual([]);
  const expected = sortedResult([...stored, ...live]);
  expect(expected.trips[0]?.[0]).toBe(FROM_MS);
  expect((await scene.stored()).trips).toEqual(expected.trips);
  const steps = await scene.stores.tracks.load(scene.device.incarnation);
  expect(steps.steps).toEqual([{ deviceFromMs: FROM_MS, offsetMs: 0 }]);
});
