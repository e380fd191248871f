// Bounds on what an archive may hold, which anybody may have written. A writer holds to them too.
import type { Limit } from '../../limits/limit.ts';

export const HEAD_LIMIT: Limit = { name: 'backup.head.bytes', max: 16 * 1024 };
export const MANIFEST_LIMIT: Limit = { name: 'backup.manifest.bytes', max: 4 * 1024 * 1024 };
export const TABLES_LIMIT: Limit = { name: 'backup.tables', max: 500 };
export const COLUMNS_LIMIT: Limit = { name: 'backup.columns.table', max: 200 };
/** Rows of a table that gateways hold as a whole. */
export const LISTED_ROWS_LIMIT: Limit = { name: 'backup.listed-rows.table', max: 200_000 };
/** A row is held as a whole, a few times over, while it is read. */
export const ROW_LIMIT: Limit = { name: 'backup.row.bytes', max: 16 * 1024 * 1024 };
/**
 * How many times as large as the compressed bytes the rows may be, once they are beyond `EXPANSION_FREE_BYTES`. What we write reaches
 * 230 at the most, with nothing but one letter; other levels of the compression reach a thousand.
 */
export const EXPANSION_LIMIT: Limit = { name: 'backup.expansion', max: 500 };

/** A small archive of one row that is repeated is no attack. */
export const EXPANSION_FREE_BYTES = 256 * 1024 * 1024;
/** Rows are cut into parts of about this size. */
export const PART_BYTES = 256 * 1024;
/** The largest unit that is held: a part that was nearly full, and a row. */
export const MAX_FRAME_BYTES = ROW_LIMIT.max + 2 * PART_BYTES;
/** Longest name of a table or column on PostgreSQL. */
export const MAX_NAME = 63;
