// Divides a backup into parts for its copy. Pure.
import type { Limit } from '../../limits/limit.ts';

/** Size of a part; two are in memory at a time. A service accepts no part below 5 MiB, except for the last. */
export const PART_BYTES = 16 * 1024 * 1024;
/** Parts of 16 MiB that a backup is copied in: the maximum of S3. A larger backup isn't copied, and its copy fails with `too-large`. */
export const COPY_PARTS_LIMIT: Limit = { name: 'backup.copy-parts', max: 10_000 };

/** Undefined: beyond the limit. */
export function countParts(bytes: number): number | undefined {
  const count = Math.max(1, Math.ceil(bytes / PART_BYTES));
  return count <= COPY_PARTS_LIMIT.max ? count : undefined;
}
