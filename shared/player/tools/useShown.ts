// Shows a tile's tools while somebody is using the tile.
import { useEffect, useRef, useState } from 'react';
import { isTool } from './zoomControl.ts';

const HIDE_AFTER_MS = 3_000;
/** Once, when they have come: who has no pointer on the tile sees that there are tools. */
const FIRST_SHOWN_MS = 5_000;
/** A narrower tile has no room for a row; a tap enlarges it. */
const ROW_FROM_PIXELS = 210;
/** A finger does not hover: it needs time to come back. */
const HIDE_AFTER_TAP_MS = 5_000;

export interface ShownOptions {
  /** Something is open, so the tools must stay. */
  readonly isHeld: boolean;
  /** Whether a touch is part of a drag, and so isn't a tap. */
  readonly isDragging: () => boolean;
  /** Called for a tap on a tile that is too small for tools; true if it did something. */
  readonly onSmallTap: () => boolean;
}

export function useShown(tile: HTMLElement, options: ShownOptions): boolean {
  const [isShown, setShown] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  const current = useRef(options);
  useEffect(() => {
    current.current = options;
  });
  useEffect(() => {
    const listeners = new AbortController();
    const { signal } = listeners;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = (forMs: number) => {
      clearTimeout(timer);
      setShown(true);
      timer = setTimeout(() => setShown(false), forMs);
    };
    const hide = () => {
      clearTimeout(timer);
      setShown(false);
    };
    const byMouse = (event: PointerEvent) => {
      if (event.pointerType === 'touch') return;
      // A mouse resting on the tools is about to use them.
      show(isTool(event.target) ? 60_000 : HIDE_AFTER_MS);
    };
    let isFirst = true;
    if (tile.clientWidth >= ROW_FROM_PIXELS) show(FIRST_SHOWN_MS);
    tile.addEventListener('pointermove', byMouse, { signal });
    tile.addEventListener('pointerdown', byMouse, { signal });
    tile.addEventListener('pointerleave', (event) => event.pointerType !== 'touch' && hide(), { signal });
    tile.addEventListener('pointerup', (event) => event.pointerType === 'touch' && tapped(event), { signal });
    let isUp = false;
    const tapped = (event: PointerEvent) => {
      if (current.current.isDragging()) return;
      if (!isTool(event.target) && current.current.onSmallTap()) return show(HIDE_AFTER_TAP_MS);
      // Tools that came by themselves stay for the finger that wants them.
      isUp = isTool(event.target) || isFirst || !tile.querySelector('.tile-toolbar[data-shown="true"]');
      isFirst = false;
      if (isUp) show(HIDE_AFTER_TAP_MS);
      else hide();
    };
    // A mouse click also sets the focus, which stays after the mouse has left, so only visible focus counts.
    tile.addEventListener(
      'focusin',
      () => setFocus(tile.querySelector(':focus-visible') !== null || tile.matches(':focus-visible')),
      { signal },
    );
    tile.addEventListener('focusout', () => setFocus(false), { signal });
    return () => {
      listeners.abort();
      clearTimeout(timer);
    };
  }, [tile]);
  return isShown || hasFocus || options.isHeld;
}
