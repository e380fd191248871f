// Whether a channel is to be recorded now, and how long what it recorded is kept. Pure.
import { isScheduled } from '../../shared/protocol/weekSchedule.ts';
import type { EvidenceHold } from '../store/recordings/evidenceHolds.ts';
import type { PolicyScope, RecordingPolicy } from '../store/recordings/recordingPolicies.ts';

export interface RecordingFacts {
  /** Undefined when the device has not said yet. */
  readonly ignitionOn: boolean | undefined;
  /** IANA name; '' for the gateway's own zone. */
  readonly timeZone: string;
}

/** Ignition that is not known counts as off: a parked vehicle must not be woken for its camera. */
export function wantsRecording(policy: RecordingPolicy, facts: RecordingFacts, nowMs: number): boolean {
  switch (policy.mode) {
    case 'off':
      return false;
    case 'always':
      return isScheduled(policy.schedule, facts.timeZone, nowMs);
    case 'ignition':
      return facts.ignitionOn === true && isScheduled(policy.schedule, facts.timeZone, nowMs);
  }
}

/** The nearest policy: the channel's own, the device's, the one for all. */
export function policyFor<P extends PolicyScope>(
  policies: readonly P[],
  deviceId: string,
  channel: number,
): P | undefined {
  const of = (id: string, number: number): P | undefined =>
    policies.find((policy) => policy.deviceId === id && policy.channel === number);
  return of(deviceId, channel) ?? of(deviceId, 0) ?? of('', 0);
}

interface HeldTime {
  readonly archiveId: string;
  readonly channel: number;
  readonly startMs: number;
  readonly endMs: number;
}

/** Whether evidence keeps it, whatever its age and however full the disk is. */
export function isHeld(segment: HeldTime, holds: readonly EvidenceHold[]): boolean {
  return holds.some(
    (hold) =>
      hold.archiveId === segment.archiveId &&
      (hold.channel === 0 || hold.channel === segment.channel) &&
      hold.releasedAtMs === 0 &&
      hold.fromMs < segment.endMs &&
      hold.toMs > segment.startMs,
  );
}
