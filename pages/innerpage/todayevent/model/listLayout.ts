// How high the items of the list are, and how it stays where it is read while others come in above. Pure.
import type { ListItem } from './listItems.ts';

export const DEVICE_PIXELS = 44;
const EVENT_PIXELS = 56;
/** In a narrow list an event takes three lines. */
const COMPACT_EVENT_PIXELS = 78;

export function itemPixels({ kind }: ListItem, isCompact: boolean): number {
  if (kind === 'device') return DEVICE_PIXELS;
  return isCompact ? COMPACT_EVENT_PIXELS : EVENT_PIXELS;
}

export function itemKey(item: ListItem): string {
  return item.kind === 'device' ? `device ${item.deviceid}` : `event ${item.event.id}`;
}

export interface ListScroll {
  readonly scrollTop: number;
  readonly isCompact: boolean;
}

/** The scroll position that keeps the row at the top of the window there. At the very top the newest events are wanted; undefined: stay. */
export function anchoredScroll(
  before: readonly ListItem[],
  after: readonly ListItem[],
  { scrollTop, isCompact }: ListScroll,
): number | undefined {
  if (scrollTop <= 0) return undefined;
  const offsets = new Map<string, number>();
  let offset = 0;
  for (const item of after) {
    offsets.set(itemKey(item), offset);
    offset += itemPixels(item, isCompact);
  }
  let top = 0;
  for (const item of before) {
    const bottom = top + itemPixels(item, isCompact);
    const now = bottom > scrollTop ? offsets.get(itemKey(item)) : undefined;
    if (now !== undefined) return now === top ? undefined : Math.max(0, scrollTop + now - top);
    top = bottom;
  }
  return undefined;
}
