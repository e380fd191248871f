// A picture in horizontal strips. Without a GPU, Chromium turns each picture that is drawn into RGBA first, in memory that it gets
// anew every time, and above a megabyte shares the work out among threads and waits for them. Strips of less than half of that do
// without both: 8 channels of 704x576 cost 1.25 instead of 1.4 s of processor a second, and keep up where they fell behind.
import type { PixelSize } from '../messages.ts';

export interface PictureStrip {
  /** Rows of the picture; the first is an even one, as 4:2:0 asks. */
  readonly fromRow: number;
  readonly rows: number;
  /** What is drawn of these rows, counted from the first; fractions are right. */
  readonly sourceY: number;
  readonly sourceHeight: number;
  /** Whole rows of the canvas: on a canvas no larger than the picture, each is mixed from rows of its own strip alone. */
  readonly targetY: number;
  readonly targetHeight: number;
}

const MOST_STRIP_BYTES = 420_000;
const RGBA_BYTES = 4;
/** To less than half Chromium scales by way of halved pictures, and the halves of a strip are not those of the whole. */
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
