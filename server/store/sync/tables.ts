import type { Generated } from 'kysely';

export interface SyncTables {
  sync_rule: SyncRuleTable;
  sync_item: SyncItemTable;
  sync_received: SyncReceivedTable;
  device_recording: DeviceRecordingTable;
  device_listing: DeviceListingTable;
}

export interface SyncRuleTable {
  id: Generated<number>;
  member_group: number;
  name: string;
  /** Key for sorting and searching. */
  name_key: string;
  enabled: number;
  priority: number;
  /** JSON object: SyncRuleContent without name, enabled and priority. */
  content: string;
  changed_at_ms: number;
  /** The member's name at that time. */
  changed_by: string;
  version: Generated<number>;
}

export interface SyncItemTable {
  id: Generated<number>;
  incarnation: number;
  channel: number;
  /** One of SYNC_STREAMS. */
  stream: string;
  /** Time by the gateway's clock. */
  from_ms: number;
  to_ms: number;
  /** Time by the device's clock. */
  device_from_ms: number;
  device_to_ms: number;
  rule: number | null;
  /** Member group of the rule, or of the member who requested it; 0: an event did. */
  member_group: Generated<number>;
  requested_by: Generated<string>;
  event_id: Generated<number>;
  /** Number in SYNC_ITEM_STATES. */
  state: number;
  /** 1: its state is one of SYNC_ENDED_STATES. */
  is_ended: Generated<number>;
  /** A code of SYNC_WAITS. */
  wait: Generated<string>;
  /** A code of SYNC_FAULTS. */
  fault: Generated<string>;
  /** One of SYNC_METHODS; '' until one was chosen. */
  method: Generated<string>;
  attempts: Generated<number>;
  received_bytes: Generated<number>;
  total_bytes: Generated<number>;
  bytes_per_second: Generated<number>;
  /** Total time of all attempts that have ended. */
  transfer_ms: Generated<number>;
  /** Random name in DATA_DIR/sync of a file that isn't a readable video; '' for none. */
  file: Generated<string>;
  /** Items with a lower position come first. */
  position: number;
  /** The next attempt is not before this time. */
  next_at_ms: Generated<number>;
  created_at_ms: number;
  changed_at_ms: number;
}

/** Bytes that a rule with a daily limit has received from a device, on the last day on which it received anything. */
interface SyncReceivedTable {
  rule: number;
  incarnation: number;
  /** When the day began in the device's time zone, by the gateway's clock. */
  day_ms: number;
  bytes: number;
}

/** A recording that a device has listed; times are by its own clock. */
export interface DeviceRecordingTable {
  id: Generated<number>;
  incarnation: number;
  channel: number;
  from_ms: number;
  to_ms: number;
  /** One of SYNC_STREAMS. */
  stream: string;
  /** 16 hex digits. */
  alarms: string;
  bytes: number;
  /** 1: the device listed it once, and doesn't any more. */
  is_gone: Generated<number>;
}

interface DeviceListingTable {
  incarnation: number;
  /** Time by the gateway's clock. */
  listed_at_ms: number;
}
