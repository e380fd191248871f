// The fence page's map in the life of a component: fed while it stands, with the drawing tool while something is edited.
import { type RefObject, useEffect, useEffectEvent } from 'react';
import { loadChunk } from '../../../../shared/ui/loadChunk.ts';
import type { BaseMapOptions } from '../../../../shared/ui/map/baseMap.ts';
import { type MapState, useMap } from '../../../../shared/ui/map/useMap.ts';
import { notify } from '../../../../shared/ui/notifications.tsx';
import type { ShapeDraft } from '../edit/shapeDraft.ts';
import type { FenceMap, FenceMapContent, MapSketch } from './fenceMap.ts';

export interface FenceMapEvents {
  readonly onSelect: (fence: number | undefined) => void;
  readonly onPoint: (fence: number | undefined) => void;
  readonly onLive: (draft: ShapeDraft) => void;
  readonly onShape: (draft: ShapeDraft) => void;
}

export interface UseFenceMapOptions extends FenceMapEvents {
  readonly content: FenceMapContent;
  readonly sketch: MapSketch | undefined;
}

export function useFenceMap(host: RefObject<HTMLElement | null>, options: UseFenceMapOptions): MapState<FenceMap> {
  const { content, sketch } = options;
  const select = useEffectEvent((fence: number | undefined) => options.onSelect(fence));
  const point = useEffectEvent((fence: number | undefined) => options.onPoint(fence));
  const live = useEffectEvent((draft: ShapeDraft) => options.onLive(draft));
  const shape = useEffectEvent((draft: ShapeDraft) => options.onShape(draft));
  const open = async () => {
    const parts = await loadChunk(() => import('./fenceMap.ts'), 'fenceMap');
    return (base: BaseMapOptions) =>
      new parts.FenceMap({ ...base, onSelect: (fence) => select(fence), onPoint: (fence) => point(fence) });
  };
  const state = useMap(host, open);
  const map = state.kind === 'ready' ? state.map : undefined;
  useEffect(() => map?.show(content), [map, content]);
  useEffect(() => map?.sketch(sketch), [map, sketch]);
  const isEditing = sketch !== undefined;
  useEffect(() => {
    if (map === undefined || !isEditing) return undefined;
    return drawOn(map, { onLive: (draft) => live(draft), onShape: (draft) => shape(draft) });
  }, [map, isEditing]);
  return state;
}

/** The result ends it, also before the tool has come. */
function drawOn(map: FenceMap, events: Pick<FenceMapEvents, 'onLive' | 'onShape'>): () => void {
  let stop: (() => void) | undefined;
  let isOver = false;
  loadChunk(() => import('./fenceDrawing.ts'), 'fenceDrawing').then(
    ({ FenceDrawing }) => {
      if (!isOver) stop = map.startDrawing((own) => new FenceDrawing({ ...own, ...events }));
    },
    (error: unknown) => notify('error', String(error)),
  );
  return () => {
    isOver = true;
    stop?.();
  };
}
