// What is edited, on the page's map: drawn there, and changed there by pointer.
import { useEffect, useEffectEvent } from 'react';
import { loadChunk } from '../../../../shared/ui/loadChunk.ts';
import type { ShapeDraft } from '../edit/shapeDraft.ts';
import type { FenceMap, MapSketch } from './fenceMap.ts';

export interface SketchEvents {
  readonly onLive: (draft: ShapeDraft) => void;
  readonly onShape: (draft: ShapeDraft) => void;
  /** The drawing tool could not be loaded: numbers can still be typed. */
  readonly onFailure: (error: unknown) => void;
}

/** `map`: undefined while there is no map. */
export function useSketch(map: FenceMap | undefined, sketch: MapSketch, events: SketchEvents): void {
  const live = useEffectEvent(events.onLive);
  const shape = useEffectEvent(events.onShape);
  const fail = useEffectEvent(events.onFailure);
  useEffect(() => map?.sketch(sketch), [map, sketch]);
  useEffect(() => {
    if (map === undefined) return undefined;
    const stop = drawOn(map, {
      onLive: (draft) => live(draft),
      onShape: (draft) => shape(draft),
      onFailure: (error) => fail(error),
    });
    return () => {
      stop();
      map.sketch(undefined);
    };
  }, [map]);
}

/** The result ends it, also before the tool has come. */
function drawOn(map: FenceMap, { onLive, onShape, onFailure }: SketchEvents): () => void {
  let stop: (() => void) | undefined;
  let isOver = false;
  loadChunk(() => import('./fenceDrawing.ts'), 'fenceDrawing').then(({ FenceDrawing }) => {
    if (!isOver) stop = map.startDrawing((own) => new FenceDrawing({ ...own, onLive, onShape }));
  }, onFailure);
  return () => {
    isOver = true;
    stop?.();
  };
}
