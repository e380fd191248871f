// The fence page's map in the life of a component.
import { type RefObject, useEffect, useEffectEvent } from 'react';
import { loadChunk } from '../../../../shared/ui/loadChunk.ts';
import type { BaseMapOptions } from '../../../../shared/ui/map/baseMap.ts';
import { type MapState, useMap } from '../../../../shared/ui/map/useMap.ts';
import type { FenceMap, FenceMapContent } from './fenceMap.ts';

export interface UseFenceMapOptions extends FenceMapContent {
  readonly onSelect: (fence: number | undefined) => void;
  readonly onPoint: (fence: number | undefined) => void;
}

export function useFenceMap(host: RefObject<HTMLElement | null>, options: UseFenceMapOptions): MapState<FenceMap> {
  const { fences, selectedId, pointedId } = options;
  const select = useEffectEvent((fence: number | undefined) => options.onSelect(fence));
  const point = useEffectEvent((fence: number | undefined) => options.onPoint(fence));
  const open = async () => {
    const parts = await loadChunk(() => import('./fenceMap.ts'), 'fenceMap');
    return (base: BaseMapOptions) =>
      new parts.FenceMap({ ...base, onSelect: (fence) => select(fence), onPoint: (fence) => point(fence) });
  };
  const state = useMap(host, open);
  const map = state.kind === 'ready' ? state.map : undefined;
  useEffect(() => map?.show({ fences, selectedId, pointedId }), [map, fences, selectedId, pointedId]);
  return state;
}
