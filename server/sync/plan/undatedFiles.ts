// Determines where undated files of one upload begin. Pure.
import { CRUMB_MS } from './review.ts';

/** Length of a readable file. */
export interface FileLength {
  /** Whether its first picture has a date near the requested span. */
  readonly isDated: boolean;
  readonly lengthMs: number;
}

export type FilePlaces =
  /** Begins from the start of the requested span, in the files' order; a dated file contains its own place. */
  | { readonly kind: 'known'; readonly startsMs: readonly number[] }
  /** The undated files could be anywhere in the span. */
  | { readonly kind: 'unknown' };

/**
 * A single file is the requested span. Several follow one another if together they are as long as the span: shorter ones have gaps between
 * them that nobody knows, and with longer ones the first begins earlier. `askedMs` undefined: more was sent than these.
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
