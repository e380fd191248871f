// Where the bytes of a long message come from: they are read as they are sent, and never held whole.
import { MAX_BODY_BYTES } from '../codec/header.ts';

export interface PackageSource {
  readonly bytes: number;
  /** Fills the bytes from that offset on, and gives how many: fewer where the source has become shorter. Rejects when it can't be read. */
  read(offset: number, into: Uint8Array): Promise<number>;
}

/** What is read at once: packages go out one after the other, and a read for each would cost more than sending it. */
const BLOCK_BYTES = 16 * MAX_BODY_BYTES;

export function packagesOf(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / MAX_BODY_BYTES));
}

/** Fields of a message that precede the source's bytes. */
export function withHead(head: Uint8Array, source: PackageSource): PackageSource {
  return {
    bytes: head.length + source.bytes,
    read: async (offset, into) => {
      const ofHead = head.subarray(offset, offset + into.length);
      into.set(ofHead);
      if (ofHead.length === into.length) return into.length;
      return ofHead.length + (await source.read(Math.max(0, offset - head.length), into.subarray(ofHead.length)));
    },
  };
}

/** Reads packages by their numbers. Holds one block, which all of them are read into. */
export class PackageReader {
  readonly #source: PackageSource;
  readonly #block: Uint8Array;
  #offset = 0;
  #filled = 0;

  constructor(source: PackageSource) {
    this.#source = source;
    this.#block = new Uint8Array(Math.min(BLOCK_BYTES, source.bytes));
  }

  /**
   * The bytes are good until the next read, and one is made at a time. Undefined where the source is shorter than it was. Rejects when
   * it can't be read.
   */
  async read(number: number): Promise<Uint8Array | undefined> {
    const offset = (number - 1) * MAX_BODY_BYTES;
    const length = Math.min(MAX_BODY_BYTES, this.#source.bytes - offset);
    const known = this.#within(offset, length);
    if (known !== undefined) return known;
    this.#filled = 0;
    const filled = await this.#source.read(offset, this.#block.subarray(0, this.#source.bytes - offset));
    this.#offset = offset;
    this.#filled = filled;
    return this.#within(offset, length);
  }

  #within(offset: number, length: number): Uint8Array | undefined {
    const from = offset - this.#offset;
    const isHeld = from >= 0 && from + length <= this.#filled;
    return isHeld ? this.#block.subarray(from, from + length) : undefined;
  }
}
