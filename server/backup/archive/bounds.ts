// Limits on the contents of an archive, which anybody may have written. Writers keep them too.
import type { Limit } from '../../limits/limit.ts';

export const HEAD_LIMIT: Limit = { name: 'backup.head.bytes', max: 16 * 1024 };
export const MANIFEST_LIMIT: Limit = { name: 'backup.manifest.bytes', max: 4 * 1024 * 1024 };
export const TABLES_LIMIT: Limit = { name: 'backup.tables', max: 500 };
export const COLUMNS_LIMIT: Limit = { name: 'backup.columns.table', max: 200 };
/** Rows of a table that gateways hold in memory as a whole. */
export const LISTED_ROWS_LIMIT: Limit = { name: 'backup.listed-rows.table', max: 200_000 };
/** A row is held as a whole, several times over, while it is read. */
export const ROW_LIMIT: Limit = { name: 'backup.row.bytes', max: 16 * 1024 * 1024 };
/**
 * Maximum ratio of the rows to the compressed bytes, once the rows are beyond `EXPANSION_FREE_BYTES`. Archives of this program reach 230 at
 * most, with a single repeated letter; other compression levels reach a thousand.
 */
export const EXPANSION_LIMIT: Limit = { name: 'backup.expansion', max: 500 };

/** A small archive with one repeated row is no attack. */
export const EXPANSION_FREE_BYTES = 256 * 1024 * 1024;
/** Rows are cut into parts of about this size. */
export const PART_BYTES = 256 * 1024;
/** Size of the largest unit that is held: a part that was nearly full, and a row. */
export const MAX_FRAME_BYTES = ROW_LIMIT.max + 2 * PART_BYTES;
/** Longest name of a table or column on PostgreSQL. */
export const MAX_NAME = 63;
