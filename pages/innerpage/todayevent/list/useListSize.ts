import { type RefObject, useEffect, useState } from 'react';

/** Narrower than this, an event takes three lines. */
const COMPACT_BELOW_PIXELS = 640;

/** Whether the list is narrow: the window is, or the details stand beside it. */
export function useIsCompact(host: RefObject<HTMLElement | null>): boolean {
  const [isCompact, setCompact] = useState(false);
  useEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    const watch = new ResizeObserver(() => setCompact(element.clientWidth < COMPACT_BELOW_PIXELS));
    watch.observe(element);
    return () => watch.disconnect();
  }, [host]);
  return isCompact;
}
