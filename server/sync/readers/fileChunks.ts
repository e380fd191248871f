// Reads a file from its beginning to its end, in chunks.
import type { FileHandle } from 'node:fs/promises';

const CHUNK_BYTES = 256 * 1024;

/** Each chunk is a buffer of its own, which the consumer may keep. */
export async function* fileChunks(file: FileHandle, offset: number): AsyncGenerator<Uint8Array> {
  for (let at = offset; ; ) {
    const chunk = await readAt(file, at, CHUNK_BYTES);
    if (chunk.byteLength === 0) return;
    at += chunk.byteLength;
    yield chunk;
  }
}

/** Fewer bytes where the file ends. */
export async function readAt(
  file: Pick<FileHandle, 'read'>,
  position: number,
  bytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const target = new Uint8Array(bytes);
  let filled = 0;
  while (filled < bytes) {
    const { bytesRead } = await file.read(target, filled, bytes - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return target.subarray(0, filled);
}
