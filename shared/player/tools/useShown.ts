// When a tile's tools are seen: while somebody is about, and not longer.
import { useEffect, useRef, useState } from 'react';
import { isTool } from './zoomControl.ts';

const HIDE_AFTER_MS = 3_000;
/** A finger does not hover: it needs time to come back. */
const HIDE_AFTER_TAP_MS = 5_000;

export interface ShownOptions {
  /** Something is open that must not go. */
  readonly isHeld: boolean;
  /** A touch that was part of a drag is no tap. */
  readonly isDragging: () => boolean;
  /** The tile is too small for tools: a tap does this instead, and says so by `true`. */
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
      // A mouse that rests on the tools is about to use them.
      show(isTool(event.target) ? 60_000 : HIDE_AFTER_MS);
    };
    tile.addEventListener('pointermove', byMouse, { signal });
    tile.addEventListener('pointerdown', byMouse, { signal });
    tile.addEventListener('pointerleave', (event) => event.pointerType !== 'touch' && hide(), { signal });
    tile.addEventListener('pointerup', (event) => event.pointerType === 'touch' && tapped(event), { signal });
    let isUp = false;
    const tapped = (event: PointerEvent) => {
      if (current.current.isDragging()) return;
      if (!isTool(event.target) && current.current.onSmallTap()) return show(HIDE_AFTER_TAP_MS);
      isUp = isTool(event.target) || !tile.querySelector('.tile-toolbar[data-shown="true"]');
      if (isUp) show(HIDE_AFTER_TAP_MS);
      else hide();
    };
    // By the mouse focus comes too, and stays when the mouse has gone.
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
