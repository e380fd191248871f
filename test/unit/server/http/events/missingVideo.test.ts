import { describe, expect, it } from 'vitest';
import { missingVideo } from '../../../../../server/http/events/package/missingVideo.ts';

const WINDOW = { fromMs: 0, toMs: 30_000 };

describe('missingVideo', () => {
  const named = (channels: readonly number[], ranges: readonly (readonly [number, number, number])[]) => {
    const recorded = ranges.map(([channel, fromS, toS]) => ({ channel, fromMs: fromS * 1_000, toMs: toS * 1_000 }));
    return missingVideo(channels, recorded, WINDOW).map(({ channel, from, to }) => [
      channel,
      Date.parse(from) / 1_000,
      Date.parse(to) / 1_000,
    ]);
  };

  it.each([
    ['nothing where all is there', [1], [[1, 0, 30]], []],
    ['all channels at once where nothing is', [1, 2], [], [[0, 0, 30]]],
    ['a channel of the device that was not recorded', [1, 2], [[1, 0, 30]], [[2, 0, 30]]],
    [
      'a hole, a late beginning and an early end',
      [],
      [
        [1, 5, 10],
        [1, 13, 20],
      ],
      [
        [1, 0, 5],
        [1, 10, 13],
        [1, 20, 30],
      ],
    ],
    [
      'no hole of less than a second',
      [],
      [
        [1, 0.5, 10],
        [1, 10.9, 29.5],
      ],
      [],
    ],
  ] as const)('names %s', (_what, channels, ranges, expected) => {
    expect(named(channels, ranges)).toEqual(expected);
  });
});
