import { describe, expect, it } from 'vitest';
import { isLatePosition } from '../../../../../server/events/preview/lateness.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';

/** Seconds: measured at, received at. */
type Row = readonly [number, number];
const timesOf = ([measuredS, receivedS]: Row) => ({
  deviceTimeMs: wallMs(measuredS * 1_000),
  receivedAtMs: wallMs(receivedS * 1_000),
});

function lateOnes(rows: readonly Row[]): boolean[] {
  return rows.map((row, at) => {
    const before = rows[at - 1];
    return isLatePosition(timesOf(row), before && timesOf(before));
  });
}

describe('positions that came late', () => {
  it.each<[string, readonly Row[], readonly boolean[]]>([
    [
      'are none of those that came as they were measured',
      [
        [0, 1],
        [10, 11],
        [20, 79],
        [30, 80],
      ],
      [false, false, false, false],
    ],
    [
      'are those of an hour without a connection',
      [
        [0, 1],
        [10, 3_600],
        [20, 3_600],
        [30, 3_601],
        [3_620, 3_621],
      ],
      [false, true, true, true, false],
    ],
    [
      'may be the first ones',
      [
        [0, 3_600],
        [10, 3_600],
      ],
      [true, true],
    ],
    [
      'are none of a clock that is an hour slow',
      [
        [10, 3_610],
        [20, 3_620],
        [20, 3_620],
        [80, 3_685],
      ].map(([a = 0, b = 0]) => [a, b] as const),
      [true, false, false, false],
    ],
    [
      'are none of a clock that is fast',
      [
        [3_610, 10],
        [3_620, 20],
      ],
      [false, false],
    ],
  ])('%s', (_, rows, late) => {
    expect(lateOnes(rows)).toEqual(late);
  });
});
