import { expect, it } from 'vitest';
import { cardFiles } from '../../../../simulator/card/cardContents.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOON = Date.UTC(2026, 10, 20, 12);
const minutes = (files: readonly { startMs: number; endMs: number }[]) =>
  files.map(({ startMs, endMs }) => [(startMs - NOON) / MINUTE, (endMs - NOON) / MINUTE]);

it('files of five minutes up to now lie on a card, the one of each hour from 35 to 40 missing', () => {
  const files = cardFiles({}, { startMs: NOON + 28 * MINUTE, endMs: NOON + 2 * HOUR }, NOON + 52 * MINUTE);
  expect(minutes(files)).toEqual([
    [25, 30],
    [30, 35],
    [40, 45],
    [45, 50],
    [50, 52],
  ]);
});

it('nothing lies on it from before it began, or in a gap', () => {
  const now = NOON + HOUR;
  expect(cardFiles({}, { startMs: NOON - 9 * HOUR, endMs: NOON - 6 * HOUR }, now)).toEqual([]);
  expect(cardFiles({}, { startMs: NOON + 35 * MINUTE, endMs: NOON + 40 * MINUTE }, now)).toEqual([]);
});

it('nothing is overwritten on one that has recorded since a moment', () => {
  const contents = { sinceMs: NOON + MINUTE, gaps: [] };
  const range = { startMs: NOON, endMs: NOON + 11 * MINUTE };
  for (const now of [NOON + 12 * MINUTE, NOON + 99 * HOUR]) {
    expect(minutes(cardFiles(contents, range, now))[0]).toEqual([5, 10]);
  }
});

it('gaps that are asked for cut files where they lie', () => {
  const gaps = [{ startMs: NOON + 2 * MINUTE, endMs: NOON + 4 * MINUTE }];
  const files = cardFiles({ gaps, fileMinutes: 10 }, { startMs: NOON, endMs: NOON + 20 * MINUTE }, NOON + HOUR);
  expect(minutes(files)).toEqual([
    [0, 2],
    [4, 10],
    [10, 20],
  ]);
});
