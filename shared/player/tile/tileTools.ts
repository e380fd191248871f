// The tools on the tiles come after the first picture, once for all tiles of a page: no picture waits for them, and one
// that cannot be loaded costs none.
import { type ComponentType, useSyncExternalStore } from 'react';
import { ChunkLoadError, loadChunk } from '../../ui/loadChunk.ts';
import type { TileToolsProps } from './tileToolOptions.ts';

export type ToolsState =
  | { readonly kind: 'none' }
  | { readonly kind: 'ready'; readonly Tools: ComponentType<TileToolsProps> }
  | { readonly kind: 'failed'; readonly chunk: string };

let state: ToolsState = { kind: 'none' };
let loading: Promise<void> | undefined;
const listeners = new Set<() => void>();

/** Safe to call again and again. */
export function loadTileTools(): Promise<void> {
  loading ??= loadChunk(() => import('../tools/TileTools.tsx'), 'TileTools').then(
    ({ TileTools }) => set({ kind: 'ready', Tools: TileTools }),
    (error: unknown) => {
      console.warn(error);
      set({ kind: 'failed', chunk: error instanceof ChunkLoadError ? error.chunk : 'TileTools' });
    },
  );
  return loading;
}

export function useTileTools(): ToolsState {
  return useSyncExternalStore(subscribe, () => state);
}

function set(next: ToolsState): void {
  state = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
