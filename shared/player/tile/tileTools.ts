// The tools on the tiles come after the first picture, once for all tiles of a page: no picture waits for them, and one
// that cannot be loaded costs none.
import { type ComponentType, useSyncExternalStore } from 'react';
import { ChunkLoadError, loadChunk } from '../../ui/loadChunk.ts';
import type { PlayerEngine } from '../engine/engine.ts';
import type { QualityState, TilePlayer } from './tilePlayer.ts';
import type { SoundState } from './tileSound.ts';
import type { TileState } from './tileState.ts';

/** What a page's tiles offer beside sound, snapshot, zoom, statistics and full screen, which every stream has. */
export interface TileToolOptions {
  /** Snapshots are named by it. */
  readonly deviceid: string;
  /** The stream comes in two qualities. */
  readonly hasQualities?: boolean;
  /** The address of the line to the channel's loudspeaker, where there is one. */
  readonly talkUrl?: string | undefined;
  /** The address of the line to the channel's camera, where it can be moved. */
  readonly ptzUrl?: string | undefined;
}

/** A tile that can be shown alone in the place of all. */
export interface EnlargeControl {
  readonly isEnlarged: boolean;
  readonly toggle: () => void;
}

export interface TileToolsProps {
  readonly tile: HTMLElement;
  readonly player: TilePlayer;
  readonly engine: PlayerEngine;
  readonly channel: number;
  readonly state: TileState;
  readonly sound: SoundState;
  readonly quality: QualityState;
  readonly options: TileToolOptions;
  /** Absent where there is only one tile. */
  readonly enlarge: EnlargeControl | undefined;
  /** Another tile stands in its place. */
  readonly isCovered: boolean;
}

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
