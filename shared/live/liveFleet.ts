// The devices as the live updates tell them: a snapshot replaces all, changes replace rows.
import type { LiveCounts, LiveDevice, LiveServerMessage } from '../protocol/liveUpdates.ts';

export interface LiveFleet {
  /** By id, in the order in which they were told. The same map object until something changes. */
  readonly devices: ReadonlyMap<string, LiveDevice>;
  readonly counts: LiveCounts;
  /** Whether a snapshot has come: before it, an empty map says nothing. */
  readonly isKnown: boolean;
}

export const NO_FLEET: LiveFleet = { devices: new Map(), counts: {}, isKnown: false };

/** The fleet after a message; the same object when the message changes nothing. Changes before a snapshot are none. */
export function nextFleet(fleet: LiveFleet, message: LiveServerMessage): LiveFleet {
  switch (message.type) {
    case 'snapshot':
      return {
        devices: new Map(message.devices.map((device) => [device.id, device])),
        counts: message.counts ?? fleet.counts,
        isKnown: true,
      };
    case 'changes': {
      if (!fleet.isKnown) return fleet;
      const devices = withChanges(fleet.devices, message.devices ?? [], message.removed ?? []);
      const counts = message.counts === undefined ? fleet.counts : { ...fleet.counts, ...message.counts };
      return devices === fleet.devices && counts === fleet.counts ? fleet : { ...fleet, devices, counts };
    }
    case 'changed':
    case 'alive':
      return fleet;
  }
}

function withChanges(
  devices: ReadonlyMap<string, LiveDevice>,
  changed: readonly LiveDevice[],
  removed: readonly string[],
): ReadonlyMap<string, LiveDevice> {
  if (changed.length === 0 && removed.length === 0) return devices;
  const next = new Map(devices);
  for (const id of removed) next.delete(id);
  for (const device of changed) next.set(device.id, device);
  return next;
}
