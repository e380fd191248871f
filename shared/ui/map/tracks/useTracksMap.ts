import { type RefObject, useEffect, useEffectEvent } from 'react';
import { loadChunk } from '../../loadChunk.ts';
import type { BaseMapOptions } from '../baseMap.ts';
import { type MapState, useMap } from '../useMap.ts';
import type { MapMark, TracksContent } from './tracksLayer.ts';
import type { TracksMap } from './tracksMap.ts';

export interface UseTracksMapOptions {
  /** Must be the same object until something is another. */
  readonly content: TracksContent;
  readonly onMark: (mark: MapMark) => void;
  readonly onMoved: () => void;
  readonly onZoom: (zoom: number) => void;
}

export function useTracksMap(
  host: RefObject<HTMLElement | null>,
  { content, ...options }: UseTracksMapOptions,
): MapState<TracksMap> {
  const mark = useEffectEvent(options.onMark);
  const moved = useEffectEvent(options.onMoved);
  const zoom = useEffectEvent(options.onZoom);
  const open = async () => {
    const parts = await loadChunk(() => import('./tracksMap.ts'), 'tracksMap');
    return (base: BaseMapOptions) =>
      new parts.TracksMap({
        ...base,
        onMark: (chosen) => mark(chosen),
        onMoved: () => moved(),
        onZoom: (level) => zoom(level),
      });
  };
  const state = useMap(host, open);
  const map = state.kind === 'ready' ? state.map : undefined;
  useEffect(() => map?.show(content), [map, content]);
  return state;
}
