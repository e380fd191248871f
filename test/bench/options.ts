// What `npm run bench -- ...` takes.
import { readArguments } from '../../server/commands/readArguments.ts';

export interface BenchOptions {
  /** Names of benches; all of them when there are none. */
  readonly names: readonly string[];
  readonly channels: readonly number[] | undefined;
  readonly seconds: number | undefined;
  readonly repetitions: number | undefined;
  readonly minutes: number | undefined;
  readonly devices: number | undefined;
  readonly events: number | undefined;
}

export type BenchRequest =
  | { readonly kind: 'run'; readonly options: BenchOptions }
  | { readonly kind: 'help' }
  | { readonly kind: 'wrong'; readonly reason: string };

const NUMBERS = ['seconds', 'repetitions', 'minutes', 'devices', 'events'] as const;
const text = { type: 'string' } as const;
const OPTIONS = {
  channels: text,
  seconds: text,
  repetitions: text,
  minutes: text,
  devices: text,
  events: text,
  help: { type: 'boolean', short: 'h' },
} as const;

/** `known` are the names of the benches. */
export function readBenchOptions(args: readonly string[], known: readonly string[]): BenchRequest {
  const wrong = (reason: string): BenchRequest => ({ kind: 'wrong', reason: `${reason} ${partsText(known)}` });
  const arguments_ = readArguments({ args: [...args], allowPositionals: true, options: OPTIONS });
  if (!arguments_.ok) return wrong(arguments_.reason);
  const { values, positionals } = arguments_.read;
  if (values.help === true) return { kind: 'help' };
  const stranger = positionals.find((name) => !known.includes(name));
  if (stranger !== undefined) return wrong(`There is no part "${stranger}".`);
  const channels = values.channels?.split(',').map(Number);
  if (channels?.every(isPositive) === false) return wrong(numberText('channels', values.channels));
  const numbers: Partial<Record<(typeof NUMBERS)[number], number>> = {};
  for (const name of NUMBERS) {
    const given = values[name];
    if (given === undefined) continue;
    if (!isPositive(Number(given))) return wrong(numberText(name, given));
    numbers[name] = Number(given);
  }
  const { seconds, repetitions, minutes, devices, events } = numbers;
  return { kind: 'run', options: { names: positionals, channels, seconds, repetitions, minutes, devices, events } };
}

/** What `--help` prints. */
export function benchUsage(known: readonly string[]): string {
  return [
    'Usage: npm run bench -- [part ...] [option ...]',
    '',
    `Parts: ${known.join(', ')}. Without any, all but soak.`,
    '',
    '  --channels 1,4,8   channels side by side (player)',
    '  --seconds N        how long each is measured (player, terminals, rules, dashboard, alarm, outbox, positions, track, reports, netflow, backup)',
    '  --repetitions N    how often each player is measured (player)',
    '  --devices N        simulated terminals (terminals, rules, alarm, outbox), devices (dashboard, netflow), vehicles (reports)',
    '  --events N         stored events that pages are read from (events), are backed up (backup), or that messages tell of (outbox); stored positions (positions)',
    '  --minutes N        how long it runs (soak)',
    '',
    'The figures are printed and written to test/output/bench.json; docs/bench.md says how they are taken.',
    '',
  ].join('\n');
}

function partsText(known: readonly string[]): string {
  return `The parts are ${known.join(', ')}; \`npm run bench -- --help\` says more.`;
}

function numberText(name: string, given: string | undefined): string {
  return `--${name} takes numbers above 0, not "${given}".`;
}

function isPositive(value: number): boolean {
  return value > 0 && Number.isFinite(value);
}
