import { describe, expect, it } from 'vitest';
import { placesOf } from '../../../../../server/sync/plan/undatedFiles.ts';

const MINUTE_MS = 60_000;
const UNKNOWN = { kind: 'unknown' };
const undated = (...lengthsMs: number[]) => lengthsMs.map((lengthMs) => ({ isDated: false, lengthMs }));
const known = (...startsMs: number[]) => ({ kind: 'known', startsMs });

describe('files of one upload without dates', () => {
  it('follow one another where they fill what was asked for, give or take two seconds', () => {
    const offByMs = (ms: number) => placesOf(undated(MINUTE_MS, 2 * MINUTE_MS, MINUTE_MS + ms), 4 * MINUTE_MS);
    for (const ms of [0, 1_999, -1_999]) expect(offByMs(ms)).toEqual(known(0, MINUTE_MS, 3 * MINUTE_MS));
    for (const ms of [2_000, -2_000]) expect(offByMs(ms)).toEqual(UNKNOWN);
  });

  it('could be anywhere beside one with a date, and where more was sent', () => {
    const dated = { isDated: true, lengthMs: MINUTE_MS };
    expect(placesOf([...undated(MINUTE_MS), dated], 2 * MINUTE_MS)).toEqual(UNKNOWN);
    expect(placesOf(undated(MINUTE_MS), undefined)).toEqual(UNKNOWN);
    expect(placesOf([dated, dated], undefined)).toEqual(known(0, 0));
  });

  it('are what was asked for where there is one', () => {
    expect(placesOf(undated(MINUTE_MS), 5 * MINUTE_MS)).toEqual(known(0));
  });
});
