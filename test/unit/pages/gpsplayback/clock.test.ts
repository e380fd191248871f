import { describe, expect, it } from 'vitest';
import {
  advanced,
  type ClockCourse,
  type ClockState,
  fasterThan,
  leaderOf,
  SKIP_LEAD_MS,
  started,
} from '../../../../pages/innerpage/gpsplayback/clock/clockState.ts';
import {
  commonRanges,
  mergedRanges,
  nextMoment,
  placeAt,
  previousMoment,
} from '../../../../pages/innerpage/gpsplayback/clock/ranges.ts';

const HOUR_MS = 3_600_000;
const COURSE: ClockCourse = { fromMs: 0, toMs: HOUR_MS, still: [] };
const PLAYING: ClockState = { positionMs: 0, isPlaying: true, speed: 1, skips: false };

describe('the clock', () => {
  it.each([1, 2, 4, 8, 16, 32, 64])('runs %i times as fast as time', (speed) => {
    expect(advanced({ ...PLAYING, speed }, COURSE, 250).positionMs).toBe(250 * speed);
  });

  it('stands while it is paused', () => {
    const paused = { ...PLAYING, isPlaying: false };
    expect(advanced(paused, COURSE, 1_000)).toBe(paused);
  });

  it('stops at the end, and begins anew from there', () => {
    const ended = advanced({ ...PLAYING, positionMs: HOUR_MS - 10 }, COURSE, 1_000);
    expect(ended).toMatchObject({ positionMs: HOUR_MS, isPlaying: false });
    expect(started(ended, COURSE)).toMatchObject({ positionMs: 0, isPlaying: true });
  });

  it('does not play where there is no time', () => {
    expect(started({ ...PLAYING, isPlaying: false }, { ...COURSE, toMs: 0 }).isPlaying).toBe(false);
  });

  it('skips what stands still, but for the moment in which it begins', () => {
    const course = { ...COURSE, still: [{ fromMs: 10_000, toMs: 100_000 }] };
    const skipping = { ...PLAYING, skips: true };
    expect(advanced({ ...skipping, positionMs: 9_000 }, course, 2_000).positionMs).toBe(11_000);
    const atLead = 10_000 + SKIP_LEAD_MS;
    expect(advanced({ ...skipping, positionMs: atLead - 100 }, course, 300).positionMs).toBe(100_200);
    expect(advanced({ ...PLAYING, positionMs: atLead - 100 }, course, 300).positionMs).toBe(atLead + 200);
  });

  it('leaves a stop at once that it was set into', () => {
    const course = { ...COURSE, still: [{ fromMs: 10_000, toMs: 100_000 }] };
    expect(advanced({ ...PLAYING, skips: true, positionMs: 50_000 }, course, 16).positionMs).toBe(100_016);
  });

  it('skips several in one step, and does not skip what is shorter than its beginning', () => {
    const still = [
      { fromMs: 0, toMs: 10_000 },
      { fromMs: 20_000, toMs: 20_000 + SKIP_LEAD_MS },
      { fromMs: 30_000, toMs: 40_000 },
    ];
    const fast = { ...PLAYING, skips: true, speed: 64 };
    expect(advanced(fast, { ...COURSE, still }, 1_000).positionMs).toBe(
      10_000 + 64_000 - SKIP_LEAD_MS + 10_000 - 33_000 + 30_000,
    );
  });

  it('becomes faster by each step, up to the last', () => {
    expect([1, 2, 32, 64].map(fasterThan)).toEqual([2, 4, 64, 64]);
  });
});

describe('who leads', () => {
  const video = { isSteered: true, hasEnded: false, recorded: [{ fromMs: 0, toMs: 1_000 }] };

  it.each([
    ['while video plays the session', PLAYING, video, 'session'],
    ['at 16 times too', { ...PLAYING, speed: 16 }, video, 'session'],
    ['above, the page', { ...PLAYING, speed: 32 }, video, 'page'],
    ['in a pause the page', { ...PLAYING, isPlaying: false }, video, 'page'],
    ['without video the page', PLAYING, undefined, 'page'],
    ['where nothing is recorded the page', { ...PLAYING, positionMs: 1_000 }, video, 'page'],
    ['before the session can be steered the page', PLAYING, { ...video, isSteered: false }, 'page'],
    ['at its end the page', PLAYING, { ...video, hasEnded: true }, 'page'],
  ] as const)('%s', (_name, state, facts, leader) => {
    expect(leaderOf(state, facts)).toBe(leader);
  });
});

describe('stretches and moments', () => {
  it('are merged where they touch', () => {
    const ranges = [
      { fromMs: 5, toMs: 9 },
      { fromMs: 0, toMs: 5 },
      { fromMs: 20, toMs: 20 },
      { fromMs: 10, toMs: 12 },
    ];
    expect(mergedRanges(ranges)).toEqual([
      { fromMs: 0, toMs: 9 },
      { fromMs: 10, toMs: 12 },
    ]);
  });

  it('are common where all have them', () => {
    const one = [
      { fromMs: 0, toMs: 10 },
      { fromMs: 20, toMs: 30 },
    ];
    const other = [
      { fromMs: 5, toMs: 22 },
      { fromMs: 28, toMs: 40 },
    ];
    expect(commonRanges([one, other])).toEqual([
      { fromMs: 5, toMs: 10 },
      { fromMs: 20, toMs: 22 },
      { fromMs: 28, toMs: 30 },
    ]);
    expect(commonRanges([one, other, []])).toEqual([]);
    expect(commonRanges([])).toEqual([]);
  });

  it('are found around a moment', () => {
    const moments = [10, 20, 30];
    expect([9, 10, 25, 40].map((at) => placeAt(moments, at))).toEqual([-1, 0, 1, 2]);
    expect([9, 10, 30].map((at) => nextMoment(moments, at))).toEqual([10, 20, undefined]);
    expect([10, 20, 25].map((at) => previousMoment(moments, at))).toEqual([undefined, 10, 20]);
    // A second press leads further back, though the clock has moved a little.
    expect(previousMoment(moments, 21, 5)).toBe(10);
  });
});
