// What the demo's cameras look at: a pure function of the frame's number, so that the loop has no seam.
import { CLIP_HEIGHT, CLIP_WIDTH, FRAMES_PER_SECOND, LOOP_FRAMES } from './clipFormat.ts';
import type { ClipRecipe, ClipView } from './clipList.ts';
import { encodeStrip, STRIP_BLOCK_PIXELS } from './frameStrip.ts';
import { drawText } from './glyphs.ts';
import { type Colour, colour, createPicture, fillBox, fillSpan, type Picture, scaledDown } from './planes.ts';
import { paintCabin, paintSide } from './views.ts';

const HORIZON_Y = 150;
const ROAD_HALF_WIDTH = 330;
const SKY_TOP = colour(88, 138, 190);
const SKY_LOW = colour(196, 214, 226);
const HILL = colour(82, 108, 96);
const GRASS: readonly [Colour, Colour] = [colour(92, 124, 70), colour(86, 117, 66)];
const ASPHALT: readonly [Colour, Colour] = [colour(84, 86, 90), colour(80, 82, 86)];
const PAINT = colour(232, 230, 220);
const POST = colour(60, 54, 50);
const BLACK = colour(0, 0, 0);
const WHITE = colour(255, 255, 255);

/** Metres driven a frame: 72 km/h. A whole number of stripes fits the loop. */
const METRES_PER_FRAME = 0.8;
const STRIPE_METRES = 12;
const POST_METRES = 40;

/** The picture in the recipe's size; the strip's blocks have the same size in each. */
export function paintScene(
  frame: number,
  { view, channel, width, height }: Pick<ClipRecipe, 'view' | 'channel' | 'width' | 'height'>,
): Picture {
  const large = createPicture(CLIP_WIDTH, CLIP_HEIGHT);
  paintView(large, frame, view);
  paintClock(large, frame);
  const picture = width === CLIP_WIDTH && height === CLIP_HEIGHT ? large : scaledDown(large, width, height);
  paintStrip(picture, frame, channel);
  return picture;
}

function paintView(picture: Picture, frame: number, view: ClipView): void {
  switch (view) {
    case 'road':
      paintRoad(picture, frame, frame * METRES_PER_FRAME);
      return;
    case 'rear':
      // What was passed goes away: the same road, driven backwards.
      paintRoad(picture, frame, (LOOP_FRAMES - frame) * METRES_PER_FRAME);
      return;
    case 'side':
      paintSide(picture, frame);
      return;
    case 'cabin':
      paintCabin(picture, frame);
      return;
  }
}

function paintRoad(picture: Picture, frame: number, drivenMetres: number): void {
  paintSky(picture, frame);
  for (let y = HORIZON_Y; y < CLIP_HEIGHT; y++) paintRoadRow(picture, y, drivenMetres);
  paintPosts(picture, drivenMetres);
}

function paintSky(picture: Picture, frame: number): void {
  const swing = Math.sin((2 * Math.PI * frame) / LOOP_FRAMES);
  for (let y = 0; y < HORIZON_Y; y++) {
    const part = y / HORIZON_Y;
    fillSpan(picture, { y, fromX: 0, toX: CLIP_WIDTH }, mix(SKY_TOP, SKY_LOW, part));
  }
  for (let x = 0; x < CLIP_WIDTH; x += 2) {
    const height = 22 + 12 * Math.sin((x + 60 * swing) / 70) + 7 * Math.sin((x + 60 * swing) / 23);
    fillBox(picture, { x, y: HORIZON_Y - height, width: 2, height }, HILL);
  }
}

function paintRoadRow(picture: Picture, y: number, drivenMetres: number): void {
  const depth = depthOf(y);
  const distanceMetres = 6 / depth + drivenMetres;
  const isLight = Math.floor(distanceMetres / STRIPE_METRES) % 2 === 0 ? 0 : 1;
  const half = ROAD_HALF_WIDTH * depth;
  const centre = CLIP_WIDTH / 2;
  fillSpan(picture, { y, fromX: 0, toX: CLIP_WIDTH }, GRASS[isLight]);
  fillSpan(picture, { y, fromX: centre - half, toX: centre + half }, ASPHALT[isLight]);
  for (const edge of [-0.94, 0.94]) {
    fillSpan(picture, { y, fromX: centre + edge * half - 5 * depth, toX: centre + edge * half + 5 * depth }, PAINT);
  }
  if (distanceMetres % STRIPE_METRES < STRIPE_METRES / 2) {
    fillSpan(picture, { y, fromX: centre - 6 * depth, toX: centre + 6 * depth }, PAINT);
  }
}

function paintPosts(picture: Picture, drivenMetres: number): void {
  // The farthest first, so that the near ones stand in front.
  for (let ahead = 6; ahead >= 0; ahead--) {
    const metres = ahead * POST_METRES + (POST_METRES - (drivenMetres % POST_METRES));
    const depth = 6 / metres;
    const y = HORIZON_Y + depth * (CLIP_HEIGHT - HORIZON_Y);
    const offset = 1.25 * ROAD_HALF_WIDTH * depth;
    for (const side of [-1, 1]) {
      const x = CLIP_WIDTH / 2 + side * offset;
      fillBox(
        picture,
        { x: x - 4 * depth, y: y - 190 * depth, width: Math.max(1, 8 * depth), height: 190 * depth },
        POST,
      );
    }
  }
}

function paintStrip(picture: Picture, frame: number, channel: number): void {
  encodeStrip({ frame, channel }).forEach((isWhite, index) => {
    const box = { x: index * STRIP_BLOCK_PIXELS, y: 0, width: STRIP_BLOCK_PIXELS, height: STRIP_BLOCK_PIXELS };
    fillBox(picture, box, isWhite ? WHITE : BLACK);
  });
}

function paintClock(picture: Picture, frame: number): void {
  const seconds = String(Math.floor(frame / FRAMES_PER_SECOND)).padStart(2, '0');
  const frames = String(frame % FRAMES_PER_SECOND).padStart(2, '0');
  fillBox(picture, { x: 12, y: 26, width: 132, height: 34 }, BLACK);
  drawText(picture, `:${seconds}.${frames}`, { x: 20, y: 32, scale: 3 }, WHITE);
}

/** 1 at the lower edge, 0 at the horizon: what perspective multiplies widths with. */
function depthOf(y: number): number {
  return Math.max((y - HORIZON_Y) / (CLIP_HEIGHT - HORIZON_Y), 0.004);
}

function mix(from: Colour, to: Colour, part: number): Colour {
  const at = (index: 0 | 1 | 2): number => from[index] + (to[index] - from[index]) * part;
  return [at(0), at(1), at(2)];
}
