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

/** The same picture smaller, each pixel the mean of what it covers. Sizes are even. */
export function scaledDown(picture: Picture, width: number, height: number): Picture {
  const { luma, blue, red } = picture;
  const from = { width: picture.width / 2, height: picture.height / 2 };
  const to = { width: width / 2, height: height / 2 };
  return {
    width,
    height,
    luma: scaledPlane(luma, picture, { width, height }),
    blue: scaledPlane(blue, from, to),
    red: scaledPlane(red, from, to),
  };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

function scaledPlane(plane: Uint8Array, from: Size, to: Size): Uint8Array {
  const scaled = new Uint8Array(to.width * to.height);
  const columns = Array.from({ length: to.width }, (_, x) => coverage(x, from.width / to.width));
  for (let y = 0; y < to.height; y++) {
    const rows = coverage(y, from.height / to.height);
    for (let x = 0; x < to.width; x++) {
      let sum = 0;
      let weights = 0;
      for (const row of rows) {
        for (const column of columns[x] ?? []) {
          const weight = row.share * column.share;
          sum += weight * (plane[row.at * from.width + column.at] ?? 0);
          weights += weight;
        }
      }
      scaled[y * to.width + x] = Math.round(sum / weights);
    }
  }
  return scaled;
}

/** Which pixels of a row the scaled pixel lies over, and how much of each. */
function coverage(index: number, ratio: number): { readonly at: number; readonly share: number }[] {
  const start = index * ratio;
  const end = start + ratio;
  const covered: { readonly at: number; readonly share: number }[] = [];
  for (let at = Math.floor(start); at < end; at++) {
    covered.push({ at, share: Math.min(at + 1, end) - Math.max(at, start) });
  }
  return covered;
}
