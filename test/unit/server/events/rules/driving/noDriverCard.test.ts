import { describe, expect, it } from 'vitest';
import { every, playRule, type Step } from '../playRules.ts';

const settings = { durationSeconds: 60 };
const noCard: Step = { at: 0, kind: 'driver-card', isRead: false };
const card = (at: number): Step => ({ at, kind: 'driver-card', isRead: true });
const off = { speedKmh: 0, ignitionOn: false };

describe('driving without a driver card', () => {
  it.each<[string, readonly Step[], readonly string[]]>([
    ['is raised after the duration', [noCard, ...every(10, 0, 100)], ['60 begin, since 0']],
    ['ends when a card is read', [noCard, ...every(10, 0, 70), card(75)], ['60 begin, since 0', '75 end']],
    ['isn’t raised with a card', [card(0), ...every(10, 0, 300)], []],
    ['isn’t raised in the yard', [noCard, ...every(10, 0, 30), ...every(10, 40, 300, { speedKmh: 0 })], []],
    [
      'is raised when the card is taken out on the way',
      [card(0), ...every(10, 0, 90), { at: 95, kind: 'driver-card', isRead: false }, ...every(10, 100, 160)],
      ['160 begin, since 100'],
    ],
    ['isn’t raised across a gap', [noCard, { at: 10 }, { at: 400 }], []],
    // The terminal may have reported the card before the gateway started.
    ['isn’t raised while it isn’t known whether there is one', every(10, 0, 300), []],
    [
      'is raised where the ignition is switched on and no card follows',
      [{ ...off, at: 0 }, ...every(10, 10, 80)],
      ['70 begin, since 10'],
    ],
  ])('%s', (_what, steps, expected) => {
    expect(playRule('no-driver-card', steps, { settings })).toEqual(expected);
  });

  it('applies in the hours of its schedule', () => {
    const schedule = [{ days: [1], fromMinute: 1, toMinute: 3 }];
    const steps = [noCard, ...every(10, 0, 300)];
    expect(playRule('no-driver-card', steps, { settings: { ...settings, schedule } })).toEqual([
      '120 begin, since 60',
      '180 end',
    ]);
  });
});
