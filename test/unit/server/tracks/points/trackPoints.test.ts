import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pointsBefore, pointsFrom } from '../../../../../server/tracks/points/trackPoints.ts';
import { DeviceClock } from '../../../../../shared/protocol/tracks/deviceClock.ts';
import { runs } from '../../../../support/runs.ts';
import { heldTrack } from '../heldTrack.ts';

const query = { incarnation: 1, clock: new DeviceClock([]), fromMs: 0, toMs: 31 * 86_400_000 };

/** Positions whose speed is their place in the list. */
function trackAt(times: readonly number[]) {
  return heldTrack(
    times.toSorted((left, right) => left - right).map((deviceTimeMs, speedKmh) => ({ deviceTimeMs, speedKmh })),
  );
}

const someTimes = fc.array(fc.oneof(fc.nat(20), fc.nat(31 * 86_400_000 - 1)), { maxLength: 40 });

describe('pages of positions', () => {
  it('forwards and backwards have each position once, in the order of time', async () => {
    await fc.assert(
      fc.asyncProperty(someTimes, fc.integer({ min: 1, max: 7 }), async (times, size) => {
        const track = trackAt(times);
        const forward: number[] = [];
        let place = { atMs: 0, ordinal: 0 };
        for (;;) {
          const page = await pointsFrom(track, query, place, size);
          forward.push(...page.map(({ point }) => point.speedKmh ?? Number.NaN));
          const last = page.at(-1);
          if (last === undefined) break;
          place = { atMs: last.atMs, ordinal: last.ordinal + 1 };
        }
        expect(forward).toEqual([...times.keys()]);
        const backward: number[] = [];
        let before = { atMs: query.toMs, ordinal: 0 };
        for (;;) {
          const page = await pointsBefore(track, query, before, size);
          backward.unshift(...page.map(({ point }) => point.speedKmh ?? Number.NaN));
          const [first] = page;
          if (first === undefined) break;
          before = { atMs: first.atMs, ordinal: first.ordinal };
        }
        expect(backward).toEqual(forward);
      }),
      { numRuns: runs(60) },
    );
  });
});
