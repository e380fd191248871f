// Bits of a NAL unit's payload, after the emulation prevention bytes were taken out (ITU-T H.264, 7.2 and 9.1).

/** Reads past the end give zeros and set `overrun`: who reads asks once, at the end. */
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

  /** At most 32 bits. */
  bits(count: number): number {
    let value = 0;
    for (let index = 0; index < count; index++) value = value * 2 + this.bit();
    return value;
  }

  /** ue(v). A prefix longer than 32 zeros is damage. */
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

  /** se(v). */
  signed(): number {
    const code = this.unsigned();
    return code % 2 === 1 ? (code + 1) / 2 : -code / 2;
  }
}

export class BitWriter {
  readonly #bytes: number[] = [];
  #length = 0;

  bit(value: number): void {
    if ((this.#length & 7) === 0) this.#bytes.push(0);
    const last = this.#bytes.length - 1;
    this.#bytes[last] = (this.#bytes[last] ?? 0) | (value << (7 - (this.#length & 7)));
    this.#length++;
  }

  bits(value: number, count: number): void {
    for (let index = count - 1; index >= 0; index--) this.bit(Math.floor(value / 2 ** index) & 1);
  }

  /** ue(v). */
  unsigned(value: number): void {
    const length = Math.floor(Math.log2(value + 1));
    this.bits(0, length);
    this.bits(value + 1, length + 1);
  }

  /** `count` bits of `source`, from bit `from` on. */
  copy(source: Uint8Array, from: number, count: number): void {
    for (let at = from; at < from + count; at++) this.bit(((source[at >> 3] ?? 0) >> (7 - (at & 7))) & 1);
  }

  /** The bytes so far, filled with zeros: for payloads that have no stop bit. */
  bytes(): Uint8Array<ArrayBuffer> {
    return Uint8Array.from(this.#bytes);
  }

  /** Ends the payload with its stop bit and the zeros that fill the byte. */
  finish(): Uint8Array {
    this.bit(1);
    return Uint8Array.from(this.#bytes);
  }
}
