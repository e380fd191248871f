// Where a timeline marks what was fetched from the device.
import { describe, expect, it } from 'vitest';
import {
  fetchedLine,
  hatchedOf,
  isFetchedAt,
  type Stretch,
  showsFetched,
  stretchesOf,
} from '../../../../../../shared/player/playback/timeline/fetchedMarks.ts';
import type { ChannelRanges } from '../../../../../../shared/player/playback/timeline/rangeStore.ts';

/** A pixel is a second. */
const SCALE = { view: { fromMs: 100_000, toMs: 400_000 }, width: 300 };
const range = (from: number, to: number) => ({ fromMs: from * 1_000, toMs: to * 1_000 });
const lane = (channel: number, ...fetched: readonly [number, number][]): ChannelRanges => ({
  channel,
  ranges: [range(0, 500)],
  fetched: fetched.map(([from, to]) => range(from, to)),
});
/** In whole pixels. */
const rounded = (stretches: readonly Stretch[]): Stretch[] =>
  stretches.map(({ left, right }) => ({ left: Math.round(left), right: Math.round(right) }));
const LIVE: ChannelRanges = { channel: 9, ranges: [range(0, 500)] };

describe('a stretch of a timeline', () => {
  it('ends where the view does, and is left out beyond it', () => {
    const ranges = [range(0, 100), range(50, 110), range(390, 450), range(400, 500)];
    expect(rounded(stretchesOf(ranges, SCALE, 1))).toEqual([
      { left: 0, right: 10 },
      { left: 290, right: 300 },
    ]);
  });

  it('is as wide as it must be to be seen, and those that it covers are left out', () => {
    const ranges = [range(110, 110.1), range(110, 111), range(112, 113)];
    expect(rounded(stretchesOf(ranges, SCALE, 1))).toEqual([
      { left: 10, right: 11 },
      { left: 12, right: 13 },
    ]);
  });
});

describe('what was fetched', () => {
  it('is hatched in its own lane, where it is wide enough for stripes', () => {
    expect(rounded(hatchedOf(lane(1, [110, 117], [150, 159], [390, 600]), SCALE))).toEqual([
      { left: 50, right: 59 },
      { left: 290, right: 300 },
    ]);
    expect(hatchedOf(LIVE, SCALE)).toEqual([]);
  });

  it('has a line below all lanes, however short it is', () => {
    const channels = [lane(1, [150, 160]), LIVE, lane(2, [110, 110.5], [155, 170])];
    expect(rounded(fetchedLine(channels, SCALE))).toEqual([
      { left: 10, right: 13 },
      { left: 50, right: 60 },
      { left: 55, right: 70 },
    ]);
    expect(fetchedLine([LIVE], SCALE)).toEqual([]);
  });

  it('needs explaining only where the view has some of it', () => {
    const shows = (from: number, to: number) => showsFetched([LIVE, lane(1, [from, to])], SCALE.view);
    expect([shows(90, 100), shows(90, 101), shows(399, 500), shows(400, 500)]).toEqual([false, true, true, false]);
    expect(showsFetched([LIVE], SCALE.view)).toBe(false);
  });

  it('is told of a moment that any of the channels has from the device', () => {
    const channels = [LIVE, lane(1, [110, 120])];
    const told = [109_999, 110_000, 119_999, 120_000].map((atMs) => isFetchedAt(channels, atMs));
    expect(told).toEqual([false, true, true, false]);
  });
});
