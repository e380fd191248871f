import { type RefCallback, useCallback, useState } from 'react';

/** Whether an element has been in view, or nearly: what costs a download waits for it. */
export function useSeen(): { readonly isSeen: boolean; readonly ref: RefCallback<Element> } {
  const [isSeen, setSeen] = useState(false);
  const ref = useCallback((element: Element | null) => {
    if (element === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        setSeen(true);
      },
      { rootMargin: MARGIN },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { isSeen, ref };
}

/** Pictures are there before a scroll reaches them. */
const MARGIN = '200px';
