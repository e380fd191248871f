import { describe, expect, it } from 'vitest';
import { playRule, START_MS, type Step } from '../playRules.ts';

const settings = { threshold: 60 };

/** One position each 20 seconds, whose clock is ahead by so many seconds. */
const offsets = (seconds: readonly number[], from = 0): Step[] =>
  seconds.map((offset, index) => {
    const at = from + index * 20;
    return { at, deviceTimeMs: START_MS + (at + offset) * 1_000 };
  });

describe('a wrong clock', () => {
  it.each<[string, readonly number[], readonly string[]]>([
    ['not within the threshold', [60, -60, 59, 0], []],
    ['by three positions in a row', [0, 90, 91, 90], ['60 begin, 90 of 60, since 60']],
    ['of a clock that is behind', [-3_600, -3_600, -3_600], ['40 begin, 3600 of 60, since 40']],
    ['not by two', [90, 90, 0, 90, 90, 0], []],
    [
      'until three in a row are right',
      [90, 90, 90, 0, 0, 90, 0, 0, 0],
      ['40 begin, 90 of 60, since 40', '160 end, 90'],
    ],
    // What waits in a network comes all the later, the longer it has waited.
    ['not by positions that were held up', [-300, -270, -240, -210, -180, -150, -120, -90], []],
  ])('is raised %s', (_when, seconds, expected) => {
    expect(playRule('wrong-clock', offsets(seconds), { settings })).toEqual(expected);
  });

  it('isn’t raised by positions that arrive at once', () => {
    const burst = offsets([0, 0, 0, 0, 0, 0]).map((step, index) => ({ ...step, at: 100 + index / 10 }));
    expect(playRule('wrong-clock', burst, { settings })).toEqual([]);
  });

  it('goes by positions that are reported as they are measured', () => {
    const late = [0, 20, 40, 60].map((at) => ({ at, isLate: true, receivedAtMs: START_MS + 3_600_000 }));
    expect(playRule('wrong-clock', late, { settings })).toEqual([]);
  });

  it('is seen of a clock that stands in another year, or doesn’t run', () => {
    const stopped = [0, 20, 40, 60].map((at) => ({ at, deviceTimeMs: 0 }));
    expect(playRule('wrong-clock', stopped, { settings })).toEqual([]);
  });

  it('applies in the hours of its schedule', () => {
    const schedule = [{ days: [1], fromMinute: 0, toMinute: 1 }];
    const steps = offsets([90, 90, 90, 90]);
    expect(playRule('wrong-clock', steps, { settings: { ...settings, schedule } })).toEqual([
      '40 begin, 90 of 60, since 40',
      '60 end, 90',
    ]);
  });
});
