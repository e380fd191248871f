import { type RefCallback, useCallback, useState } from 'react';

interface PanelPlace {
  readonly ref: RefCallback<HTMLElement>;
  readonly popover: 'manual' | undefined;
}

/** A lower tile would cut a panel off. */
const PANEL_FROM_PIXELS = 330;

/** For a panel's element: in its tile where that is large enough, else over the page. */
export function usePanelPlace(tile: HTMLElement): PanelPlace {
  const [popover] = useState(() => (tile.clientHeight < PANEL_FROM_PIXELS ? ('manual' as const) : undefined));
  const ref = useCallback((panel: HTMLElement | null) => {
    if (panel?.popover === 'manual') panel.showPopover();
  }, []);
  return { ref, popover };
}
