// The pictures of the demo's other cameras, each a pure function of the frame's number like the road ahead.
import { CLIP_HEIGHT, CLIP_WIDTH, LOOP_FRAMES } from './clipFormat.ts';
import { type Colour, colour, fillBox, fillSpan, type Picture } from './planes.ts';

const SKY = colour(176, 200, 216);
const HILL = colour(86, 112, 98);
const FIELD = colour(104, 134, 78);
const FENCE = colour(214, 208, 196);
const WALL = colour(120, 126, 132);
const FLOOR = colour(70, 72, 78);
const SEAT = colour(36, 78, 120);
const HEAD = colour(196, 158, 130);
const FRAME = colour(44, 48, 54);

/** Pixels that near things pass a frame; the loop holds a whole number of fence posts. */
const NEAR_PIXELS = 12;
const FENCE_PIXELS = 150;

/** Out of a side window: hills far away, a fence close by. */
export function paintSide(picture: Picture, frame: number): void {
  paintLandscape(picture, { frame, top: 0, bottom: CLIP_HEIGHT });
  const shift = (frame * NEAR_PIXELS) % FENCE_PIXELS;
  for (let x = -shift; x < CLIP_WIDTH; x += FENCE_PIXELS)
    fillBox(picture, { x, y: 214, width: 14, height: 110 }, FENCE);
  for (const y of [232, 272]) fillBox(picture, { x: 0, y, width: CLIP_WIDTH, height: 10 }, FENCE);
}

/** Into the cabin: four rows of seats that sway, and the landscape in the windows. */
export function paintCabin(picture: Picture, frame: number): void {
  fillBox(picture, { x: 0, y: 0, width: CLIP_WIDTH, height: CLIP_HEIGHT }, WALL);
  fillBox(picture, { x: 0, y: 250, width: CLIP_WIDTH, height: CLIP_HEIGHT - 250 }, FLOOR);
  paintLandscape(picture, { frame, top: 70, bottom: 160 });
  for (let x = 0; x < CLIP_WIDTH; x += 160) fillBox(picture, { x, y: 64, width: 22, height: 102 }, FRAME);
  const sway = 5 * Math.sin((2 * Math.PI * 40 * frame) / LOOP_FRAMES);
  for (let row = 0; row < 4; row++) paintSeat(picture, 40 + row * 150 + sway * (1 + row / 3), 190 + row * 8);
}

function paintSeat(picture: Picture, x: number, y: number): void {
  fillBox(picture, { x: x + 26, y: y - 30, width: 38, height: 40 }, HEAD);
  fillBox(picture, { x, y, width: 92, height: 96 }, SEAT);
  fillBox(picture, { x: x + 6, y: y + 6, width: 80, height: 4 }, FRAME);
}

interface Landscape {
  readonly frame: number;
  readonly top: number;
  readonly bottom: number;
}

/** Hills that pass, in a strip of the picture. */
function paintLandscape(picture: Picture, { frame, top, bottom }: Landscape): void {
  const height = bottom - top;
  const horizon = top + height * 0.45;
  const passed = (2 * Math.PI * 6 * frame) / LOOP_FRAMES;
  band(picture, top, horizon, SKY);
  band(picture, horizon, bottom, FIELD);
  for (let x = 0; x < CLIP_WIDTH; x += 4) {
    const hill = height * (0.12 + 0.07 * Math.sin(x / 80 + passed) + 0.04 * Math.sin(x / 31 + 2 * passed));
    fillBox(picture, { x, y: horizon - hill, width: 4, height: hill }, HILL);
  }
}

function band(picture: Picture, top: number, bottom: number, paint: Colour): void {
  for (let y = Math.round(top); y < bottom; y++) fillSpan(picture, { y, fromX: 0, toX: CLIP_WIDTH }, paint);
}
