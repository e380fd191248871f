import { type RefObject, useEffect, useEffectEvent } from 'react';
import type { EventRow } from '../../../../shared/protocol/api/events.ts';
import type { ShownFence } from '../../../../shared/protocol/api/fences/fences.ts';
import { loadChunk } from '../../../../shared/ui/loadChunk.ts';
import type { BaseMapOptions } from '../../../../shared/ui/map/baseMap.ts';
import { type MapState, useMap } from '../../../../shared/ui/map/useMap.ts';
import type { EventsMap } from './eventsMap.ts';

export interface UseEventsMapOptions {
  readonly events: readonly EventRow[];
  readonly fences: readonly ShownFence[];
  readonly selectedId: number | undefined;
  readonly onSelect: (eventId: number | undefined) => void;
  readonly onTogether: (events: readonly EventRow[]) => void;
}

export function useEventsMap(
  host: RefObject<HTMLElement | null>,
  { events, fences, selectedId, onSelect, onTogether }: UseEventsMapOptions,
): MapState<EventsMap> {
  const select = useEffectEvent(onSelect);
  const together = useEffectEvent(onTogether);
  const open = async () => {
    const parts = await loadChunk(() => import('./eventsMap.ts'), 'eventsMap');
    return (base: BaseMapOptions) =>
      new parts.EventsMap({
        ...base,
        onSelect: (eventId) => select(eventId),
        onTogether: (several) => together(several),
      });
  };
  const state = useMap(host, open);
  const map = state.kind === 'ready' ? state.map : undefined;
  useEffect(() => map?.show({ events, selectedId }), [map, events, selectedId]);
  useEffect(() => map?.showFences(fences), [map, fences]);
  return state;
}
