import type { Variable } from './variable.ts';
import { type Config, conflictChecks, variables } from './variables.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export type ConfigRead =
  | { readonly ok: true; readonly config: Config }
  /** One line each, naming the variable and what it takes. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads all variables and complains of all that are wrong, not only of the first. An empty one counts as not set. */
export function readConfig(env: Environment): ConfigRead {
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [key, declared] of Object.entries(variables) as [string, Variable<unknown>][]) {
    const given = env[declared.name] ?? '';
    const read = declared.parser.read(given === '' ? declared.preset : given);
    if (read.ok) values[key] = read.value;
    else problems.push(complaint(declared, given));
  }
  if (problems.length > 0) return { ok: false, problems };
  const config = values as Config; // every key of the table was read by its own reader
  const conflicts = conflictChecks.flatMap((check) => check(config));
  return conflicts.length > 0 ? { ok: false, problems: conflicts } : { ok: true, config };
}

function complaint({ name, parser, secret }: Variable<unknown>, given: string): string {
  const shown = secret === true ? '' : `, not ${JSON.stringify(given.slice(0, 80))}`;
  return `${name} takes ${parser.description}${shown}`;
}
