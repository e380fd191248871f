import { afterEach, describe, expect, it } from 'vitest';
import type { Position } from '../../../server/store/fleet/positions.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { randomOf, someDays } from '../../support/tracks/drives.ts';
import { sortedResult, TrackScene } from './trackScene.ts';

const FROM_MS = Date.UTC(2026, 10, 20);
const DAY_MS = 86_400_000;

describe('tracks of a terminal that starts in another year', () => {
  let scene: TrackScene | undefined;
  afterEach(async () => {
    await scene?.engine.close();
    await scene?.database.close();
  });

  it.each([0, Date.UTC(2000, 0, 1), Date.UTC(2099, 0, 1)])(
    'have what it recorded the day before, its first report dated %i',
    async (wrongMs) => {
      scene = await TrackScene.open('sqlite', FROM_MS);
      const recorded = someDays(randomOf(1), FROM_MS, 1);
      const [model] = recorded as [Position, ...Position[]];
      const beginMs = FROM_MS + DAY_MS + 3_600_000;
      scene.goOnTo(beginMs);
      const live = (deviceMs: number, receivedMs: number): Position => ({
        ...model,
        deviceTimeMs: wallMs(deviceMs),
        receivedAtMs: wallMs(receivedMs),
        isLate: false,
      });
      // Without a fix at first.
      const before = { ...live(wrongMs, beginMs), statusBits: 0 };
      await scene.report([before]);
      const late = recorded.map((each) => ({ ...each, receivedAtMs: wallMs(beginMs + 5_000), isLate: true }));
      await scene.report(late);
      scene.goOnTo(beginMs + 10 * 60_000);
      const right = Array.from({ length: 10 }, (_, at) => {
        const atMs = beginMs + 10_000 + at * 10_000;
        return live(atMs, atMs);
      });
      await scene.report(right);
      await scene.settle();
      expect(scene.faults).toEqual([]);
      const expected = sortedResult([...late, { ...before, deviceTimeMs: wallMs(beginMs) }, ...right]);
      expect((await scene.stored()).trips).toEqual(expected.trips);
    },
  );
});
