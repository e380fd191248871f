// Which recordings of a timeline were fetched from the device's card, and how that is marked. Pure.
import type { ChannelRanges } from './rangeStore.ts';
import type { TimeRange } from './ranges.ts';
import { isIn, type TimelineView, xOf } from './timelineView.ts';

/** Pixels from the timeline's left edge. */
export interface Stretch {
  readonly left: number;
  readonly right: number;
}

export interface Scale {
  readonly view: TimelineView;
  readonly width: number;
}

/** A line that is shorter is lost among the marks of the clock. */
const LEAST_LINE = 3;
/** In less, stripes may cover the recording or miss it. */
const LEAST_HATCHED = 8;

/** Where ranges that are in order are drawn, each at least so wide; what would lie on earlier ones is left out. */
export function stretchesOf(ranges: readonly TimeRange[], { view, width }: Scale, leastWidth: number): Stretch[] {
  const found: Stretch[] = [];
  let drawnTo = Number.NEGATIVE_INFINITY;
  for (const { fromMs, toMs } of ranges) {
    if (toMs <= view.fromMs || fromMs >= view.toMs) continue;
    const left = Math.max(xOf(view, fromMs, width), 0);
    const right = Math.min(Math.max(xOf(view, toMs, width), left + leastWidth), width);
    if (right <= drawnTo) continue;
    drawnTo = right;
    found.push({ left, right });
  }
  return found;
}

/** What of a lane is hatched. Its shorter stretches have the line alone. */
export function hatchedOf({ fetched = [] }: ChannelRanges, scale: Scale): Stretch[] {
  return stretchesOf(fetched, scale, 0).filter(({ left, right }) => right - left >= LEAST_HATCHED);
}

/** The line below all lanes: where any of them was fetched. However short, it is seen. */
export function fetchedLine(channels: readonly ChannelRanges[], scale: Scale): Stretch[] {
  const all = channels.flatMap(({ fetched = [] }) => fetched);
  const inOrder = all.toSorted((one, other) => one.fromMs - other.fromMs);
  return stretchesOf(inOrder, scale, LEAST_LINE);
}

/** Whether a view has something that needs explaining. */
export function showsFetched(channels: readonly ChannelRanges[], view: TimelineView): boolean {
  return channels.some(({ fetched = [] }) =>
    fetched.some(({ fromMs, toMs }) => fromMs < view.toMs && toMs > view.fromMs),
  );
}

/** Whether a moment of any of the channels was fetched. */
export function isFetchedAt(channels: readonly ChannelRanges[], atMs: number): boolean {
  return channels.some(({ fetched = [] }) => fetched.some((range) => isIn(range, atMs)));
}
