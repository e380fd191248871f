// Digital zoom. Places are shares of the picture's sides as it is seen: 0, 0 is its top left corner. Pure.
import type { PictureView, PixelSize } from '../../../workers/video/messages.ts';

export const WHOLE_PICTURE: PictureView = { scale: 1, centerX: 0.5, centerY: 0.5 };
const MOST_SCALE = 8;
/** One press of a key. */
export const KEY_FACTOR = 1.25;
export const KEY_SHARE = 0.1;

export interface Place {
  readonly x: number;
  readonly y: number;
}

export interface Rectangle extends Place, PixelSize {}

export function isZoomed({ scale }: PictureView): boolean {
  return scale > 1;
}

/** Enlarges so that what lies at `at` stays there. */
export function zoomAt(view: PictureView, factor: number, at: Place): PictureView {
  const scale = Math.min(Math.max(view.scale * factor, 1), MOST_SCALE);
  const shift = (place: number) => (place - 0.5) * (1 / view.scale - 1 / scale);
  return inside({ scale, centerX: view.centerX + shift(at.x), centerY: view.centerY + shift(at.y) });
}

/** Moves what is seen by a share of what is seen, as if the picture were pushed that way. */
export function pushed(view: PictureView, by: Place): PictureView {
  const { scale } = view;
  return inside({ scale, centerX: view.centerX - by.x / scale, centerY: view.centerY - by.y / scale });
}

/** Where a picture lies in its tile: whole, as large as fits, in the middle. */
export function pictureIn(tile: PixelSize, picture: PixelSize | undefined): Rectangle {
  if (picture === undefined || picture.width <= 0 || picture.height <= 0) return { x: 0, y: 0, ...tile };
  const scale = Math.min(tile.width / picture.width, tile.height / picture.height);
  const [width, height] = [picture.width * scale, picture.height * scale];
  return { x: (tile.width - width) / 2, y: (tile.height - height) / 2, width, height };
}

function inside({ scale, centerX, centerY }: PictureView): PictureView {
  const margin = 0.5 / scale;
  const clamp = (value: number) => Math.min(Math.max(value, margin), 1 - margin);
  return { scale, centerX: clamp(centerX), centerY: clamp(centerY) };
}
