import { expect, it } from 'vitest';
import { LAYERS } from '../../mutants/mutant.ts';
import { MUTANTS_USAGE, readMutantOptions } from '../../mutants/options.ts';

it('the options choose faults by name and by layer', () => {
  expect(readMutantOptions([])).toEqual({ kind: 'run', choice: { namePart: '', layer: undefined } });
  expect(readMutantOptions(['--name', 'canvas', '--layer=dom'])).toEqual({
    kind: 'run',
    choice: { namePart: 'canvas', layer: 'dom' },
  });
});

it('the options ask for the table and for help, which names them all', () => {
  expect(readMutantOptions(['--list'])).toEqual({ kind: 'list' });
  expect(readMutantOptions(['--list', '-h'])).toEqual({ kind: 'help' });
  for (const word of ['--name', '--layer', '--list', ...LAYERS]) expect(MUTANTS_USAGE).toContain(word);
});

it.each([
  [['--nonsense'], "Unknown option '--nonsense'. --help says what there is."],
  [['--layer', 'rules'], 'There is no layer "rules". --help says what there is.'],
])('the options are wrong in %j', (args, reason) => {
  expect(readMutantOptions(args)).toEqual({ kind: 'wrong', reason });
});
