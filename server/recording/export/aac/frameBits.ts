/** A frame's bits, the highest first, in memory that every frame uses again. Nothing is allocated while writing. */
export class FrameBits {
  /** The frame's bytes from the first one to the last alignment. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly #view: DataView;
  /** Offset of the next whole word. */
  #at = 0;
  /** Bits that are in no byte yet, from the highest on, and how many more fit. */
  #word = 0;
  #free = 32;

  constructor(capacity: number) {
    // A word is written whole, however much of it is used.
    this.bytes = new Uint8Array(capacity + 4);
    this.#view = new DataView(this.bytes.buffer);
  }

  clear(): void {
    this.#at = 0;
    this.#word = 0;
    this.#free = 32;
  }

  /** The lowest `count` bits of the value: 1 to 32 of them. */
  bits(value: number, count: number): void {
    const bits = count === 32 ? value : value & ((1 << count) - 1);
    const over = count - this.#free;
    if (over < 0) {
      this.#free = -over;
      this.#word |= bits << this.#free;
      return;
    }
    this.#view.setUint32(this.#at, this.#word | (bits >>> over));
    this.#at += 4;
    this.#word = over === 0 ? 0 : bits << (32 - over);
    this.#free = 32 - over;
  }

  /** Writes zeros, so that the next bit begins a byte. Gives the number of bytes so far, which then are in `bytes`. */
  align(): number {
    this.#free -= this.#free & 7;
    const length = this.#at + (32 - this.#free) / 8;
    this.#view.setUint32(this.#at, this.#word);
    if (this.#free === 0) {
      this.#at += 4;
      this.#word = 0;
      this.#free = 32;
    }
    return length;
  }
}
