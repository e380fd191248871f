// What may be told of a configuration to people outside of the installation.
import type { Variable } from './variable.ts';
import { type Config, variables } from './variables.ts';

/** A number, one of a few words; of any other text only whether it is there. */
export type OpenValue = number | string | boolean;

/** By the name of the variable. */
export function openValues(config: Config): Readonly<Record<string, OpenValue>> {
  const declared = Object.entries(variables) as [keyof Config, Variable<unknown>][];
  return Object.fromEntries(declared.map(([key, variable]) => [variable.name, openValue(config[key], variable)]));
}

function openValue(value: unknown, { parser, secret }: Variable<unknown>): OpenValue {
  if (secret !== true && typeof value === 'number') return value;
  if (secret !== true && typeof value === 'string' && parser.choices?.includes(value) === true) return value;
  return value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
}
