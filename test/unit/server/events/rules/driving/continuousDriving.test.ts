import { describe, expect, it } from 'vitest';
import { every, METER, playRule, type Step } from '../playRules.ts';

// Ten minutes at the wheel, five minutes of rest.
const settings = { threshold: 10, clearThreshold: 5 };
const still = { speedKmh: 0 };
const off = { speedKmh: 0, ignitionOn: false };
const begun = '600 begin, 10 of 10, since 600';

describe('driving too long without rest', () => {
  it.each<[string, readonly Step[], readonly string[]]>([
    ['isn’t raised before', every(10, 0, 590), []],
    ['is raised while driving', every(10, 0, 700), [begun]],
    // The time at traffic lights is time at the wheel, a longer stop isn't.
    ['counts short stops', [...every(10, 0, 290), ...every(10, 300, 400, still), ...every(10, 410, 620)], [begun]],
    [
      'doesn’t count a longer stop that is too short for a rest',
      [...every(10, 0, 300), ...every(10, 310, 580, off), ...every(10, 590, 900)],
      ['890 begin, 10 of 10, since 890'],
    ],
    ['counts anew after a rest', [...every(10, 0, 590), ...every(10, 600, 900, off), ...every(10, 910, 1_500)], []],
    [
      'ends with the rest, as of its begin',
      [...every(10, 0, 660), ...every(10, 670, 1_000, off)],
      [begun, '960 end, 11, since 660'],
    ],
    ['doesn’t begin at a stop', [...every(10, 0, 590), ...every(10, 600, 700, still)], []],
  ])('%s', (_what, steps, expected) => {
    expect(playRule('continuous-driving', steps, { settings })).toEqual(expected);
  });

  it('takes a gap for no driving', () => {
    const elsewhere = { latitude: 26 };
    const steps = [...every(10, 0, 300), ...every(10, 900, 1_190, elsewhere)];
    expect(playRule('continuous-driving', steps, { settings })).toEqual([]);
    // But what was driven before it still counts where the vehicle has come on.
    expect(playRule('continuous-driving', [...steps, { at: 1_200, ...elsewhere }], { settings })).toEqual([
      '1200 begin, 10 of 10, since 1200',
    ]);
  });

  it('takes a gap for a rest where the vehicle hasn’t moved', () => {
    const steps = [...every(10, 0, 590), ...every(10, 1_000, 1_590, { latitude: 25 + 100 * METER })];
    expect(playRule('continuous-driving', steps, { settings })).toEqual([]);
  });

  it('takes a night in a garage for a rest, where terminals wake up without a fix', () => {
    const waking = every(10, 30_000, 30_060, { ...still, hasFix: false });
    const steps = [...every(10, 0, 590), { at: 600, ...off }, ...waking, ...every(10, 30_070, 30_200)];
    expect(playRule('continuous-driving', steps, { settings })).toEqual([]);
  });

  it('doesn’t take the first stop after a gap on the road for a rest', () => {
    const elsewhere = { latitude: 26 };
    const stop = every(10, 1_500, 1_520, { ...elsewhere, ...still });
    const steps = [...every(10, 0, 590), ...stop, ...every(10, 1_530, 1_550, elsewhere)];
    expect(playRule('continuous-driving', steps, { settings })).toEqual(['1540 begin, 10 of 10, since 1540']);
  });

  it('ends in a gap as long as the rest, and is raised again where the drive went on', () => {
    const steps = [...every(10, 0, 660), { at: 1_500, latitude: 26 }];
    expect(playRule('continuous-driving', steps, { settings })).toEqual([
      begun,
      '960 end, 11, since 660',
      '1500 begin, 11 of 10, since 1500',
    ]);
  });

  it('ends with the hours of its schedule', () => {
    const schedule = [{ days: [1], fromMinute: 0, toMinute: 11 }];
    expect(playRule('continuous-driving', every(10, 0, 700), { settings: { ...settings, schedule } })).toEqual([
      begun,
      '660 end, 11',
    ]);
  });
});
