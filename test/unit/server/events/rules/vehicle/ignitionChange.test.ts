import { describe, expect, it } from 'vitest';
import { playRule, type Step } from '../playRules.ts';

/** One position every ten seconds. */
const at = (ignition: readonly ('on' | 'off')[]): Step[] =>
  ignition.map((state, index) => ({ at: index * 10, ignitionOn: state === 'on' }));

describe('the ignition', () => {
  it.each<[string, readonly Step[], readonly string[], readonly string[]]>([
    ['nothing by the first position', at(['on', 'on']), [], []],
    ['each change', at(['off', 'on', 'on', 'off', 'on']), ['10 momentary', '40 momentary'], ['30 momentary']],
    // Parked terminals sleep.
    [
      'a change across a gap',
      [...at(['on', 'off']), { at: 9_000, ignitionOn: true }],
      ['9000 momentary'],
      ['10 momentary'],
    ],
    [
      'nothing again by a position that comes twice',
      [...at(['off', 'on']), ...at(['off', 'on']).slice(1)],
      ['10 momentary'],
      [],
    ],
  ])('signals %s', (_what, steps, on, off) => {
    expect(playRule('ignition-on', steps)).toEqual(on);
    expect(playRule('ignition-off', steps)).toEqual(off);
  });

  it('signals changes in the hours of a schedule, and knows those before them', () => {
    const schedule = [{ days: [1], fromMinute: 1, toMinute: 2 }];
    const steps: Step[] = [
      { at: 0, ignitionOn: false },
      { at: 50, ignitionOn: true },
      { at: 70, ignitionOn: true },
      { at: 80, ignitionOn: false },
      { at: 90, ignitionOn: true },
    ];
    expect(playRule('ignition-on', steps, { settings: { schedule } })).toEqual(['90 momentary']);
  });
});
