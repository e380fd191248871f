// Rows on their way from the thread of imports. As one message, the rows of a large file would hold the main thread for a second.
import { deserialize, serialize } from 'node:v8';
import type { YieldIfDue } from '../../http/devices/import/yielder.ts';

/** A few milliseconds' work for rows of devices; geofences are up to that size one by one. */
const PIECE_ROWS = 100;

export function packRows(rows: readonly unknown[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < rows.length; at += PIECE_ROWS) pieces.push(serialize(rows.slice(at, at + PIECE_ROWS)));
  return pieces;
}

/** `Row`: what the thread has packed. */
export async function unpackRows<Row>(pieces: readonly Uint8Array[], yieldIfDue: YieldIfDue): Promise<Row[]> {
  const rows: Row[] = [];
  for (const piece of pieces) {
    for (const row of deserialize(piece) as readonly Row[]) rows.push(row);
    const pause = yieldIfDue();
    if (pause !== undefined) await pause;
  }
  return rows;
}
