// Whether a JPEG picture has its end, read piece by piece: what a terminal has cut has none. Pure.

const MARKER = 0xff;
const END = 0xd9;
const START_OF_SCAN = 0xda;
/** Marker and length of a segment. */
const HEAD_BYTES = 4;
const START_BYTES = 2;

/**
 * Segments are skipped by their lengths, since thumbnails in them have an end of their own; behind the first scan, the end is the first
 * end marker. What stands behind it is the maker's own: many cameras add something there.
 */
export class JpegWalk {
  /** Bytes that are skipped before the next marker. */
  #skip = START_BYTES;
  readonly #head: number[] = [];
  #isInScan = false;
  #last = 0;
  #isBroken = false;
  #hasEnd = false;

  get hasEnd(): boolean {
    return this.#hasEnd;
  }

  push(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length && !this.#hasEnd && !this.#isBroken) {
      const skipped = Math.min(this.#skip, bytes.length - at);
      this.#skip -= skipped;
      at += skipped;
      if (this.#skip > 0 || at >= bytes.length) return;
      if (this.#isInScan) {
        this.#lookForEnd(bytes, at);
        return;
      }
      this.#takeHead(bytes[at] ?? 0);
      at++;
    }
  }

  #takeHead(byte: number): void {
    const head = this.#head;
    // Fill bytes may stand before a marker.
    if (head.length === 1 && byte === MARKER) return;
    head.push(byte);
    if (head[0] !== MARKER || head[1] === END) this.#isBroken = true;
    else if (head.length === HEAD_BYTES) this.#takeSegment(head[1] ?? 0, ((head[2] ?? 0) << 8) | (head[3] ?? 0));
  }

  #takeSegment(code: number, lengthBytes: number): void {
    this.#head.length = 0;
    this.#skip = lengthBytes - START_BYTES;
    this.#isBroken = this.#skip < 0;
    this.#isInScan = code === START_OF_SCAN;
  }

  #lookForEnd(bytes: Uint8Array, from: number): void {
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      if (this.#last === MARKER && byte === END) {
        this.#hasEnd = true;
        return;
      }
      this.#last = byte;
    }
  }
}
