import { describe, expect, it } from 'vitest';
import { every, playRule, START_MS, type Step } from '../playRules.ts';

const settings = { threshold: 10 };
const flow = (at: number, boarded: number, alighted: number): Step => ({
  at,
  kind: 'passengers',
  periodEndMs: START_MS + at * 1_000,
  boarded,
  alighted,
});

describe('too many passengers', () => {
  it.each<[string, readonly Step[], readonly string[]]>([
    ['not at the limit', [flow(0, 10, 0)], []],
    ['not where some alight first', [flow(0, 8, 0), flow(60, 4, 3)], []],
    ['above it', [flow(0, 8, 0), flow(60, 4, 0)], ['60 begin, 12 of 10, since 60']],
    [
      'until enough alight',
      [flow(0, 12, 0), flow(60, 3, 0), flow(120, 0, 5)],
      ['0 begin, 12 of 10, since 0', '120 end, 15'],
    ],
    ['as if nobody were on board where more alight than boarded', [flow(0, 2, 9), flow(60, 10, 0)], []],
    ['not by a report that comes twice', [flow(0, 8, 0), flow(0, 8, 0)], []],
    ['not by impossible counts', [flow(0, 65_535, 0), flow(1, -20, 0), flow(2, 2.5, 0), flow(3, Number.NaN, 0)], []],
  ])('is raised %s', (_when, steps, expected) => {
    expect(playRule('passenger-overload', steps, { settings })).toEqual(expected);
  });

  it('is counted anew when the ignition is switched off', () => {
    const steps: Step[] = [{ at: 0 }, flow(10, 12, 0), { at: 20, ignitionOn: false }, flow(30, 8, 0)];
    expect(playRule('passenger-overload', steps, { settings })).toEqual(['10 begin, 12 of 10, since 10', '20 end, 12']);
  });

  it('counts those who board before the ignition is switched on', () => {
    const steps: Step[] = [
      { at: 0, ignitionOn: false },
      flow(10, 12, 0),
      { at: 20, ignitionOn: false },
      { at: 30, ignitionOn: true },
    ];
    expect(playRule('passenger-overload', steps, { settings })).toEqual(['10 begin, 12 of 10, since 10']);
  });

  it('ends, and is counted anew, after half an hour without a report', () => {
    const steps: Step[] = [...every(60, 0, 120), flow(130, 12, 0), { at: 4_000 }, flow(4_010, 8, 0)];
    expect(playRule('passenger-overload', steps, { settings })).toEqual([
      '130 begin, 12 of 10, since 130',
      '1930 end, 12, since 130',
    ]);
  });
});
