import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/** In memory at a time, and hashed within some milliseconds: the page stays alive. */
const PIECE_BYTES = 1_024 * 1_024;

/**
 * SHA-256 in hex; undefined when it was aborted. The browser's own hashing is missing on plain HTTP, and takes only what is in memory
 * as a whole.
 */
export async function hashOfBlob(blob: Blob, signal: AbortSignal): Promise<string | undefined> {
  const hash = sha256.create();
  for (let at = 0; at < blob.size; at += PIECE_BYTES) {
    if (signal.aborted) return undefined;
    hash.update(new Uint8Array(await blob.slice(at, at + PIECE_BYTES).arrayBuffer()));
  }
  return bytesToHex(hash.digest());
}
