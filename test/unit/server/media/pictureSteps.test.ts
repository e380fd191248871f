import { describe, expect, it } from 'vitest';
import { PictureSteps } from '../../../../server/media/pictureSteps.ts';

/** Which of the pictures stand behind a hole. */
function holesOf(timesMs: readonly number[], isKey = false): number[] {
  const steps = new PictureSteps();
  return timesMs.flatMap((timeMs, at) => (steps.next(timeMs, isKey) ? [at] : []));
}

const STREAMS: readonly (readonly [string, number])[] = [
  ['30 pictures a second', 1000 / 30],
  ['25 pictures a second', 40],
  ['10 pictures a second', 100],
  ['a picture a second', 1_000],
  ['a picture every ten seconds', 10_000],
];

describe('the times of pictures', () => {
  it.each(STREAMS)('show no hole at %s, stamped a third of an interval early or late', (_what, stepMs) => {
    const times = Array.from({ length: 200 }, (_, at) => (at + ([0, 1 / 3, -1 / 3].at(at % 3) ?? 0)) * stepMs);
    expect(holesOf(times)).toEqual([]);
  });

  it.each(STREAMS)('show pictures that are missing at %s', (_what, stepMs) => {
    const missing = Math.max(3, Math.ceil(1_500 / stepMs));
    const times = Array.from({ length: 60 }, (_, at) => (at < 30 ? at : at + missing) * stepMs);
    expect(holesOf(times)).toEqual([30]);
  });

  it('show every one of many holes', () => {
    const times = Array.from({ length: 100 }, (_, at) => at * 40 + Math.floor(at / 10) * 2_000);
    expect(holesOf(times)).toEqual([10, 20, 30, 40, 50, 60, 70, 80, 90]);
  });

  it('may come in another order than they are shown in', () => {
    expect(holesOf([0, 120, 40, 80, 240, 160, 200, 2_240, 280])).toEqual([7]);
  });

  it('begin anew at a key frame before the latest of them', () => {
    const steps = new PictureSteps();
    for (let at = 0; at < 20; at++) steps.next(100_000 + at * 40, false);
    expect([steps.next(0, true), steps.next(40, false), steps.next(3_040, false)]).toEqual([false, false, true]);
  });

  it('show nothing before the second step', () => {
    expect(holesOf([0, 5_000])).toEqual([]);
  });
});
