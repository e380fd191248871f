// Reads a backup part by part and hashes it on the way.
import { createHash, type Hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { UploadPart } from './bucket/bucket.ts';
import { PART_BYTES } from './parts.ts';

/** Bytes that are hashed at a time: this takes a millisecond of the main thread. */
const CHUNK_BYTES = 262_144;

export class PartReader {
  readonly #handle: FileHandle;
  readonly #bytes: number;
  readonly #whole: Hash = createHash('sha256');
  #offset = 0;
  #count = 0;
  /** Parts are read one at a time, whoever asks: the hash of the whole depends on their order. */
  #turn: Promise<unknown> = Promise.resolve();

  /** `bytes`: expected size of the file. It is closed by whoever opened it. */
  constructor(handle: FileHandle, bytes: number) {
    this.#handle = handle;
    this.#bytes = bytes;
  }

  /** Undefined after the last part. */
  next(): Promise<UploadPart | undefined> {
    const part = this.#turn.then(() => this.#read());
    this.#turn = part.catch(() => undefined);
    return part;
  }

  /** Hash of everything that was read, in hex; to be called once. */
  sha256(): string {
    return this.#whole.digest('hex');
  }

  async #read(): Promise<UploadPart | undefined> {
    const size = Math.min(PART_BYTES, this.#bytes - this.#offset);
    if (size <= 0) return undefined;
    const body = Buffer.allocUnsafeSlow(size);
    const hash = createHash('sha256');
    let filled = 0;
    while (filled < size) {
      const wanted = Math.min(CHUNK_BYTES, size - filled);
      const { bytesRead } = await this.#handle.read(body, filled, wanted, this.#offset + filled);
      // The file is shorter than it was: the hash of the whole will show it.
      if (bytesRead === 0) break;
      const chunk = body.subarray(filled, filled + bytesRead);
      hash.update(chunk);
      this.#whole.update(chunk);
      filled += bytesRead;
    }
    this.#offset += size;
    return { number: ++this.#count, body: body.subarray(0, filled), sha256: hash.digest('hex') };
  }
}
