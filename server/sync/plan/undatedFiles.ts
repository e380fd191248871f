// Where the files of one upload begin that do not say so. Pure.
import { CRUMB_MS } from './review.ts';

/** Of a file that can be read. */
export interface FileLength {
  /** Its first picture has a date near what was asked for. */
  readonly isDated: boolean;
  readonly lengthMs: number;
}

export type FilePlaces =
  /** From the beginning of what was asked for, in the files' order; a dated one says by itself where it belongs. */
  | { readonly kind: 'known'; readonly startsMs: readonly number[] }
  /** Those without a date could be anywhere in it. */
  | { readonly kind: 'unknown' };

/**
 * One file alone is what was asked for. Several follow one another when together they are as long as that: files that are
 * shorter have gaps between them that nobody knows, and with longer ones the first begins before. Undefined: more was sent
 * than these.
 */
export function placesOf(files: readonly FileLength[], askedMs: number | undefined): FilePlaces {
  if (files.every(({ isDated }) => isDated)) return { kind: 'known', startsMs: files.map(() => 0) };
  if (askedMs === undefined) return { kind: 'unknown' };
  if (files.length === 1) return { kind: 'known', startsMs: [0] };
  if (files.some(({ isDated }) => isDated)) return { kind: 'unknown' };
  const startsMs: number[] = [];
  let endMs = 0;
  for (const { lengthMs } of files) {
    startsMs.push(endMs);
    endMs += lengthMs;
  }
  return Math.abs(endMs - askedMs) < CRUMB_MS ? { kind: 'known', startsMs } : { kind: 'unknown' };
}
