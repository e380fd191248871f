// What `npm run test:mutants -- ...` takes.
import { readArguments } from '../../server/commands/readArguments.ts';
import { LAYERS, type MutantChoice } from './mutant.ts';

export type MutantRequest =
  | { readonly kind: 'run'; readonly choice: MutantChoice }
  | { readonly kind: 'list' | 'help' }
  | { readonly kind: 'wrong'; readonly reason: string };

const OPTIONS = {
  name: { type: 'string' },
  layer: { type: 'string' },
  list: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

export function readMutantOptions(args: readonly string[]): MutantRequest {
  const wrong = (reason: string): MutantRequest => ({ kind: 'wrong', reason: `${reason} --help says what there is.` });
  const arguments_ = readArguments({ args: [...args], options: OPTIONS });
  if (!arguments_.ok) return wrong(arguments_.reason);
  const { name = '', layer: layerName, list, help } = arguments_.read.values;
  if (help === true) return { kind: 'help' };
  if (list === true) return { kind: 'list' };
  const layer = LAYERS.find((each) => each === layerName);
  if (layerName !== undefined && layer === undefined) return wrong(`There is no layer "${layerName}".`);
  return { kind: 'run', choice: { namePart: name, layer } };
}

/** What `--help` prints. */
export const MUTANTS_USAGE = [
  'Usage: npm run test:mutants -- [option]',
  '',
  'Plants faults in a copy of the code, one at a time, and shows that the tests of their subject find each of them.',
  '',
  '  --name TEXT    only those whose names contain the text',
  `  --layer NAME   only those that the tests of one layer find: ${LAYERS.join(', ')}`,
  '  --list         prints all of them as the table of docs/testing.md has them',
  '',
].join('\n');
