import type { Generated } from 'kysely';

export interface RecordingTables {
  segment: SegmentTable;
  recorded_range: RecordedRangeTable;
  recording_policy: RecordingPolicyTable;
  evidence_hold: EvidenceHoldTable;
  recording_removal: RecordingRemovalTable;
}

export interface SegmentTable {
  id: Generated<number>;
  archive_id: string;
  channel: number;
  /** 'main' or 'sub'. */
  quality: string;
  /** Start by the gateway's clock; with archive and channel it is the segment's name. */
  start_ms: number;
  end_ms: number;
  /** The device's clock at the first and the last picture; 0 when unknown. */
  device_start_ms: number;
  device_end_ms: number;
  bytes: number;
  group_count: number;
  /** Number in SEGMENT_ORIGINS. */
  origin: Generated<number>;
}

/** Consecutive segments without a gap, as one range. */
interface RecordedRangeTable {
  archive_id: string;
  channel: number;
  from_ms: number;
  to_ms: number;
}

export interface RecordingPolicyTable {
  /** '' for the policy of devices without one of their own. */
  device_id: string;
  /** 0 for all channels without one of their own. */
  channel: number;
  /** 'off', 'always' or 'ignition'. */
  mode: string;
  quality: string;
  /** JSON list of windows; empty: at any time. */
  schedule: string;
  /** 0: no limit of its own. */
  retention_days: number;
  /** Version of the policy of all devices; policies of a device change with the device's own version. */
  version: Generated<number>;
}

export interface EvidenceHoldTable {
  id: Generated<number>;
  archive_id: string;
  /** The device's id; another device may have it by now. */
  device_id: string;
  /** 0: all channels. */
  channel: number;
  from_ms: number;
  to_ms: number;
  reason: string;
  held_by: string;
  held_at_ms: number;
  released_by: Generated<string>;
  /** 0: active. */
  released_at_ms: Generated<number>;
  /** The event for which the gateway itself holds it; 0 for none. */
  event_id: Generated<number>;
  event_begin_at_ms: Generated<number>;
}

/** Archives whose recordings are to be deleted, until they are. */
interface RecordingRemovalTable {
  archive_id: string;
  /** Recordings that began later stay. */
  up_to_ms: number;
}
