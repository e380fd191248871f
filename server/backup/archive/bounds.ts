// Limits on the contents of an archive, which anybody may have written. Writers keep them too.
import type { Limit } from '../../limits/limit.ts';

/** Size of a backup's head. The backup is refused as too large. */
export const HEAD_LIMIT: Limit = { name: 'backup.head.bytes', max: 16 * 1024 };
/** Size of a backup's manifest. The backup is refused as too large. */
export const MANIFEST_LIMIT: Limit = { name: 'backup.manifest.bytes', max: 4 * 1024 * 1024 };
/** Tables in a backup. The backup is refused as too large. */
export const TABLES_LIMIT: Limit = { name: 'backup.tables', max: 500 };
/** Columns of a table in a backup. The backup is refused as too large. */
export const COLUMNS_LIMIT: Limit = { name: 'backup.columns.table', max: 200 };
/**
 * Rows of a table that a gateway holds in memory as a whole, such as devices, members and geofences. The backup is refused as too large.
 */
export const LISTED_ROWS_LIMIT: Limit = { name: 'backup.listed-rows.table', max: 200_000 };
/**
 * Size of a row in a backup, which is held as a whole, several times over, while it is read. The backup is refused as too large before the
 * row is held.
 */
export const ROW_LIMIT: Limit = { name: 'backup.row.bytes', max: 16 * 1024 * 1024 };
/**
 * Maximum ratio of the rows to the compressed bytes, once the rows are beyond 256 MiB (`EXPANSION_FREE_BYTES`). Archives of this program
 * reach 230 at most, with a single repeated letter; other compression levels reach a thousand. The backup is refused as too large.
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
