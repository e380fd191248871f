// Digital zoom: which pixels of a picture are drawn.
import type { PictureView, PixelSize } from '../messages.ts';

export const WHOLE: PictureView = { scale: 1, centerX: 0.5, centerY: 0.5 };

export interface PicturePart extends PixelSize {
  readonly x: number;
  readonly y: number;
}

/** The part has the picture's shape and lies wholly in it, whatever the view says. */
export function visiblePart(picture: PixelSize, { scale, centerX, centerY }: PictureView): PicturePart {
  const share = 1 / Math.max(1, scale);
  const width = picture.width * share;
  const height = picture.height * share;
  return {
    x: clamp(picture.width * centerX - width / 2, picture.width - width),
    y: clamp(picture.height * centerY - height / 2, picture.height - height),
    width,
    height,
  };
}

function clamp(value: number, most: number): number {
  return Math.min(Math.max(value, 0), most);
}
