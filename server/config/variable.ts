// What an area declares of each of its environment variables.
import type { ValueParser } from './valueParsers.ts';

export interface Variable<T> {
  readonly name: string;
  /** The text that stands for it when it is not set. */
  readonly preset: string;
  readonly parser: ValueParser<T>;
  readonly about: string;
  /** Never shown, not even in a complaint about its value. */
  readonly secret?: true;
}

export function variable<T>(declaration: Variable<T>): Variable<T> {
  return declaration;
}

/** The values that such declarations read. */
export type ValuesOf<Variables> = {
  readonly [Key in keyof Variables]: Variables[Key] extends Variable<infer T> ? T : never;
};
