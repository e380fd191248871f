// The hash of a large file. The file is read in pieces, so that whatever else the thread has to do comes in between.
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';

/** Hashed in about a quarter of a millisecond. */
const PIECE_BYTES = 256 * 1024;

export interface HashedFile {
  /** In hex. */
  readonly sha256: string;
  readonly bytes: number;
}

/** Undefined for a file that isn't there. */
export async function sha256OfFile(path: string): Promise<HashedFile | undefined> {
  const handle = await open(path, 'r').catch(undefinedIfMissing);
  if (handle === undefined) return undefined;
  try {
    const hash = createHash('sha256');
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    for (let bytes = 0; ; ) {
      const { bytesRead } = await handle.read(piece, 0, PIECE_BYTES, bytes);
      if (bytesRead === 0) return { sha256: hash.digest('hex'), bytes };
      hash.update(piece.subarray(0, bytesRead));
      bytes += bytesRead;
    }
  } finally {
    await handle.close();
  }
}

export function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}
