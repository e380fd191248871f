// What the calls that list records say: a page of rows by its number, or by a place in the list.
import * as Type from 'typebox/type';
import { Count, Flag, Nullable, Text } from './records.ts';

/** Rows of one answer at most. */
export const MAX_LIST_ROWS = 100;
/** Longer lists are not counted to their end. */
export const MAX_EXACT_TOTAL = 10_000;
/** Rows further on are reached by cursors. */
export const MAX_LIST_OFFSET = 100_000;
export const MAX_SEARCH_LENGTH = 200;

/** A page of a list whose rows have this schema. */
export function ListPageOf<Row extends Type.TSchema>(row: Row) {
  return Type.Object({
    /** All that the filter says, not only this page; MAX_EXACT_TOTAL where there are more. */
    total: Count,
    hasMoreThanTotal: Flag,
    rows: Type.Array(row),
    /** Where the list goes on behind these rows, for `after`; null at its end. */
    next: Nullable(Text),
    /** Where it goes on before them, for `before`; null at its beginning. */
    previous: Nullable(Text),
  });
}

/** Where a browser downloads a list from, once and at once. */
export const DownloadAddress = Type.Object({ address: Text });
export const DOWNLOAD_PATH = '/api/download';
