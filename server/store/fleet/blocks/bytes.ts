// Numbers of variable length as bytes, and back. Reading throws CorruptBlock past the end, and nothing else.

export class CorruptBlock extends Error {
  override readonly name = 'CorruptBlock';
}

const MORE = 0x80;
/** Above this a number of variable length is no safe integer any more. */
const MAX_FACTOR = 2 ** 49;
const FLOAT_BYTES = 8;
const FIRST_CAPACITY = 4_096;

export class ByteWriter {
  #bytes = new Uint8Array(FIRST_CAPACITY);
  #length = 0;

  /** A whole number from 0 to Number.MAX_SAFE_INTEGER. */
  varint(value: number): void {
    this.#reserve(FLOAT_BYTES);
    let rest = value;
    while (rest >= MORE) {
      this.#bytes[this.#length++] = (rest % MORE) | MORE;
      rest = Math.floor(rest / MORE);
    }
    this.#bytes[this.#length++] = rest;
  }

  /** A whole number of either sign, at most 2^52 from 0: small ones of both signs are short. */
  signed(value: number): void {
    this.varint(value < 0 ? -2 * value - 1 : 2 * value);
  }

  float(value: number): void {
    this.#reserve(FLOAT_BYTES);
    new DataView(this.#bytes.buffer).setFloat64(this.#length, value);
    this.#length += FLOAT_BYTES;
  }

  /** Without their length. */
  bytes(value: Uint8Array): void {
    this.#reserve(value.length);
    this.#bytes.set(value, this.#length);
    this.#length += value.length;
  }

  text(value: string): void {
    const bytes = Buffer.from(value, 'utf8');
    this.varint(bytes.length);
    this.bytes(bytes);
  }

  /** What was written so far. */
  get written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #reserve(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

export class ByteReader {
  readonly #bytes: Uint8Array;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get remaining(): number {
    return this.#bytes.length - this.#offset;
  }

  varint(): number {
    let value = 0;
    for (let factor = 1; factor <= MAX_FACTOR; factor *= MORE) {
      const byte = this.#bytes[this.#offset++];
      if (byte === undefined) throw new CorruptBlock('it ends within a number');
      if (byte < MORE) return value + byte * factor;
      value += (byte - MORE) * factor;
    }
    throw new CorruptBlock('a number is too long');
  }

  /** A varint that may not be larger: how many of something follow. */
  count(most: number): number {
    const value = this.varint();
    if (value > most) throw new CorruptBlock(`${value} where at most ${most} can be`);
    return value;
  }

  signed(): number {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /**
   * What signed numbers add up to, as many as there is room for, over `scale`. A column has thousands of them, nearly all of one or two
   * bytes. `isTwice`: they are differences of differences.
   */
  sums(values: Float64Array, { isTwice, scale }: { readonly isTwice: boolean; readonly scale: number }): void {
    const bytes = this.#bytes;
    let offset = this.#offset;
    let difference = 0;
    let sum = 0;
    for (let at = 0; at < values.length; at++) {
      const first = bytes[offset] ?? MORE;
      const second = first < MORE ? 0 : (bytes[offset + 1] ?? MORE);
      let value: number;
      if (second < MORE) {
        offset += first < MORE ? 1 : 2;
        const both = (first & ~MORE) | (second << 7);
        value = (both & 1) === 0 ? both >> 1 : -((both + 1) >> 1);
      } else {
        this.#offset = offset;
        value = this.signed();
        offset = this.#offset;
      }
      difference = isTwice ? difference + value : value;
      sum += difference;
      values[at] = sum / scale;
    }
    this.#offset = offset;
  }

  /** Goes on behind so many numbers of variable length. */
  skip(count: number): void {
    const bytes = this.#bytes;
    let offset = this.#offset;
    for (let left = count; left > 0; offset++) {
      const byte = bytes[offset];
      if (byte === undefined) throw new CorruptBlock('it ends within a number');
      if (byte < MORE) left--;
    }
    this.#offset = offset;
  }

  float(): number {
    const bytes = this.bytes(FLOAT_BYTES);
    return new DataView(bytes.buffer, bytes.byteOffset, FLOAT_BYTES).getFloat64(0);
  }

  /** A view, not a copy. */
  bytes(count: number): Uint8Array {
    if (count > this.remaining) throw new CorruptBlock('it ends within a value');
    this.#offset += count;
    return this.#bytes.subarray(this.#offset - count, this.#offset);
  }

  text(): string {
    const bytes = this.bytes(this.count(this.remaining));
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  }
}
