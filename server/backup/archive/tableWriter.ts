// The frames of one table: its beginning, its rows as lines, its end.
import { createHash } from 'node:crypto';
import type { RowFilter, Snapshot, TableShape } from '../../store/backup/snapshot.ts';
import { PART_BYTES, ROW_LIMIT } from './bounds.ts';
import { ArchiveFault } from './faults.ts';
import { encodeFrame, FrameType } from './frames.ts';
import type { TableEntry, TableHeader } from './manifest.ts';

export interface TableWork {
  readonly snapshot: Snapshot;
  readonly table: TableShape;
  readonly kept: RowFilter;
  /** Called after each part, with the rows and bytes in it; may throw. */
  readonly onPart: (rows: number, bytes: number) => void | Promise<void>;
}

/** Returns the manifest's entry of the table. */
export async function* tableFrames(work: TableWork): AsyncGenerator<Buffer, TableEntry> {
  const { snapshot, table, onPart } = work;
  const lastSerial = await snapshot.lastSerial(table);
  const header: TableHeader = { name: table.name, columns: [...table.columns], lastSerial };
  yield encodeFrame(FrameType.Table, Buffer.from(JSON.stringify(header)));
  const hash = createHash('sha256');
  let [rows, bytes] = [0, 0];
  for await (const part of linesOf(work)) {
    hash.update(part.lines);
    rows += part.rows;
    bytes += part.lines.length;
    yield encodeFrame(FrameType.Rows, part.lines);
    await onPart(part.rows, part.lines.length);
  }
  yield encodeFrame(FrameType.TableEnd);
  return { ...header, rows, bytes, sha256: hash.digest('hex') };
}

interface Lines {
  readonly rows: number;
  readonly lines: Buffer;
}

async function* linesOf({ snapshot, table, kept }: TableWork): AsyncGenerator<Lines> {
  let [text, rows] = ['', 0];
  for await (const batch of snapshot.rows(table, kept)) {
    for (const row of batch) {
      const line = JSON.stringify(row);
      // A character takes up to three bytes; most take one.
      if (line.length * 3 > ROW_LIMIT.max && Buffer.byteLength(line) >= ROW_LIMIT.max) {
        throw new ArchiveFault('too-large', `a row of ${table.name} has ${Buffer.byteLength(line)} bytes`);
      }
      text += `${line}\n`;
      rows++;
      if (text.length < PART_BYTES) continue;
      yield { rows, lines: Buffer.from(text) };
      [text, rows] = ['', 0];
    }
  }
  if (rows > 0) yield { rows, lines: Buffer.from(text) };
}
