// The kinds of values that variables take: each says in words what it takes, and reads it.

export type Taken<T> = { readonly ok: true; readonly value: T } | { readonly ok: false };

export interface Takes<T> {
  /** Ends the sentence "PORT takes ...". */
  readonly words: string;
  read(text: string): Taken<T>;
}

const taken = <T>(value: T): Taken<T> => ({ ok: true, value });
const refused = { ok: false } as const;

export function anyText(words: string): Takes<string> {
  return { words, read: taken };
}

export function textOf(words: string, pattern: RegExp): Takes<string> {
  return { words, read: (text) => (pattern.test(text) ? taken(text) : refused) };
}

export function oneOf<const Word extends string>(...choices: readonly Word[]): Takes<Word> {
  const shown = choices.map((choice) => (choice === '' ? 'nothing' : choice));
  return {
    words: `${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}`,
    read: (text) => {
      const choice = choices.find((candidate) => candidate === text);
      return choice === undefined ? refused : taken(choice);
    },
  };
}

export function integer(minimum: number, maximum: number): Takes<number> {
  return {
    words: `a whole number from ${minimum} to ${maximum}`,
    read: (text) => {
      if (!/^\d{1,15}$/.test(text)) return refused;
      const value = Number(text);
      return value >= minimum && value <= maximum ? taken(value) : refused;
    },
  };
}

/** Undefined when the variable is not set. */
export function optional<T>(takes: Takes<T>): Takes<T | undefined> {
  return { words: takes.words, read: (text) => (text === '' ? taken(undefined) : takes.read(text)) };
}

/** Commas or white space between the words; empty is the empty list. */
export function listOf(words: string, pattern: RegExp): Takes<readonly string[]> {
  return {
    words,
    read: (text) => {
      const parts = text.split(/[\s,]+/).filter((part) => part !== '');
      return parts.every((part) => pattern.test(part)) ? taken(parts) : refused;
    },
  };
}

/** Midnight UTC of a day, in milliseconds since the epoch; 0 when the variable is not set. */
export function day(words: string): Takes<number> {
  return {
    words,
    read: (text) => {
      if (text === '') return taken(0);
      const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
      // A day past the month's end would roll over into the next month.
      return Number.isFinite(at) && new Date(at).toISOString().startsWith(text) ? taken(at) : refused;
    },
  };
}
