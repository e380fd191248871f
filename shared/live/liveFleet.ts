// The devices as the live updates tell them: a snapshot replaces all, changes replace what they name.
import { type FleetCounts, type LiveChange, type LiveDevice, NO_DEVICES } from '../protocol/api/liveUpdates.ts';
import { DEVICE_DEFAULTS, type ReadLiveUpdate } from './readMessage.ts';

export interface LiveFleet {
  /** By id. The same map object until something changes. */
  readonly devices: ReadonlyMap<string, LiveDevice>;
  readonly counts: FleetCounts;
  /** Whether a snapshot has come: before it, an empty map says nothing. */
  readonly isKnown: boolean;
}

export const NO_FLEET: LiveFleet = { devices: new Map(), counts: NO_DEVICES, isKnown: false };

/** The fleet after a message; the same object if nothing changed. Changes before a snapshot are ignored. */
export function nextFleet(fleet: LiveFleet, message: ReadLiveUpdate): LiveFleet {
  switch (message.type) {
    case 'snapshot': {
      const devices = message.devices?.map((device) => [device.id, device] as const);
      return {
        devices: devices === undefined ? fleet.devices : new Map(devices),
        counts: message.counts ?? fleet.counts,
        isKnown: true,
      };
    }
    case 'changes': {
      if (!fleet.isKnown) return fleet;
      const devices = withChanges(fleet.devices, message.devices ?? [], message.removed ?? []);
      const counts = message.counts ?? fleet.counts;
      return devices === fleet.devices && counts === fleet.counts ? fleet : { ...fleet, devices, counts };
    }
    case 'popups':
    case 'events':
    case 'notifications':
    case 'fences':
    case 'reports':
    case 'firmware':
    case 'sync':
    case 'netflow':
    case 'backups':
    case 'server':
    case 'changed':
    case 'error':
      return fleet;
  }
}

function withChanges(
  devices: ReadonlyMap<string, LiveDevice>,
  changed: readonly LiveChange[],
  removed: readonly string[],
): ReadonlyMap<string, LiveDevice> {
  if (changed.length === 0 && removed.length === 0) return devices;
  const next = new Map(devices);
  for (const id of removed) next.delete(id);
  for (const change of changed) {
    const known = next.get(change.id) ?? DEVICE_DEFAULTS;
    next.set(change.id, { ...known, ...change });
  }
  return next;
}
