import { describe, expect, it } from 'vitest';
import { HoleWatch } from '../../../../../workers/video/live/holeWatch.ts';

/** A hole of `lengthMs` that begins to end at `atMs` and is worked off 40 ms a unit, one every 10 ms. */
function hole(watch: HoleWatch, atMs: number, lengthMs = 1_000): boolean[] {
  return Array.from({ length: lengthMs / 40 }, (_, index) =>
    watch.isBehindSingleHole(lengthMs - index * 40, atMs + index * 10),
  );
}

describe('HoleWatch', () => {
  it('knows every unit behind a single hole, and none after it', () => {
    const watch = new HoleWatch();
    expect(hole(watch, 5_000)).toEqual(Array(25).fill(true));
    expect([20, 100, 240].map((excessMs, index) => watch.isBehindSingleHole(excessMs, 5_300 + index * 40))).toEqual(
      Array(3).fill(false),
    );
  });

  it('takes nothing for a hole that is late by little', () => {
    expect(new HoleWatch().isBehindSingleHole(250, 0)).toBe(false);
    expect(new HoleWatch().isBehindSingleHole(251, 0)).toBe(true);
  });

  it('leaves a hole to the network that has them, and takes it for single again ten seconds after the last', () => {
    const watch = new HoleWatch();
    hole(watch, 0);
    watch.isBehindSingleHole(0, 250);
    expect(hole(watch, 10_250)).toEqual(Array(25).fill(false));
    watch.isBehindSingleHole(0, 10_500);
    expect(hole(watch, 20_501)).toEqual(Array(25).fill(true));
  });

  it('takes lateness that lasts longer than two seconds for the network’s own', () => {
    const watch = new HoleWatch();
    expect([0, 2_000, 2_001, 9_000].map((nowMs) => watch.isBehindSingleHole(600, nowMs))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
