// The units of an archive's body after decompression: frames of a type, a length and their bytes.
import { MAX_FRAME_BYTES } from './bounds.ts';
import type { ByteReader } from './byteReader.ts';
import { ArchiveFault } from './faults.ts';

export const FrameType = { Table: 1, Rows: 2, TableEnd: 3, File: 4, FileBytes: 5, FileEnd: 6, Manifest: 7 } as const;
export type FrameType = (typeof FrameType)[keyof typeof FrameType];

const HEADER_BYTES = 5;
const TYPES: ReadonlySet<number> = new Set(Object.values(FrameType));

export interface Frame {
  readonly type: FrameType;
  readonly bytes: Buffer;
}

export function encodeFrame(type: FrameType, ...parts: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header[0] = type;
  header.writeUInt32BE(
    parts.reduce((sum, part) => sum + part.length, 0),
    1,
  );
  return Buffer.concat([header, ...parts]);
}

/** Undefined at the end. A frame that is too large is refused before any of it is held. */
export async function readFrame(reader: ByteReader): Promise<Frame | undefined> {
  if (await reader.isAtEnd()) return undefined;
  const header = await reader.take(HEADER_BYTES);
  const [type, length] = [header[0], header.readUInt32BE(1)];
  if (type === undefined || !TYPES.has(type)) throw new ArchiveFault('damaged', `a frame of type ${type}`);
  if (length > MAX_FRAME_BYTES) throw new ArchiveFault('too-large', `a frame of ${length} bytes`);
  return { type: type as FrameType, bytes: await reader.take(length) };
}
