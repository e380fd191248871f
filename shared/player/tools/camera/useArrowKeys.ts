import { useEffect } from 'react';
import type { PtzDirection } from '../../../protocol/stream/controlMessages.ts';
import type { CameraLine } from './cameraLine.ts';

const DIRECTIONS: Readonly<Record<string, PtzDirection>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
};

/** Arrow keys anywhere in the tile move its camera while they are down. */
export function useArrowKeys(tile: HTMLElement, line: CameraLine | undefined, speed: number): void {
  useEffect(() => {
    if (line === undefined) return;
    const listeners = new AbortController();
    const { signal } = listeners;
    const down = (event: KeyboardEvent) => {
      if (event.key === 'Escape') line.stop();
      const direction = DIRECTIONS[event.key];
      const isOwn = event.target instanceof Element && event.target.closest('[data-own-keys]') !== null;
      if (direction === undefined || isOwn || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      if (!event.repeat) line.start(holderOf(direction), { type: 'move', direction, speed });
    };
    const up = (event: KeyboardEvent) => {
      const direction = DIRECTIONS[event.key];
      if (direction !== undefined) line.stop(holderOf(direction));
    };
    // Before the tile's other keys, which push an enlarged picture.
    tile.addEventListener('keydown', down, { signal, capture: true });
    tile.addEventListener('keyup', up, { signal });
    tile.addEventListener('focusout', () => stopArrows(line), { signal });
    return () => listeners.abort();
  }, [tile, line, speed]);
}

const HOLDERS: Readonly<Record<PtzDirection, object>> = { up: {}, down: {}, left: {}, right: {} };

function holderOf(direction: PtzDirection): object {
  return HOLDERS[direction];
}

/** The key that is down will come up somewhere else. */
function stopArrows(line: CameraLine): void {
  for (const holder of Object.values(HOLDERS)) line.stop(holder);
}
