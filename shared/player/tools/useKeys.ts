import { useEffect, useRef } from 'react';
import { commandOf, type TileCommand } from './keys.ts';

/**
 * The keys of a tile while the focus is in it; `run` says whether it had a use for the command. Escape goes back
 * wherever the focus is, while `canGoBack`.
 */
export function useKeys(tile: HTMLElement, run: (command: TileCommand) => boolean, canGoBack: boolean): void {
  const current = useRef(run);
  useEffect(() => {
    current.current = run;
  });
  useEffect(() => {
    tile.tabIndex = 0;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || hasOwnUse(event)) return;
      const command = commandOf(event);
      if (command !== undefined && current.current(command)) event.preventDefault();
    };
    tile.addEventListener('keydown', onKey);
    return () => {
      tile.removeEventListener('keydown', onKey);
      tile.removeAttribute('tabindex');
    };
  }, [tile]);
  useEffect(() => {
    if (!canGoBack) return;
    const onEscape = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !tile.contains(event.target as Node))
        current.current('back');
    };
    document.addEventListener('keydown', onEscape);
    return () => document.removeEventListener('keydown', onEscape);
  }, [tile, canGoBack]);
}

/** Parts of the tile name the keys that are theirs: all, or the arrows. */
function hasOwnUse({ target, key }: KeyboardEvent): boolean {
  const part = target instanceof Element ? target.closest<HTMLElement>('[data-own-keys]') : null;
  if (part === null) return false;
  return part.dataset.ownKeys === 'all' || key.startsWith('Arrow');
}
