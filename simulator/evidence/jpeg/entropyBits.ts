/** Bits of a JPEG scan, one behind another. A byte of ones gets a zero byte behind it, since it would begin a marker. */
export class EntropyBits {
  readonly #bytes: number[] = [];
  #pending = 0;
  #pendingBits = 0;

  /** The lowest bits of a number, at most 16. */
  write(value: number, bits: number): void {
    this.#pending = (this.#pending << bits) | (value & ((1 << bits) - 1));
    this.#pendingBits += bits;
    while (this.#pendingBits >= 8) {
      this.#pendingBits -= 8;
      this.#writeByte((this.#pending >>> this.#pendingBits) & 0xff);
    }
    this.#pending &= (1 << this.#pendingBits) - 1;
  }

  /** Filled up with ones. */
  finish(): readonly number[] {
    if (this.#pendingBits > 0) this.write(0xff, 8 - this.#pendingBits);
    return this.#bytes;
  }

  #writeByte(byte: number): void {
    this.#bytes.push(byte);
    if (byte === 0xff) this.#bytes.push(0);
  }
}
