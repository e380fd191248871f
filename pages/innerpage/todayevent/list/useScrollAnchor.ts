import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { ListItem } from '../model/listItems.ts';
import { anchoredScroll } from '../model/listLayout.ts';

/** Keeps what is read where it is while events come in above. */
export function useScrollAnchor(
  scroller: RefObject<HTMLElement | null>,
  items: readonly ListItem[],
  isCompact: boolean,
): void {
  const before = useRef(items);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || before.current === items) return;
    const top = anchoredScroll(before.current, items, { scrollTop: element.scrollTop, isCompact });
    before.current = items;
    if (top !== undefined) element.scrollTop = top;
  }, [scroller, items, isCompact]);
}
