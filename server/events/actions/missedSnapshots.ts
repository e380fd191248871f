// Requests pictures for events that were stored just before the gateway was killed, so that none were requested for them.
import type { EventRuleValues } from '../../../shared/protocol/events/eventRules.ts';
import type { MissedEvent, MissedEvidenceStore } from '../../store/events/missedEvidence.ts';
import type { EventDevice } from '../engine/trackedEvent.ts';
import type { SnapshotRequests } from '../evidence/snapshotRequests.ts';

export interface MissedSnapshotsDeps {
  readonly missedEvidence: Pick<MissedEvidenceStore, 'snapshots'>;
  readonly actionsOf: (device: EventDevice, type: string) => Pick<EventRuleValues, 'snapshotChannels'> | undefined;
  readonly snapshots: Pick<SnapshotRequests, 'request'>;
  readonly hasChannel: (deviceId: string, channel: number) => boolean;
  readonly now: () => number;
}

/** A picture that is taken later than this shows nothing of the event. */
const MISSED_MS = 10 * 60_000;
const MISSED_EVENTS = 1_000;

export async function requestMissedSnapshots(deps: MissedSnapshotsDeps): Promise<void> {
  const { missedEvidence, now } = deps;
  for (const event of await missedEvidence.snapshots(now() - MISSED_MS, MISSED_EVENTS)) await request(event, deps);
}

async function request(
  { device, type, eventId, eventBeginAtMs }: MissedEvent,
  { actionsOf, snapshots, hasChannel }: MissedSnapshotsDeps,
): Promise<void> {
  const configured = actionsOf(device, type)?.snapshotChannels ?? [];
  const channels = configured.filter((channel) => hasChannel(device.deviceId, channel));
  if (channels.length > 0) await snapshots.request(device, { eventId, eventBeginAtMs }, channels);
}
