// What the reader has chosen of the fleet: a filter, and one device.
import { useMemo, useState } from 'react';
import type { LiveDevice } from '../../../shared/protocol/api/liveUpdates.ts';
import {
  type Card,
  type DeviceSet,
  EVERYTHING,
  type FleetFilter,
  FleetOrder,
  filterDevices,
  type GroupChoice,
  groupsOf,
} from './fleetFilter.ts';

export interface FleetChoice {
  readonly filter: FleetFilter;
  /** By name. */
  readonly shown: readonly LiveDevice[];
  readonly groups: readonly GroupChoice[];
  readonly selected: LiveDevice | undefined;
  readonly isFollowing: boolean;
  readonly setCard: (card: Card) => void;
  readonly setGroup: (group: number) => void;
  /** These devices, whatever was chosen before; undefined takes it back. */
  readonly showOnly: (devices: DeviceSet | undefined) => void;
  /** Exactly what a card counts. */
  readonly showCard: (card: Card) => void;
  readonly clear: () => void;
  readonly select: (deviceId: string | undefined) => void;
  readonly setFollowing: (isFollowing: boolean) => void;
}

export function useFleetFilter(devices: ReadonlyMap<string, LiveDevice>, search: string): FleetChoice {
  const [order] = useState(() => new FleetOrder());
  const [choice, setChoice] = useState(EVERYTHING);
  const [selectedId, select] = useState<string>();
  const [isFollowing, setFollowing] = useState(false);
  const filter = useMemo(() => ({ ...choice, search }), [choice, search]);
  const sorted = useMemo(() => order.sorted(devices), [order, devices]);
  const shown = useMemo(() => filterDevices(sorted, filter), [sorted, filter]);
  const groups = useMemo(() => groupsOf(devices.values()), [devices]);
  return {
    filter,
    shown,
    groups,
    selected: selectedId === undefined ? undefined : devices.get(selectedId),
    isFollowing,
    setCard: (card) => setChoice((before) => ({ ...before, card })),
    setGroup: (group) => setChoice((before) => ({ ...before, group })),
    showOnly: (only) => setChoice((before) => ({ ...(only === undefined ? before : EVERYTHING), only })),
    showCard: (card) => setChoice({ ...EVERYTHING, card }),
    clear: () => setChoice(EVERYTHING),
    select: (deviceId) => {
      select(deviceId);
      if (deviceId === undefined) setFollowing(false);
    },
    setFollowing,
  };
}
