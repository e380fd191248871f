/** Reads bits, most significant first. Past the end it gives zeros and says so in `overrun`. */
export class BitReader {
  readonly #bytes: Uint8Array;
  #position = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get overrun(): boolean {
    return this.#position > this.#bytes.length * 8;
  }

  bit(): number {
    const byte = this.#bytes[this.#position >> 3] ?? 0;
    const bit = (byte >> (7 - (this.#position & 7))) & 1;
    this.#position++;
    return bit;
  }

  flag(): boolean {
    return this.bit() === 1;
  }

  /** Up to 32 bits, unsigned. */
  bits(count: number): number {
    let value = 0;
    for (let index = 0; index < count; index++) value = value * 2 + this.bit();
    return value;
  }

  skip(count: number): void {
    this.#position += count;
  }

  /** ue(v): an unsigned Exp-Golomb number. */
  unsigned(): number {
    let leadingZeros = 0;
    while (leadingZeros < 32 && !this.overrun && this.bit() === 0) leadingZeros++;
    return 2 ** leadingZeros - 1 + this.bits(leadingZeros);
  }

  /** se(v): a signed Exp-Golomb number. */
  signed(): number {
    const code = this.unsigned();
    return code % 2 === 1 ? (code + 1) / 2 : -code / 2;
  }
}
