// What every call that lists records takes: a page, an order, words to search for.
import { Type } from 'typebox';
import type { Limit } from '../../limits/limit.ts';

/** Rows of one answer. */
export const LIST_ROWS_LIMIT: Limit = { name: 'http.list.rows', max: 100 };
const Digits = Type.String({ pattern: '^\\d{1,9}$' });

/** Fields of a list's query; an unknown column to sort by is refused by the schema. */
export function listQueryFields<Column extends string>(columns: readonly Column[]) {
  return {
    offset: Type.Optional(Digits),
    limit: Type.Optional(Type.String({ pattern: '^([1-9]\\d?|100)$' })),
    sort: Type.Optional(Type.Enum(columns as readonly [Column, ...Column[]])),
    descending: Type.Optional(Type.Enum(['0', '1'])),
    search: Type.Optional(Type.String({ maxLength: 200 })),
  };
}

interface Given {
  readonly offset?: string;
  readonly limit?: string;
}

export function pageOf({ offset, limit }: Given): { readonly offset: number; readonly limit: number } {
  return { offset: Number(offset ?? 0), limit: Number(limit ?? LIST_ROWS_LIMIT.max) };
}
