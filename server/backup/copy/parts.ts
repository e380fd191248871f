// How a backup is cut for its way into the bucket. Pure.
import type { Limit } from '../../limits/limit.ts';

/** Of which two are in memory at a time. A service takes no less than 5 MiB, but for the last. */
export const PART_BYTES = 16 * 1024 * 1024;
/** Parts of a copy: what S3 takes. */
export const COPY_PARTS_LIMIT: Limit = { name: 'backup.copy-parts', max: 10_000 };

/** Undefined: beyond the limit. */
export function countParts(bytes: number): number | undefined {
  const count = Math.max(1, Math.ceil(bytes / PART_BYTES));
  return count <= COPY_PARTS_LIMIT.max ? count : undefined;
}
