/** Bits of a NAL unit's payload without its emulation prevention bytes (ITU-T H.264, 7.2 and 9.1). */
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
