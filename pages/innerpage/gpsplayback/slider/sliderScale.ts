// Moments as shares of what the slider shows, and how it is zoomed. Pure.
import type { TimeRange } from '../clock/ranges.ts';

const SHORTEST_ZOOM_MS = 60_000;

/** CSS pixels from the edges of slider and charts to where their time begins and ends, so that each moment is below itself. */
export const PLOT_LEFT = 48;
export const PLOT_RIGHT = 16;

/** 0 at the beginning, 1 at the end, beyond them outside. */
export function shareOf({ fromMs, toMs }: TimeRange, atMs: number): number {
  return toMs > fromMs ? (atMs - fromMs) / (toMs - fromMs) : 0;
}

export function momentAt({ fromMs, toMs }: TimeRange, share: number): number {
  return fromMs + Math.min(Math.max(share, 0), 1) * (toMs - fromMs);
}

export interface ShownRange {
  /** Percent from the beginning. */
  readonly left: number;
  readonly width: number;
}

/** What of a stretch is in sight; undefined for nothing. Even the shortest can be seen. */
export function shownRange(view: TimeRange, range: TimeRange): ShownRange | undefined {
  const from = Math.max(0, shareOf(view, range.fromMs));
  const to = Math.min(1, shareOf(view, range.toMs));
  if (to <= 0 || from >= 1 || to < from) return undefined;
  return { left: from * 100, width: Math.max((to - from) * 100, LEAST_PERCENT) };
}

const LEAST_PERCENT = 0.15;

/** Within the whole, no shorter than a minute; the whole itself where both are the same. */
export function zoomedTo(whole: TimeRange, range: TimeRange): TimeRange {
  const middle = (range.fromMs + range.toMs) / 2;
  const length = Math.min(Math.max(range.toMs - range.fromMs, SHORTEST_ZOOM_MS), whole.toMs - whole.fromMs);
  const from = Math.min(Math.max(middle - length / 2, whole.fromMs), whole.toMs - length);
  const fromMs = Math.round(from);
  const toMs = Math.round(from + length);
  return fromMs <= whole.fromMs && toMs >= whole.toMs ? whole : { fromMs, toMs };
}

/** Around a moment, which keeps its place where there is room. */
export function zoomedBy(whole: TimeRange, view: TimeRange, factor: number, aroundMs: number): TimeRange {
  const share = Math.min(Math.max(shareOf(view, aroundMs), 0), 1);
  const length = (view.toMs - view.fromMs) / factor;
  const fromMs = aroundMs - share * length;
  return zoomedTo(whole, { fromMs, toMs: fromMs + length });
}

/** The view, moved as little as it takes to show the moment: a clock that leaves it takes it along. */
export function viewWith(whole: TimeRange, view: TimeRange, atMs: number): TimeRange {
  if (view.fromMs <= atMs && atMs <= view.toMs) return view;
  const length = view.toMs - view.fromMs;
  const fromMs = atMs > view.toMs ? atMs - length * 0.1 : atMs - length * 0.9;
  return zoomedTo(whole, { fromMs, toMs: fromMs + length });
}
