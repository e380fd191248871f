import { type RefObject, useEffect } from 'react';
import { loadChunk } from '../loadChunk.ts';
import type { BaseMapOptions } from './baseMap.ts';
import type { TrackContent } from './trackLayer.ts';
import type { TrackMap } from './trackMap.ts';
import { type MapState, useMap } from './useMap.ts';

/** The map shows the content, and looks at all of it whenever it is another object. */
export function useTrackMap(host: RefObject<HTMLElement | null>, content: TrackContent): MapState<TrackMap> {
  const state = useMap(host, loadTrackMap);
  const map = state.kind === 'ready' ? state.map : undefined;
  useEffect(() => map?.show(content), [map, content]);
  return state;
}

async function loadTrackMap() {
  const parts = await loadChunk(() => import('./trackMap.ts'), 'trackMap');
  return (options: BaseMapOptions) => new parts.TrackMap(options);
}
