// Requests pictures when an event begins.
import type { SnapshotRequests } from '../evidence/snapshotRequests.ts';
import type { EventAction } from './eventActions.ts';

export interface EventSnapshotsDeps {
  readonly snapshots: Pick<SnapshotRequests, 'request'>;
  readonly hasChannel: (deviceId: string, channel: number) => boolean;
}

export function createEventSnapshots({ snapshots, hasChannel }: EventSnapshotsDeps): EventAction {
  return ({ event: { id: eventId, beginAtMs: eventBeginAtMs }, device, values: { snapshotChannels } }) => {
    const channels = snapshotChannels.filter((channel) => hasChannel(device.deviceId, channel));
    return channels.length === 0 ? undefined : snapshots.request(device, { eventId, eventBeginAtMs }, channels);
  };
}
