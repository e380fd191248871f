/** One picture as YUV 4:2:0, limited range: what the encoder takes without a conversion. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly luma: Uint8Array;
  readonly blue: Uint8Array;
  readonly red: Uint8Array;
}

/** Luma, blue difference and red difference, each 0 to 255. */
export type Colour = readonly [luma: number, blue: number, red: number];

export function createPicture(width: number, height: number): Picture {
  const chroma = (width / 2) * (height / 2);
  return {
    width,
    height,
    luma: new Uint8Array(width * height),
    blue: new Uint8Array(chroma),
    red: new Uint8Array(chroma),
  };
}

/** BT.601 from 8-bit red, green, blue. */
export function colour(red: number, green: number, blue: number): Colour {
  return [
    16 + 0.257 * red + 0.504 * green + 0.098 * blue,
    128 - 0.148 * red - 0.291 * green + 0.439 * blue,
    128 + 0.439 * red - 0.368 * green - 0.071 * blue,
  ];
}

export interface Span {
  readonly y: number;
  readonly fromX: number;
  readonly toX: number;
}

/** Fills pixels of one row, from inclusive, to exclusive, cut at the picture's edges. */
export function fillSpan(picture: Picture, span: Span, [luma, blue, red]: Colour): void {
  const y = Math.round(span.y);
  const fromX = Math.max(0, Math.round(span.fromX));
  const toX = Math.min(picture.width, Math.round(span.toX));
  if (y < 0 || y >= picture.height || fromX >= toX) return;
  picture.luma.fill(luma, y * picture.width + fromX, y * picture.width + toX);
  if (y % 2 === 1) return;
  const row = (y / 2) * (picture.width / 2);
  picture.blue.fill(blue, row + (fromX >> 1), row + ((toX + 1) >> 1));
  picture.red.fill(red, row + (fromX >> 1), row + ((toX + 1) >> 1));
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export function fillBox(picture: Picture, box: Box, paint: Colour): void {
  const bottom = Math.round(box.y + box.height);
  for (let y = Math.round(box.y); y < bottom; y++) {
    fillSpan(picture, { y, fromX: box.x, toX: box.x + box.width }, paint);
  }
}
