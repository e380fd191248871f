// Writes beside marks what there is room for.
import { overlap, type WindowBox } from '../fences/fencePaths.ts';
import { STOP_RADIUS, type TrackStyle } from './drawTracks.ts';
import type { WindowPoint } from './mapWindow.ts';

export interface Caption extends WindowPoint {
  /** '' writes nothing, but keeps the others off its mark. */
  readonly text: string;
}

const MAX_CAPTIONS = 60;
const TEXT_PIXELS = 11;
const GAP_PIXELS = 4;

/** To the right of each mark, unless another mark or caption is there. */
export function drawCaptions(
  context: CanvasRenderingContext2D,
  captions: readonly Caption[],
  { scheme, font }: TrackStyle,
): void {
  // Where marks are that close to one another, hardly any caption has room.
  if (captions.length > MAX_CAPTIONS) return;
  context.save();
  context.font = `600 ${TEXT_PIXELS}px ${font}`;
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  context.lineWidth = 3;
  context.strokeStyle = scheme.halo;
  context.fillStyle = scheme.text;
  const taken = captions.map(boxOfMark);
  for (const { left, top, text } of captions) {
    if (text === '') continue;
    const begin = left + STOP_RADIUS + GAP_PIXELS;
    const box = {
      left: begin,
      right: begin + context.measureText(text).width,
      top: top - TEXT_PIXELS / 2,
      bottom: top + TEXT_PIXELS / 2,
    };
    if (taken.some((other) => overlap(box, other))) continue;
    taken.push(box);
    context.strokeText(text, begin, top);
    context.fillText(text, begin, top);
  }
  context.restore();
}

function boxOfMark({ left, top }: WindowPoint): WindowBox {
  return { left: left - STOP_RADIUS, right: left + STOP_RADIUS, top: top - STOP_RADIUS, bottom: top + STOP_RADIUS };
}
