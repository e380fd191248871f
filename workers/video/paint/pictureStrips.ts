// Splits a picture into horizontal strips. Without a GPU, Chromium converts each picture to RGBA before drawing, in newly
// allocated memory, and above a megabyte distributes the work among threads and waits for them. Strips of less than half a
// megabyte avoid both: 8 channels of 704x576 take 1.25 instead of 1.4 s of processor time per second, and keep up where
// they used to fall behind.
import type { PixelSize } from '../messages.ts';

export interface PictureStrip {
  /** Rows of the picture; the first is an even one, as 4:2:0 asks. */
  readonly fromRow: number;
  readonly rows: number;
  /** The part of these rows to draw, counted from the strip's first row; fractions are allowed. */
  readonly sourceY: number;
  readonly sourceHeight: number;
  /** Whole rows of the canvas. If the canvas isn't larger than the picture, each row is mixed only from rows of its own strip. */
  readonly targetY: number;
  readonly targetHeight: number;
}

const MOST_STRIP_BYTES = 420_000;
const RGBA_BYTES = 4;
/**
 * Below half the size Chromium scales by way of halved pictures, and the halves of strips differ from those of the whole
 * picture.
 */
const MOST_SCALE = 2;

/** One strip, of the whole picture, where it is small or shown much smaller than it is. */
export function stripsOf(picture: PixelSize, canvasHeight: number): readonly PictureStrip[] {
  const wanted = Math.ceil((picture.width * picture.height * RGBA_BYTES) / MOST_STRIP_BYTES);
  const scale = picture.height / canvasHeight;
  const count = scale > MOST_SCALE ? 1 : Math.min(wanted, canvasHeight);
  return Array.from({ length: count }, (_, index) => {
    const targetY = Math.round((index * canvasHeight) / count);
    const targetEnd = Math.round(((index + 1) * canvasHeight) / count);
    const fromRow = Math.floor((targetY * scale) / 2) * 2;
    const toRow = Math.min(picture.height, Math.ceil(targetEnd * scale));
    return {
      fromRow,
      rows: toRow - fromRow,
      sourceY: targetY * scale - fromRow,
      sourceHeight: (targetEnd - targetY) * scale,
      targetY,
      targetHeight: targetEnd - targetY,
    };
  });
}
