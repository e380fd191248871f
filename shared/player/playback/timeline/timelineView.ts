// Which stretch of time a timeline shows, and where a moment lies in it. Pure.

/** Half open: from the first millisecond to the one after the last. */
export interface TimelineView {
  readonly fromMs: number;
  readonly toMs: number;
}

const MINUTE_MS = 60_000;
export const SHORTEST_MS = MINUTE_MS;
/** A day plus an hour, for the end of summer time. */
export const LONGEST_MS = 25 * 60 * MINUTE_MS;
/** Share of the span at its end; when play reaches it, the view moves on. */
const MARGIN = 0.05;

export function spanOf({ fromMs, toMs }: TimelineView): number {
  return toMs - fromMs;
}

/** The day of the browser's zone that the moment is in: 23 hours or 25 when the clocks are changed. */
export function dayOf(atMs: number): TimelineView {
  const date = new Date(atMs);
  const midnight = (days: number): number =>
    new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).getTime();
  return { fromMs: midnight(0), toMs: midnight(1) };
}

/** Zooms by a factor (2: half the span), the moment keeps its place. */
export function zoomed(view: TimelineView, factor: number, aboutMs: number): TimelineView {
  const span = Math.min(Math.max(spanOf(view) / factor, SHORTEST_MS), LONGEST_MS);
  const share = (aboutMs - view.fromMs) / spanOf(view);
  const fromMs = Math.round(aboutMs - share * span);
  return { fromMs, toMs: fromMs + Math.round(span) };
}

export function panned({ fromMs, toMs }: TimelineView, byMs: number): TimelineView {
  const rounded = Math.round(byMs);
  return { fromMs: fromMs + rounded, toMs: toMs + rounded };
}

/** The view moved, and shortened if need be, into the bounds. */
export function fitted(view: TimelineView, bounds: TimelineView | undefined): TimelineView {
  if (bounds === undefined) return view;
  if (spanOf(view) >= spanOf(bounds)) return bounds;
  if (view.fromMs < bounds.fromMs) return panned(view, bounds.fromMs - view.fromMs);
  return view.toMs > bounds.toMs ? panned(view, bounds.toMs - view.toMs) : view;
}

export function isIn({ fromMs, toMs }: TimelineView, atMs: number): boolean {
  return atMs >= fromMs && atMs < toMs;
}

/** The view that contains the position: the same one as long as it does; a day is followed by the next day. */
export function following(view: TimelineView, positionMs: number, bounds?: TimelineView): TimelineView {
  if (bounds !== undefined && spanOf(view) >= spanOf(bounds)) return bounds;
  const margin = spanOf(view) * MARGIN;
  const isDay = isWholeDay(view);
  if (isDay) return isIn(view, positionMs) ? view : dayOf(positionMs);
  if (positionMs >= view.fromMs && positionMs < view.toMs - margin) return view;
  const fromMs = Math.round(positionMs - margin);
  const next = fitted({ fromMs, toMs: fromMs + spanOf(view) }, bounds);
  // Nothing follows the last stretch within bounds.
  return next.fromMs === view.fromMs ? view : next;
}

function isWholeDay({ fromMs, toMs }: TimelineView): boolean {
  const day = dayOf(fromMs);
  return day.fromMs === fromMs && day.toMs === toMs;
}

export function xOf({ fromMs, toMs }: TimelineView, atMs: number, width: number): number {
  return ((atMs - fromMs) / (toMs - fromMs)) * width;
}

export function timeAt({ fromMs, toMs }: TimelineView, x: number, width: number): number {
  return fromMs + (width === 0 ? 0 : x / width) * (toMs - fromMs);
}
