// What it means to press on a width of time, move, and let go. Pure.
import type { TimeRange } from '../clock/ranges.ts';
import { momentAt } from '../slider/sliderScale.ts';

/** A smaller movement is a click. */
const CLICK_PIXELS = 5;

export interface DragPoint {
  /** Share of the width, from its beginning. */
  readonly share: number;
  readonly clientX: number;
}

export type DragMeaning =
  | { readonly kind: 'seek'; readonly atMs: number }
  | { readonly kind: 'zoom'; readonly range: TimeRange };

export function dragMeaning(start: DragPoint, end: DragPoint, view: TimeRange): DragMeaning {
  if (Math.abs(end.clientX - start.clientX) < CLICK_PIXELS) return { kind: 'seek', atMs: momentAt(view, end.share) };
  const [from, to] = start.share < end.share ? [start.share, end.share] : [end.share, start.share];
  return { kind: 'zoom', range: { fromMs: momentAt(view, from), toMs: momentAt(view, to) } };
}
