import { describe, expect, it } from 'vitest';
import { inputOf, playRule, RulesPlayer, ruleOf, START_MS, type Step } from '../playRules.ts';

const settings = { durationSeconds: 3_600 };
const online = (at: number): Step => ({ at, kind: 'presence', isOnline: true });
const offline = (at: number): Step => ({ at, kind: 'presence', isOnline: false });
const later = (at: number): Step => ({ at, kind: 'tick' });

describe('offline too long', () => {
  it.each<[string, readonly Step[], readonly string[]]>([
    ['is raised after the duration, without anything being heard', [offline(0), later(4_000)], ['3600 begin, since 0']],
    ['ends with the connection', [offline(0), later(4_000), online(5_000)], ['3600 begin, since 0', '5000 end']],
    ['isn’t raised of a terminal that comes back', [offline(0), online(3_599), later(9_000)], []],
    ['counts each absence by itself', [offline(0), online(3_000), offline(3_001), later(6_600)], []],
    ['isn’t raised before anything is known', [later(9_000)], []],
    ['counts from the first of two reports', [offline(0), offline(3_000), later(4_000)], ['3600 begin, since 0']],
  ])('%s', (_what, steps, expected) => {
    expect(playRule('offline', steps, { settings })).toEqual(expected);
  });

  it('counts within the hours of its schedule, and ends with them', () => {
    // Monday 01:00 to 03:00.
    const schedule = [{ days: [1], fromMinute: 60, toMinute: 180 }];
    expect(playRule('offline', [offline(0), later(20_000)], { settings: { ...settings, schedule } })).toEqual([
      '7200 begin, since 3600',
      '10800 end',
    ]);
  });

  it('knows of an absence that was there before the rule was switched on', () => {
    const player = new RulesPlayer();
    const rules = [ruleOf('offline', settings)];
    player.play(inputOf(offline(0)), []);
    player.play(inputOf(later(9_000)), rules);
    player.tickUntil(START_MS + 9_000_000, rules);
    expect(player.lines()).toEqual(['9000 begin, since 0']);
  });
});
