/**
 * Reads the bits of a NAL unit without its escapes, most significant first (ITU-T H.264 and H.265, 7.2 and 9.1 or 9.2). Reads
 * past the end give zeros and set `overrun`: who reads asks once, at the end.
 */
export class BitReader {
  readonly #bytes: Uint8Array;
  #at = 0;
  #overrun = false;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** In bits, from the first byte. */
  get position(): number {
    return this.#at;
  }

  get overrun(): boolean {
    return this.#overrun;
  }

  bit(): number {
    const byte = this.#bytes[this.#at >> 3];
    if (byte === undefined) {
      this.#overrun = true;
      return 0;
    }
    return (byte >> (7 - (this.#at++ & 7))) & 1;
  }

  flag(): boolean {
    return this.bit() === 1;
  }

  /** At most 32 bits, unsigned. */
  bits(count: number): number {
    let value = 0;
    for (let index = 0; index < count; index++) value = value * 2 + this.bit();
    return value;
  }

  skip(count: number): void {
    const end = this.#bytes.length * 8;
    if (this.#at + count > end) this.#overrun = true;
    this.#at = Math.min(this.#at + count, end);
  }

  /** ue(v): an unsigned Exp-Golomb number. A prefix longer than 32 zeros is damage. */
  unsigned(): number {
    let zeros = 0;
    while (this.bit() === 0) {
      if (++zeros > 32 || this.#overrun) {
        this.#overrun = true;
        return 0;
      }
    }
    return 2 ** zeros - 1 + this.bits(zeros);
  }

  /** se(v): a signed Exp-Golomb number. */
  signed(): number {
    const code = this.unsigned();
    return code % 2 === 1 ? (code + 1) / 2 : -code / 2;
  }
}
