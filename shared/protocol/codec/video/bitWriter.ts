const INITIAL_BYTES = 64;

/** Writes the bits of a NAL unit without its escapes, most significant first (ITU-T H.264, 7.2 and 9.1). */
export class BitWriter {
  #bytes = new Uint8Array(INITIAL_BYTES);
  #length = 0;

  bit(value: number): void {
    const at = this.#length >> 3;
    if (at >= this.#bytes.length) this.#grow(at + 1);
    this.#bytes[at] = (this.#bytes[at] ?? 0) | (value << (7 - (this.#length & 7)));
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
    const wholeBytes = count >> 3;
    this.#copyBytes(source, from, wholeBytes);
    for (let at = from + 8 * wholeBytes; at < from + count; at++) {
      this.bit(((source[at >> 3] ?? 0) >> (7 - (at & 7))) & 1);
    }
  }

  /** Ones up to the next byte. */
  alignWithOnes(): void {
    while ((this.#length & 7) !== 0) this.bit(1);
  }

  /** The bytes so far, filled with zeros: for payloads that have no stop bit. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, (this.#length + 7) >> 3);
  }

  /** Ends the payload with its stop bit and the zeros that fill the byte. */
  finish(): Uint8Array<ArrayBuffer> {
    this.bit(1);
    return this.bytes();
  }

  /** Whole bytes at a time: a picture has tens of thousands. */
  #copyBytes(source: Uint8Array, from: number, count: number): void {
    this.#grow((this.#length >> 3) + count + 1);
    const readShift = from & 7;
    const writeShift = this.#length & 7;
    let to = this.#length >> 3;
    for (let at = from >> 3; at < (from >> 3) + count; at++, to++) {
      const pair = ((source[at] ?? 0) << 8) | (source[at + 1] ?? 0);
      const byte = (pair >> (8 - readShift)) & 0xff;
      this.#bytes[to] = (this.#bytes[to] ?? 0) | (byte >> writeShift);
      this.#bytes[to + 1] = (byte << (8 - writeShift)) & 0xff;
    }
    this.#length += 8 * count;
  }

  #grow(leastBytes: number): void {
    if (leastBytes <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(leastBytes, 2 * this.#bytes.length));
    grown.set(this.#bytes);
    this.#bytes = grown;
  }
}
