// The kinds of values that variables take: each says in words what it takes, and reads it.
import { utcDayMs } from '../../shared/protocol/utcDay.ts';

type ValueResult<T> = { readonly ok: true; readonly value: T } | { readonly ok: false };

export interface ValueParser<T> {
  /** Ends the sentence "PORT takes ...". */
  readonly description: string;
  /** What it takes, where that is one of a few words. */
  readonly choices?: readonly string[];
  read(text: string): ValueResult<T>;
}

const parsed = <T>(value: T): ValueResult<T> => ({ ok: true, value });
const refused = { ok: false } as const;

export function anyText(description: string): ValueParser<string> {
  return { description, read: parsed };
}

export function textOf(description: string, pattern: RegExp): ValueParser<string> {
  return { description, read: (text) => (pattern.test(text) ? parsed(text) : refused) };
}

export function oneOf<const Word extends string>(...choices: readonly Word[]): ValueParser<Word> {
  const shown = choices.map((choice) => (choice === '' ? 'nothing' : choice));
  return {
    description: `${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}`,
    choices,
    read: (text) => {
      const choice = choices.find((candidate) => candidate === text);
      return choice === undefined ? refused : parsed(choice);
    },
  };
}

export function integer(minimum: number, maximum: number): ValueParser<number> {
  return {
    description: `a whole number from ${minimum} to ${maximum}`,
    read: (text) => {
      if (!/^\d{1,15}$/.test(text)) return refused;
      const value = Number(text);
      return value >= minimum && value <= maximum ? parsed(value) : refused;
    },
  };
}

/** Undefined when the variable is not set. */
export function optional<T>(parser: ValueParser<T>): ValueParser<T | undefined> {
  return { description: parser.description, read: (text) => (text === '' ? parsed(undefined) : parser.read(text)) };
}

/** Words with commas or white space between them; empty is the empty list. */
export function listOf(description: string, pattern: RegExp): ValueParser<readonly string[]> {
  return {
    description,
    read: (text) => {
      const parts = text.split(/[\s,]+/).filter((part) => part !== '');
      return parts.every((part) => pattern.test(part)) ? parsed(parts) : refused;
    },
  };
}

/** Midnight UTC of a day, in milliseconds since the epoch; 0 when the variable is not set. */
export function day(description: string): ValueParser<number> {
  return {
    description,
    read: (text) => {
      if (text === '') return parsed(0);
      const atMs = utcDayMs(text);
      return atMs === undefined ? refused : parsed(atMs);
    },
  };
}

/** Inclusive. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** 0 stands for any free ports. */
export const PORT_RANGE: ValueParser<PortRange> = {
  description: 'two whole numbers from 1 to 65535 with a dash between them, or 0',
  read: (text) => {
    if (text === '0') return parsed({ first: 0, last: 0 });
    const [, first = 0, last = 0] = (/^(\d{1,5})-(\d{1,5})$/.exec(text) ?? []).map(Number);
    return first >= 1 && last >= first && last <= 65_535 ? parsed({ first, last }) : refused;
  },
};

export const PORT = integer(0, 65_535);
export const HOST_NAME = /^(?!-)[a-z\d.-]{1,253}$|^[\da-f:.]{2,45}$/i;
export const ORIGIN = /^https?:\/\/(?:\*\.)?[a-z\d.-]+(?::\d{1,5})?$|^https?:\/\/\[[\da-f:]+\](?::\d{1,5})?$/i;
