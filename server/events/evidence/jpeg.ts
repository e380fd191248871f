// Whether bytes are a whole JPEG picture: its structure is walked up to the coded data. Pure.

const MARKER = 0xff;
const START = 0xd8;
const END = 0xd9;
const START_OF_SCAN = 0xda;
/** Sizes and components stand in one of them. C4, C8 and CC are tables. */
const isFrameHeader = (code: number): boolean => code >= 0xc0 && code <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(code);

/** A picture that was cut on its way has no end, and one of another format no frame header. */
export function isWholeJpeg(bytes: Uint8Array): boolean {
  if (bytes[0] !== MARKER || bytes[1] !== START) return false;
  let hasFrame = false;
  let at = 2;
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== MARKER) return false;
    const code = bytes[at + 1] ?? 0;
    // Fill bytes may stand before a marker.
    if (code === MARKER) {
      at++;
      continue;
    }
    const length = ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
    if (length < 2) return false;
    if (code === START_OF_SCAN) return hasFrame && hasEndBehind(bytes, at + 2 + length);
    if (isFrameHeader(code)) {
      if (!hasSize(bytes, at + 4)) return false;
      hasFrame = true;
    }
    at += 2 + length;
  }
  return false;
}

/** Height and width follow the sample precision. */
function hasSize(bytes: Uint8Array, at: number): boolean {
  const height = ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
  const width = ((bytes[at + 3] ?? 0) << 8) | (bytes[at + 4] ?? 0);
  return height > 0 && width > 0;
}

/** Some terminals fill the last package with zeros. */
function hasEndBehind(bytes: Uint8Array, from: number): boolean {
  let last = bytes.length - 1;
  while (last > from && bytes[last] === 0) last--;
  return last > from && bytes[last] === END && bytes[last - 1] === MARKER;
}
