// Files of a device as items that are fetched one by one. Pure.
import type { DeviceFile } from './files.ts';

/** A connection that breaks off costs no more than one of them. */
export const LONGEST_ITEM_MS = 10 * 60_000;
/** Files of a device follow one another within this time. */
const JOIN_MS = 1_000;

/**
 * Joins files that follow one another, up to the longest item, and cuts longer ones: at the bounds of files where there are any, so
 * that a device need not open two files for one item. The files are in order and apart.
 */
export function piecesOf(files: readonly DeviceFile[], longestMs = LONGEST_ITEM_MS): DeviceFile[] {
  const pieces: DeviceFile[] = [];
  let open: DeviceFile | undefined;
  for (const file of files) {
    if (open !== undefined && follows(open, file) && file.toMs - open.fromMs <= longestMs) {
      open = { ...open, toMs: file.toMs, bytes: open.bytes + file.bytes };
      continue;
    }
    if (open !== undefined) pieces.push(...cut(open, longestMs));
    open = file;
  }
  if (open !== undefined) pieces.push(...cut(open, longestMs));
  return pieces;
}

function follows(before: DeviceFile, { fromMs, stream, offsetMs }: DeviceFile): boolean {
  const isNext = fromMs >= before.toMs && fromMs - before.toMs <= JOIN_MS;
  return isNext && stream === before.stream && offsetMs === before.offsetMs;
}

/** Into parts of the same length. */
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
