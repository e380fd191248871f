// Where the bytes of a long message come from: they are read as they are sent, and never held whole.
import { MAX_BODY_BYTES } from '../codec/header.ts';

export interface PackageSource {
  readonly bytes: number;
  /** As many bytes as were asked for; fewer where the source has become shorter. Rejects when it can't be read. */
  read(offset: number, length: number): Promise<Uint8Array>;
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
    read: async (offset, length) => {
      const ofHead = head.subarray(offset, offset + length);
      const wanted = length - ofHead.length;
      if (wanted <= 0) return ofHead;
      const rest = await source.read(Math.max(0, offset - head.length), wanted);
      return ofHead.length === 0 ? rest : Buffer.concat([ofHead, rest]);
    },
  };
}

/** Reads packages by their numbers. Holds one block. */
export class PackageReader {
  readonly #source: PackageSource;
  #block: { readonly offset: number; readonly bytes: Uint8Array } | undefined;

  constructor(source: PackageSource) {
    this.#source = source;
  }

  /** Undefined where the source is shorter than it was. Rejects when it can't be read. */
  async read(number: number): Promise<Uint8Array | undefined> {
    const offset = (number - 1) * MAX_BODY_BYTES;
    const length = Math.min(MAX_BODY_BYTES, this.#source.bytes - offset);
    const known = this.#within(offset, length);
    if (known !== undefined) return known;
    const bytes = await this.#source.read(offset, Math.min(BLOCK_BYTES, this.#source.bytes - offset));
    this.#block = { offset, bytes };
    return this.#within(offset, length);
  }

  #within(offset: number, length: number): Uint8Array | undefined {
    if (this.#block === undefined) return undefined;
    const from = offset - this.#block.offset;
    const isHeld = from >= 0 && from + length <= this.#block.bytes.length;
    return isHeld ? this.#block.bytes.subarray(from, from + length) : undefined;
  }
}
