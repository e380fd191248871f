import { describe, expect, it } from 'vitest';
import { every, playRule, type Step } from '../playRules.ts';

const settings = { durationSeconds: 120 };
const blind = { hasFix: false, speedKmh: undefined };

describe('no GNSS fix', () => {
  it.each<[string, readonly Step[], readonly string[]]>([
    ['is raised after the duration', every(30, 0, 150, blind), ['120 begin, since 0']],
    ['ends with a fix', [...every(30, 0, 120, blind), { at: 150 }], ['120 begin, since 0', '150 end']],
    ['isn’t raised in a short tunnel', [...every(30, 0, 90, blind), { at: 120 }], []],
    ['isn’t raised in a garage', every(30, 0, 300, { ...blind, ignitionOn: false }), []],
    ['is raised while moving', every(30, 0, 120, { hasFix: false, ignitionOn: false }), ['120 begin, since 0']],
    [
      'takes zeros, and places off the earth, for none',
      every(30, 0, 120, { latitude: 0, longitude: 0 }),
      ['120 begin, since 0'],
    ],
    [
      'isn’t raised across a gap',
      [
        { ...blind, at: 0 },
        { ...blind, at: 400 },
      ],
      [],
    ],
  ])('%s', (_what, steps, expected) => {
    expect(playRule('no-fix', steps, { settings })).toEqual(expected);
  });
});
