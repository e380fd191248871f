import { type Colour, fillBox, type Picture } from './planes.ts';

/** Rows of five pixels, the most significant of five bits on the left. */
const GLYPHS: Readonly<Record<string, readonly number[]>> = {
  '0': [14, 17, 19, 21, 25, 17, 14],
  '1': [4, 12, 4, 4, 4, 4, 14],
  '2': [14, 17, 1, 2, 4, 8, 31],
  '3': [31, 2, 4, 2, 1, 17, 14],
  '4': [2, 6, 10, 18, 31, 2, 2],
  '5': [31, 16, 30, 1, 1, 17, 14],
  '6': [6, 8, 16, 30, 17, 17, 14],
  '7': [31, 1, 2, 4, 8, 8, 8],
  '8': [14, 17, 17, 14, 17, 17, 14],
  '9': [14, 17, 17, 15, 1, 2, 12],
  ':': [0, 4, 4, 0, 4, 4, 0],
  '.': [0, 0, 0, 0, 0, 12, 12],
  '-': [0, 0, 0, 31, 0, 0, 0],
  ' ': [0, 0, 0, 0, 0, 0, 0],
};

const COLUMNS = 5;
const ADVANCE = 6;

export interface TextPlace {
  readonly x: number;
  readonly y: number;
  /** Pixels a dot. */
  readonly scale: number;
}

/** Writes digits and their punctuation; a character without a glyph leaves its place empty. */
export function drawText(picture: Picture, text: string, place: TextPlace, paint: Colour): void {
  [...text].forEach((character, position) => {
    GLYPHS[character]?.forEach((row, y) => {
      for (let column = 0; column < COLUMNS; column++) {
        if (((row >> (COLUMNS - 1 - column)) & 1) === 0) continue;
        const x = place.x + (position * ADVANCE + column) * place.scale;
        fillBox(picture, { x, y: place.y + y * place.scale, width: place.scale, height: place.scale }, paint);
      }
    });
  });
}
