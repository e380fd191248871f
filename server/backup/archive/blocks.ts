// The body of an archive in blocks, each with a mark that proves its bytes, its place and whether it is the last.
//
// If the archive is encrypted, the mark is the tag of AES-256-GCM; the nonce is a random prefix, the block's number and the last flag (the
// STREAM construction of Hoang, Reyhanitabar, Rogaway and Vizár), so that no block can be changed, moved, repeated or left out. Without a
// key the mark is the first half of a SHA-256 over the same data: it detects every accident, but no forgery.
import { createCipheriv, createDecipheriv } from 'node:crypto';
import { ArchiveFault } from './faults.ts';
import { sha256 } from './head.ts';

/** Bytes of the body that are compressed into a block: enough that starting over costs neither measurable time nor size. */
export const PIECE_BYTES = 1024 * 1024;
/** Incompressible data grows by less than a hundredth. */
const MAX_BLOCK_BYTES = PIECE_BYTES + 64 * 1024;
export const MARK_BYTES = 16;
/** Length of the block, with the top bit set in the last one. */
export const BLOCK_HEADER_BYTES = 4;
const LAST = 0x8000_0000;
/** The nonce has 32 bits for the number. */
const MAX_BLOCKS = 2 ** 32 - 1;

export interface BlockCipher {
  /** Undefined: not encrypted. */
  readonly key: Buffer | undefined;
  /** 7 bytes; empty where nothing is encrypted. */
  readonly noncePrefix: Buffer;
  /** All bytes before the first block, to which each block is bound. */
  readonly head: Buffer;
}

export interface BlockHeader {
  readonly length: number;
  readonly isLast: boolean;
}

export class BlockSealer {
  readonly #cipher: BlockCipher;
  readonly #headHash: Buffer;
  #count = 0;

  constructor(cipher: BlockCipher) {
    this.#cipher = cipher;
    this.#headHash = sha256(cipher.head);
  }

  /** Returns header, bytes, mark. */
  seal(bytes: Buffer, isLast: boolean): Buffer {
    const header = Buffer.alloc(BLOCK_HEADER_BYTES);
    header.writeUInt32BE((bytes.length + (isLast ? LAST : 0)) >>> 0);
    const { key } = this.#cipher;
    const place = placeOf(this.#count, isLast);
    this.#count++;
    if (this.#count > MAX_BLOCKS) throw new ArchiveFault('too-large', 'more blocks than a nonce can number');
    if (key === undefined) return Buffer.concat([header, bytes, markOf(this.#headHash, place, header, bytes)]);
    const cipher = createCipheriv('aes-256-gcm', key, Buffer.concat([this.#cipher.noncePrefix, place]));
    cipher.setAAD(Buffer.concat([this.#headHash, header]));
    return Buffer.concat([header, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  }
}

export class BlockOpener {
  readonly #cipher: BlockCipher;
  readonly #headHash: Buffer;
  #count = 0;

  constructor(cipher: BlockCipher) {
    this.#cipher = cipher;
    this.#headHash = sha256(cipher.head);
  }

  /** `sealed`: bytes and mark. */
  open(header: Buffer, sealed: Buffer): Buffer {
    const [bytes, mark] = [sealed.subarray(0, -MARK_BYTES), sealed.subarray(-MARK_BYTES)];
    const place = placeOf(this.#count, readBlockHeader(header).isLast);
    this.#count++;
    const { key } = this.#cipher;
    if (key === undefined) {
      if (!markOf(this.#headHash, place, header, bytes).equals(mark)) throw this.#damaged();
      return bytes;
    }
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.concat([this.#cipher.noncePrefix, place]));
    decipher.setAAD(Buffer.concat([this.#headHash, header]));
    decipher.setAuthTag(mark);
    try {
      return Buffer.concat([decipher.update(bytes), decipher.final()]);
    } catch {
      throw this.#damaged();
    }
  }

  #damaged(): ArchiveFault {
    return new ArchiveFault('damaged', `block ${this.#count} is not as it was written`);
  }
}

export function readBlockHeader(header: Buffer): BlockHeader {
  const number = header.readUInt32BE();
  const length = number % LAST;
  if (length > MAX_BLOCK_BYTES) throw new ArchiveFault('damaged', `a block of ${length} bytes`);
  return { length, isLast: number >= LAST };
}

function placeOf(index: number, isLast: boolean): Buffer {
  const place = Buffer.alloc(5);
  place.writeUInt32BE(index);
  place[4] = isLast ? 1 : 0;
  return place;
}

function markOf(...parts: readonly Buffer[]): Buffer {
  return sha256(...parts).subarray(0, MARK_BYTES);
}
