// Cursors: a place in a list, as a page receives it and returns it.
import type { SortValue } from '../../../store/engine/listPage.ts';
import { isStorable } from '../storableTexts.ts';

export interface ListOrder {
  readonly sort: string;
  readonly descending: boolean;
}

const MAX_VALUES = 4;
/** Longer than any value that a list is sorted by. */
export const MAX_CURSOR_LENGTH = 6_000;

/** Letters, digits, `-` and `_`. A place in one order is invalid in another. */
export function writeCursor({ sort, descending }: ListOrder, values: readonly SortValue[]): string {
  return Buffer.from(JSON.stringify([sort, descending ? 1 : 0, ...values])).toString('base64url');
}

/** Undefined for what is no cursor of this order. Which values its keys take is the list's matter. */
export function readCursor({ sort, descending }: ListOrder, cursor: string): readonly SortValue[] | undefined {
  const parts = parse(Buffer.from(cursor, 'base64url').toString());
  if (!Array.isArray(parts) || parts[0] !== sort || parts[1] !== (descending ? 1 : 0)) return undefined;
  const values: readonly unknown[] = parts.slice(2);
  if (values.length === 0 || values.length > MAX_VALUES) return undefined;
  return values.every(isValue) ? values : undefined;
}

function isValue(value: unknown): value is SortValue {
  return typeof value === 'string' ? isStorable(value) : Number.isSafeInteger(value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
