import type { PixelSize } from '../messages.ts';

/**
 * The canvas that a picture is painted on: its own shape, no larger than fits the box, and no larger than the picture,
 * since enlarging costs the compositor nothing and the painter much.
 */
export function fitPicture(picture: PixelSize, box: PixelSize): PixelSize {
  const scale = Math.min(1, box.width / picture.width, box.height / picture.height);
  // A box that is not laid out yet has no size; a canvas without pixels could not be painted.
  if (!(scale > 0)) return picture;
  return {
    width: Math.max(1, Math.round(picture.width * scale)),
    height: Math.max(1, Math.round(picture.height * scale)),
  };
}
