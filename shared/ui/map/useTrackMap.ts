import { type RefObject, useEffect } from 'react';
import { loadChunk } from '../loadChunk.ts';
import type { BaseMapOptions } from './baseMap.ts';
import { useShownFences } from './fences/useShownFences.ts';
import type { TrackContent } from './trackLayer.ts';
import type { TrackMap } from './trackMap.ts';
import { type MapState, useMap } from './useMap.ts';

/** The map shows the content among the member group's fences, and looks at all of it whenever it is another object. */
export function useTrackMap(host: RefObject<HTMLElement | null>, content: TrackContent): MapState<TrackMap> {
  const state = useMap(host, loadTrackMap);
  const map = state.kind === 'ready' ? state.map : undefined;
  const fences = useShownFences();
  useEffect(() => map?.show(content), [map, content]);
  useEffect(() => map?.showFences(fences), [map, fences]);
  return state;
}

async function loadTrackMap() {
  const parts = await loadChunk(() => import('./trackMap.ts'), 'trackMap');
  return (options: BaseMapOptions) => new parts.TrackMap(options);
}
