// The machine-readable strip at a picture's top left: 24 blocks of 16x16 pixels, white for 1, most significant bit
// first: 16 bits frame number, 4 bits channel, 4 bits of a fixed pattern that tells a strip from a picture.

export const STRIP_BLOCK_PIXELS = 16;
export const STRIP_BLOCKS = 24;
const PATTERN = 0b1010;

export interface StripContent {
  readonly frame: number;
  readonly channel: number;
}

/** The blocks from left to right, true for white. */
export function encodeStrip(content: StripContent): boolean[] {
  const word = ((content.frame & 0xffff) << 8) | ((content.channel & 0xf) << 4) | PATTERN;
  return Array.from({ length: STRIP_BLOCKS }, (_, index) => ((word >> (STRIP_BLOCKS - 1 - index)) & 1) === 1);
}

/** What the blocks say; undefined when the fixed pattern is not there. */
export function decodeStrip(isWhite: readonly boolean[]): StripContent | undefined {
  const word = isWhite.reduce((bits, white) => (bits << 1) | (white ? 1 : 0), 0);
  if (isWhite.length !== STRIP_BLOCKS || (word & 0xf) !== PATTERN) return undefined;
  return { frame: word >> 8, channel: (word >> 4) & 0xf };
}
