import { describe, expect, it } from 'vitest';
import type { RuleSettings } from '../../../../../../shared/protocol/events/ruleSettings.ts';
import { inputOf, RulesPlayer, ruleOf, type Step } from '../playRules.ts';

const settings: RuleSettings = { threshold: 8, clearThreshold: 6, lowThreshold: 0, durationSeconds: 120 };

/** One reading a minute. */
const readings = (degrees: readonly (number | undefined)[], from = 0): Step[] =>
  degrees.map((cabinCelsius, index) => ({ at: from + index * 60, cabinCelsius }));

/** Without what the form suggests. */
function play(steps: readonly Step[], own: RuleSettings): string[] {
  const player = new RulesPlayer();
  const rules = [{ ...ruleOf('cabin-temperature', own), threshold: own.threshold ?? Number.NaN }];
  for (const step of steps) player.play(inputOf(step), rules);
  return player.lines();
}

describe('the cabin temperature', () => {
  it.each<[string, readonly (number | undefined)[], readonly string[]]>([
    ['not within the limits', [0, 8, 4, 0], []],
    ['not for a short time', [9, 9, 8, 9, 9], []],
    ['above the threshold', [4, 9, 12, 10], ['180 begin, 12 of 8, since 60']],
    ['until the clear threshold', [9, 9, 9, 8, 7, 6], ['120 begin, 9 of 8, since 0', '300 end, 9']],
    ['below the low threshold', [-1, -4, -2], ['120 begin, -4 of 0, since 0']],
    ['below it, as far inside as above', [-1, -1, -1, 0, 1, 2], ['120 begin, -1 of 0, since 0', '300 end, -1']],
    [
      'anew where it changes sides',
      [9, 9, 9, -5, -5, -5],
      ['120 begin, 9 of 8, since 0', '180 end, 9', '300 begin, -5 of 0, since 180'],
    ],
    ['while some positions say nothing', [9, undefined, undefined, 9], ['180 begin, 9 of 8, since 0']],
    ['not by what no sensor measures', [200, 200, 200, -99, -99, -99], []],
  ])('is raised %s', (_when, degrees, expected) => {
    expect(play(readings(degrees), settings)).toEqual(expected);
  });

  it('may have one limit alone, and goes by whole degrees without a clear threshold', () => {
    const degrees = [9, 9, 9, 8, 7, -20, -20, -20];
    expect(play(readings(degrees), { threshold: 8, durationSeconds: 120 })).toEqual([
      '120 begin, 9 of 8, since 0',
      '240 end, 9',
    ]);
    expect(play(readings(degrees), { lowThreshold: 0, durationSeconds: 120 })).toEqual([
      '420 begin, -20 of 0, since 300',
    ]);
  });

  it('ends after two hours without a reading', () => {
    expect(play([...readings([9, 9, 9]), ...readings([9], 20_000)], settings)).toEqual([
      '120 begin, 9 of 8, since 0',
      '7320 end, 9, since 120',
    ]);
  });

  it('applies in the hours of its schedule', () => {
    const schedule = [{ days: [1], fromMinute: 1, toMinute: 5 }];
    expect(play(readings([9, 9, 9, 9, 9, 9, 9]), { ...settings, schedule })).toEqual([
      '180 begin, 9 of 8, since 60',
      '300 end, 9',
    ]);
  });
});
