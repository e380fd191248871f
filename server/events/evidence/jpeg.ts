// How much of what a terminal uploads is a JPEG picture (ITU-T T.81, annex B). Pure.

const MARKER = 0xff;
const START = 0xd8;
const END = 0xd9;
const START_OF_SCAN = 0xda;
const TEMPORARY = 0x01;
/** Sizes and components stand in one of them. C4, C8 and CC are tables. */
const isFrameHeader = (code: number): boolean => code >= 0xc0 && code <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(code);
const isRestart = (code: number): boolean => code >= 0xd0 && code <= 0xd7;

interface JpegExtent {
  /** From the start to behind the end marker. Terminals send what else was in their buffer behind it. */
  readonly bytes: number;
  /** False where the data end before the picture does: decoders show the part that came. */
  readonly isWhole: boolean;
}

/**
 * Walks the structure up to the end marker of the picture itself: segments are passed by their lengths, so the end of a thumbnail
 * inside one is none. Undefined where there is nothing to show: no picture of this format, or coded data that never begin.
 */
export function measureJpeg(bytes: Uint8Array): JpegExtent | undefined {
  if (bytes[0] !== MARKER || bytes[1] !== START) return undefined;
  let hasFrame = false;
  let hasData = false;
  for (let at = nextMarker(bytes, 2); at !== undefined; at = nextMarker(bytes, at)) {
    const code = bytes[at + 1] ?? 0;
    if (code === END) return hasData ? { bytes: at + 2, isWhole: true } : undefined;
    if (code === START && !hasData) return undefined;
    if (isRestart(code) || code === TEMPORARY || code === START) {
      at += 2;
      continue;
    }
    const length = ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
    if (length < 2) {
      // Damage in coded data leads here as well; decoders go on behind it.
      if (!hasData) return undefined;
      at += 2;
      continue;
    }
    if (isFrameHeader(code)) {
      if (!hasSize(bytes, at + 4)) return undefined;
      hasFrame = true;
    }
    at += 2 + length;
    if (code === START_OF_SCAN && hasFrame) hasData ||= at < bytes.length && !isMarker(bytes, at);
    if (code === START_OF_SCAN && !hasFrame) return undefined;
  }
  return hasData ? { bytes: bytes.length, isWhole: false } : undefined;
}

/** The next marker from a place on: what lies between is coded data, or bytes that decoders pass over. */
function nextMarker(bytes: Uint8Array, from: number): number | undefined {
  for (let at = bytes.indexOf(MARKER, from); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(MARKER, at + 1)) {
    if (isMarker(bytes, at)) return at;
  }
  return undefined;
}

/** A byte of the coded data that looks like a marker is followed by 0, and filling by another FF. */
function isMarker(bytes: Uint8Array, at: number): boolean {
  const code = bytes[at + 1];
  return bytes[at] === MARKER && code !== undefined && code !== 0 && code !== MARKER;
}

/** Height and width follow the sample precision. */
function hasSize(bytes: Uint8Array, at: number): boolean {
  const height = ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
  const width = ((bytes[at + 3] ?? 0) << 8) | (bytes[at + 4] ?? 0);
  return height > 0 && width > 0;
}
