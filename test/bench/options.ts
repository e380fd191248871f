// What `npm run bench -- ...` takes.
import { parseArgs } from 'node:util';

export interface BenchOptions {
  /** Names of benches; all of them when there are none. */
  readonly names: readonly string[];
  readonly channels: readonly number[] | undefined;
  readonly seconds: number | undefined;
  readonly repetitions: number | undefined;
  readonly minutes: number | undefined;
  readonly devices: number | undefined;
}

/** Throws on an option that there is not, or that is no number. */
export function readBenchOptions(args: readonly string[]): BenchOptions {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { channels: text, seconds: text, repetitions: text, minutes: text, devices: text },
  });
  return {
    names: positionals,
    channels: values.channels?.split(',').map((part) => positive('channels', part)),
    seconds: optional('seconds', values.seconds),
    repetitions: optional('repetitions', values.repetitions),
    minutes: optional('minutes', values.minutes),
    devices: optional('devices', values.devices),
  };
}

function optional(name: string, value: string | undefined): number | undefined {
  return value === undefined ? undefined : positive(name, value);
}

function positive(name: string, value: string): number {
  const number = Number(value);
  if (!(number > 0)) throw new Error(`--${name} takes numbers above 0, not "${value}"`);
  return number;
}
