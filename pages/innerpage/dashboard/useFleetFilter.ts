// What the reader has chosen of the fleet: a filter, and one device.
import { useMemo, useState } from 'react';
import type { LiveDevice } from '../../../shared/protocol/api/liveUpdates.ts';
import {
  type Card,
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
  readonly setOnly: (deviceIds: readonly string[] | undefined) => void;
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
    // A card pressed again shows everything.
    setCard: (card) =>
      setChoice((before) => ({ ...before, only: undefined, card: before.card === card ? 'total' : card })),
    setGroup: (group) => setChoice((before) => ({ ...before, group, only: undefined })),
    setOnly: (deviceIds) =>
      setChoice((before) => ({ ...before, only: deviceIds === undefined ? undefined : new Set(deviceIds) })),
    clear: () => setChoice(EVERYTHING),
    select: (deviceId) => {
      select(deviceId);
      if (deviceId === undefined) setFollowing(false);
    },
    setFollowing,
  };
}
