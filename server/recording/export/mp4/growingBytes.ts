// Bytes one behind another, as they come. Pictures come as byte streams (Annex B of H.264 and H.265), and lie in MP4 files
// with the length of each unit in front of it instead of a start code (ISO/IEC 14496-15).

const START_CODE = Buffer.from([0, 0, 1]);
const START_CODE_BYTES = 3;
const LENGTH_BYTES = 4;

export class GrowingBytes {
  #bytes: Buffer<ArrayBuffer>;
  #length = 0;

  constructor(capacity: number) {
    // Its own memory, for it may be given away; not cleared, for only what was written is read.
    this.#bytes = Buffer.allocUnsafeSlow(capacity);
  }

  get length(): number {
    return this.#length;
  }

  append(sample: Uint8Array): void {
    this.#makeRoom(sample.byteLength);
    this.#bytes.set(sample, this.#length);
    this.#length += sample.byteLength;
  }

  /**
   * Appends the units of an access unit but for those whose first byte `isLeftOut` refuses. Gives the number of bytes
   * appended: 0 when there is no unit.
   */
  appendUnits(accessUnit: Uint8Array<ArrayBuffer>, isLeftOut: (header: number) => boolean): number {
    const before = this.#length;
    // Buffers search for several bytes at once, outside of JavaScript; a picture of 5 kB takes it under a microsecond.
    const from = Buffer.from(accessUnit.buffer, accessUnit.byteOffset, accessUnit.byteLength);
    let start = from.indexOf(START_CODE);
    while (start >= 0) {
      const unit = start + START_CODE_BYTES;
      const next = from.indexOf(START_CODE, unit);
      this.#appendUnit(from, unit, next < 0 ? from.length : next, isLeftOut);
      start = next;
    }
    return this.#length - before;
  }

  /** What was appended; good until the next call. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Takes off the first bytes; those behind move to the front. */
  drop(count: number): void {
    this.#bytes.copyWithin(0, count, this.#length);
    this.#length -= count;
  }

  /** What was appended, to keep. The object is not to be used any more. */
  take(): Uint8Array<ArrayBuffer> {
    return this.bytes;
  }

  #appendUnit(from: Buffer<ArrayBuffer>, start: number, behind: number, isLeftOut: (header: number) => boolean): void {
    // Zeros before the next start code belong to that code or are filling.
    let end = behind;
    while (end > start && from[end - 1] === 0) end--;
    const header = from[start];
    if (end === start || header === undefined || isLeftOut(header)) return;
    this.#makeRoom(LENGTH_BYTES + end - start);
    this.#bytes.writeUInt32BE(end - start, this.#length);
    from.copy(this.#bytes, this.#length + LENGTH_BYTES, start, end);
    this.#length += LENGTH_BYTES + end - start;
  }

  #makeRoom(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#length + bytes, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
