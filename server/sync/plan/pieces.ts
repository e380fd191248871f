// Divides files of a device into items that are fetched one by one. Pure.
import type { DeviceFile } from './files.ts';

/** A connection that breaks off costs no more than one item. */
export const LONGEST_ITEM_MS = 10 * 60_000;

/**
 * Cuts files that are longer than the longest item, and joins none: if a device uploads several files for one item, those without dates
 * can't be told apart in time. The files are in order and apart.
 */
export function piecesOf(files: readonly DeviceFile[], longestMs = LONGEST_ITEM_MS): DeviceFile[] {
  return files.flatMap((file) => cut(file, longestMs));
}

/** Cuts a file into parts of equal length. */
function cut(file: DeviceFile, longestMs: number): DeviceFile[] {
  const lengthMs = file.toMs - file.fromMs;
  const count = Math.ceil(lengthMs / longestMs);
  const edge = (at: number): number => file.fromMs + Math.round((lengthMs * at) / count);
  return Array.from({ length: count }, (_, at) => ({
    ...file,
    fromMs: edge(at),
    toMs: edge(at + 1),
    bytes: Math.round(file.bytes / count),
  }));
}
