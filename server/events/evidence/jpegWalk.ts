// Finds how much of the bytes from a terminal is a JPEG picture (ITU-T T.81, annex B), reading piece by piece. Pure.

const MARKER = 0xff;
const START = 0xd8;
const END = 0xd9;
const START_OF_SCAN = 0xda;
const TEMPORARY = 0x01;
/** Whether the segment is a frame header, which has the size and the components. C4, C8 and CC are tables. */
const isFrameHeader = (code: number): boolean => code >= 0xc0 && code <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(code);
const isRestart = (code: number): boolean => code >= 0xd0 && code <= 0xd7;
/** Sample precision, height and width. */
const SIZE_BYTES = 5;

type Step =
  | 'first'
  /** Coded data, or bytes that decoders skip, up to the next marker. */
  | 'between'
  | 'segment'
  /** The picture has ended. */
  | 'ended'
  /** Bytes of another format. */
  | 'none';

/**
 * Walks the structure up to the end marker of the picture itself: segments are skipped by their lengths, so the end of a thumbnail inside
 * a segment doesn't count. Data after the end is the maker's own: many cameras add something there.
 */
export class JpegWalk {
  #step: Step = 'first';
  #walked = 0;
  #last = 0;
  /** The code of the segment, its length, and the part of a frame header that has the size. */
  #code = 0;
  readonly #head: number[] = [];
  #skip = 0;
  #hasFrame = false;
  #isScanBegun = false;
  #hasData = false;

  /** Length of the picture including the end marker; undefined while the marker has not come. */
  get wholeBytes(): number | undefined {
    return this.#step === 'ended' ? this.#walked : undefined;
  }

  /** Whether decoders can show a part of the bytes so far. */
  get isShown(): boolean {
    return this.#hasData && this.#step !== 'none';
  }

  push(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length && this.#step !== 'ended' && this.#step !== 'none') {
      const skipped = Math.min(this.#skip, bytes.length - at);
      this.#skip -= skipped;
      this.#walked += skipped;
      at += skipped;
      const to = this.#isInData ? bytes.indexOf(MARKER, at) : at;
      this.#walked += (to < 0 ? bytes.length : to) - at;
      at = to < 0 ? bytes.length : to;
      if (at >= bytes.length) return;
      this.#take(bytes[at] ?? 0);
      this.#walked++;
      at++;
    }
  }

  /** Whether there is nothing to examine up to the next FF. */
  get #isInData(): boolean {
    return this.#step === 'between' && this.#last !== MARKER && !this.#isScanBegun;
  }

  #take(byte: number): void {
    const before = this.#last;
    this.#last = byte;
    if (this.#step === 'segment') this.#takeHead(byte);
    else if (this.#step === 'first') this.#takeFirst(before, byte);
    else this.#takeBetween(before, byte);
  }

  #takeFirst(before: number, byte: number): void {
    if (this.#walked === 0) this.#step = byte === MARKER ? 'first' : 'none';
    else this.#step = before === MARKER && byte === START ? 'between' : 'none';
    if (this.#walked > 0) this.#last = 0;
  }

  /** A byte of the coded data that looks like a marker is followed by 0, and filling by another FF. */
  #takeBetween(before: number, byte: number): void {
    const isMarker = before === MARKER && byte !== 0 && byte !== MARKER;
    if (this.#isScanBegun && (before !== MARKER ? byte !== MARKER : !isMarker)) this.#noteData();
    if (!isMarker) return;
    this.#isScanBegun = false;
    this.#takeCode(byte);
  }

  #noteData(): void {
    this.#hasData = true;
    this.#isScanBegun = false;
  }

  #takeCode(code: number): void {
    if (code === END) this.#step = this.#hasData ? 'ended' : 'none';
    else if (code === START && !this.#hasData) this.#step = 'none';
    else if (!isRestart(code) && code !== TEMPORARY && code !== START) {
      this.#step = 'segment';
      this.#code = code;
      this.#head.length = 0;
    }
  }

  #takeHead(byte: number): void {
    const head = this.#head;
    head.push(byte);
    const lengthBytes = ((head[0] ?? 0) << 8) | (head[1] ?? 0);
    if (head.length < 2) return;
    if (lengthBytes < 2) {
      // Damage in coded data leads here as well; decoders go on after it.
      this.#endSegment(this.#hasData ? 'between' : 'none');
    } else if (!isFrameHeader(this.#code)) {
      const isScan = this.#code === START_OF_SCAN;
      this.#skip = lengthBytes - 2;
      this.#isScanBegun = isScan && !this.#hasData;
      this.#endSegment(isScan && !this.#hasFrame ? 'none' : 'between');
    } else if (head.length === 2 + SIZE_BYTES) {
      this.#hasFrame = head.slice(3, 5).some(Boolean) && head.slice(5, 7).some(Boolean);
      this.#skip = Math.max(0, lengthBytes - head.length);
      this.#endSegment(this.#hasFrame ? 'between' : 'none');
    }
  }

  #endSegment(step: Step): void {
    this.#step = step;
    this.#last = 0;
  }
}

interface JpegExtent {
  /** Length of the picture including the end marker. Terminals send the rest of their buffer after it. */
  readonly bytes: number;
  /** False where the data end before the picture does: decoders show the part that came. */
  readonly isWhole: boolean;
}

/** Undefined where there is nothing to show: not a picture of this format, or coded data never begin. */
export function measureJpeg(bytes: Uint8Array): JpegExtent | undefined {
  const walk = new JpegWalk();
  walk.push(bytes);
  if (walk.wholeBytes !== undefined) return { bytes: walk.wholeBytes, isWhole: true };
  return walk.isShown ? { bytes: bytes.length, isWhole: false } : undefined;
}
