import { describe, expect, it } from 'vitest';
import { benchUsage, readBenchOptions } from '../../bench/options.ts';

const PARTS = ['player', 'relay'];
const ADVICE = 'The parts are player, relay; `npm run bench -- --help` says more.';
const read = (...args: string[]) => readBenchOptions(args, PARTS);
const NONE = {
  channels: undefined,
  seconds: undefined,
  repetitions: undefined,
  minutes: undefined,
  devices: undefined,
  events: undefined,
};

describe('the options of a bench', () => {
  it('name parts and figures', () => {
    expect(read()).toEqual({ kind: 'run', options: { ...NONE, names: [] } });
    expect(read('relay', '--channels', '1,8', '--seconds=2.5', 'player')).toEqual({
      kind: 'run',
      options: { ...NONE, names: ['relay', 'player'], channels: [1, 8], seconds: 2.5 },
    });
  });

  it('ask for help, and every part and option is in it', () => {
    expect(read('player', '--help')).toEqual({ kind: 'help' });
    for (const word of [...PARTS, ...Object.keys(NONE).map((name) => `--${name}`)])
      expect(benchUsage(PARTS)).toContain(word);
  });

  it.each([
    [['--nonsense'], "Unknown option '--nonsense'."],
    [['players'], 'There is no part "players".'],
    [['--seconds', 'abc'], '--seconds takes numbers above 0, not "abc".'],
    [['--devices', '0'], '--devices takes numbers above 0, not "0".'],
    [['--channels', '1,,8'], '--channels takes numbers above 0, not "1,,8".'],
    [['--minutes'], "Option '--minutes <value>' argument missing."],
  ])('are wrong in %j, which one line says with the parts that there are', (args, reason) => {
    expect(read(...args)).toEqual({ kind: 'wrong', reason: `${reason} ${ADVICE}` });
  });
});
