// The map of devices in the life of a component: fed while it stands.
import { type RefObject, useEffect, useEffectEvent } from 'react';
import type { ShownFence } from '../../protocol/api/fences/fences.ts';
import type { LiveDevice } from '../../protocol/api/liveUpdates.ts';
import { loadChunk } from '../loadChunk.ts';
import type { BaseMapOptions } from './baseMap.ts';
import type { Covered, FleetMap } from './fleetMap.ts';
import { type MapState, useMap } from './useMap.ts';

export interface UseFleetMapOptions {
  readonly devices: readonly LiveDevice[];
  /** Drawn, and looked at, whether or not it is among the devices. */
  readonly selected: LiveDevice | undefined;
  readonly isFollowing: boolean;
  /** Below the devices. */
  readonly fences: readonly ShownFence[];
  /** With another value the map goes to where devices are, unless some are in view: what a reader asked for is not left to be searched. */
  readonly viewKey: unknown;
  /** What lies over a part of the map. */
  readonly panel: RefObject<HTMLElement | null>;
  readonly onSelect: (deviceId: string | undefined) => void;
  /** Several devices that no zoom sets apart. */
  readonly onTogether: (deviceIds: readonly string[]) => void;
  /** The reader has moved the map: no device is followed any more. */
  readonly onMoved: () => void;
}

export function useFleetMap(host: RefObject<HTMLElement | null>, options: UseFleetMapOptions): MapState<FleetMap> {
  const { devices, selected, isFollowing, fences, viewKey } = options;
  const select = useEffectEvent((deviceId: string | undefined) => options.onSelect(deviceId));
  const together = useEffectEvent((deviceIds: readonly string[]) => options.onTogether(deviceIds));
  const moved = useEffectEvent(() => options.onMoved());
  const panel = useEffectEvent(() => options.panel.current);
  const open = async () => {
    const parts = await loadChunk(() => import('./fleetMap.ts'), 'fleetMap');
    return (base: BaseMapOptions) =>
      new parts.FleetMap({
        ...base,
        onSelect: (deviceId) => select(deviceId),
        onTogether: (deviceIds) => together(deviceIds),
        covered: () => coveredBy(base.host, panel()),
        onMoved: () => moved(),
      });
  };
  const state = useMap(host, open);
  const map = state.kind === 'ready' ? state.map : undefined;
  useEffect(() => map?.show({ devices, selected, isFollowing }), [map, devices, selected, isFollowing]);
  useEffect(() => map?.showFences(fences), [map, fences]);
  useEffect(() => {
    void viewKey;
    map?.showSome();
  }, [map, viewKey]);
  return state;
}

/** What the panel hides: the map's lower part where it is as wide as the map, else the part at its left. */
function coveredBy(map: HTMLElement, panel: HTMLElement | null): Covered {
  if (panel === null) return { left: 0, below: 0 };
  const [whole, part] = [map.getBoundingClientRect(), panel.getBoundingClientRect()];
  if (part.width < whole.width * 0.9) return { left: Math.max(0, part.right - whole.left), below: 0 };
  return { left: 0, below: Math.max(0, whole.bottom - part.top) };
}
