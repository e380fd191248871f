// How a person has set up a table: remembered in the browser, for each user and table.
import { readStored, writeStored } from '../../i18n/browserStorage.ts';

export interface TableSetUp {
  /** Columns that were switched on or off; the others are as the page has them. */
  readonly shown: Readonly<Record<string, boolean>>;
  /** Widths in pixels of the columns that were drawn to one. */
  readonly widths: Readonly<Record<string, number>>;
  readonly pageSize: number;
}

export const PAGE_SIZES = [25, 50, 100] as const;
export const FIRST_SET_UP: TableSetUp = { shown: {}, widths: {}, pageSize: 50 };

export function readSetUp(username: string, table: string): TableSetUp {
  return parseSetUp(readStored(keyOf(username, table)));
}

export function writeSetUp(username: string, table: string, setUp: TableSetUp): void {
  writeStored(keyOf(username, table), JSON.stringify(setUp));
}

function keyOf(username: string, table: string): string {
  return `table:${table}:${username}`;
}

/** Total: what cannot be read, such as what an older version wrote there, gives the first set-up. */
export function parseSetUp(stored: string | null): TableSetUp {
  const fields = parse(stored);
  const pageSize = PAGE_SIZES.find((size) => size === fields.pageSize) ?? FIRST_SET_UP.pageSize;
  const isWidth = (value: unknown): value is number => typeof value === 'number' && value >= 20 && value <= 2_000;
  return {
    shown: entriesOf(fields.shown, (value): value is boolean => typeof value === 'boolean'),
    widths: entriesOf(fields.widths, isWidth),
    pageSize,
  };
}

function parse(stored: string | null): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(stored ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}

function entriesOf<Value>(value: unknown, is: (each: unknown) => each is Value): Readonly<Record<string, Value>> {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, Value] => is(entry[1])));
}
