import type { Generated } from 'kysely';

export interface EventTables {
  event_type: EventTypeTable;
  event_reason: EventReasonTable;
  event: EventTable;
  event_step: EventStepTable;
  event_day: EventDayTable;
  event_media: EventMediaTable;
  attachment_request: AttachmentRequestTable;
  event_driver: EventDriverTable;
  event_filter: EventFilterTable;
  event_rule: EventRuleTable;
}

export interface EventTypeTable {
  code: string;
  is_built_in: number;
  /** '' follows the language, for a built-in type. */
  name_en: string;
  name_zh: string;
  name_jp: string;
  category: string;
  /** Number in SEVERITIES, as in all tables of events. */
  severity: number;
  color: string;
  icon: string;
  sound: string;
  needs_acknowledgment: number;
  clip_before_s: number;
  clip_after_s: number;
  /** JSON list of channel numbers. */
  snapshot_channels: string;
  enabled: number;
  /** JSON of what raises a type that an administrator made; '' for a built-in one. */
  source: string;
  version: Generated<number>;
}

/** What closing an event asks for. */
export interface EventReasonTable {
  id: Generated<number>;
  code: string;
  is_built_in: number;
  name_en: string;
  name_zh: string;
  name_jp: string;
  /** 1: closing for this reason says that nothing was real. */
  is_false_alarm: number;
  enabled: number;
  version: Generated<number>;
}

export interface EventTable {
  id: Generated<number>;
  /** Of the device; 0 for an event of the gateway itself. */
  archive_number: number;
  type: string;
  /** Bits of the origins that say it lasts; 0 once it has ended. */
  origins: number;
  severity: number;
  /** Sorts by severity and, within one, by time. See `severityOrder`. */
  severity_order: number;
  /** Number in EVENT_STATUSES. */
  status: number;
  /** Number in EVENT_SOURCES. */
  source: number;
  /** Channel, storage or tire, from 1; 0 for the device as a whole. */
  unit: number;
  area: number;
  /** The gateway's clock; of a late event, the device's. */
  begin_at_ms: number;
  /** 0 while it lasts. */
  end_at_ms: number;
  device_time_ms: number;
  last_seen_at_ms: number;
  /** How often it began; more than once where repeats were merged. */
  count: number;
  value: number | null;
  limit_value: number | null;
  latitude: number;
  longitude: number;
  speed_kmh: number;
  heading_deg: number;
  end_latitude: number;
  end_longitude: number;
  end_speed_kmh: number;
  end_heading_deg: number;
  driver: string;
  /** Of the rules; 0 for none. */
  rule: number;
  late: number;
  /** Hex of the terminal's own mark of it. */
  alarm_mark: string;
  /** Of JT/T 808, as the terminal reported it: what its alarms mean. */
  edition: string;
  assignee: number | null;
  /** Code of the reason that it was closed for. */
  reason: string;
  /** Bits: EventMediaBit. */
  media: number;
  /** 1: kept beyond its retention, until somebody releases it. */
  held: Generated<number>;
  acknowledged_at_ms: number;
  closed_at_ms: number;
  version: number;
}

/** Only ever added to. */
export interface EventStepTable {
  id: Generated<number>;
  event_id: number;
  at_ms: number;
  /** Null: the gateway itself. */
  user_id: number | null;
  /** As the user was called then. */
  user_name: string;
  act: string;
  from_status: number;
  to_status: number;
  assignee_name: string;
  reason: string;
  note: string;
}

/** Counts by device, type and local day, kept as events come. */
export interface EventDayTable {
  archive_number: number;
  type: string;
  /** Such as 20261123, where the device is. */
  day: number;
  count: number;
  /** Of the events that have ended. */
  seconds: number;
}

/** A picture or file of an event, from the moment that it is asked for. */
export interface EventMediaTable {
  id: Generated<number>;
  /** 0: the picture belongs to no event yet. */
  event_id: number;
  event_begin_at_ms: number;
  archive_number: number;
  /** Of EVENT_MEDIA_KINDS. */
  kind: string;
  /** From 1; 0 where it is not known. */
  channel: number;
  /** As the terminal calls it; '' for a picture. */
  name: string;
  content_type: string;
  /** As announced, until it is stored. */
  bytes: number;
  sha256: string;
  /** In the folder of evidence; '' where there is no file. */
  file_id: string;
  /** Of EVENT_MEDIA_STATES. */
  state: string;
  /** What the terminal calls the picture; null until it has said. */
  terminal_media_id: number | null;
  attempts: number;
  /** The device's clock. */
  taken_at_ms: number;
  requested_at_ms: number;
  stored_at_ms: number;
  /** 1: the event was held when it was last looked at; while it is, the file does not make room for others. */
  held: Generated<number>;
}

/** A number that was given out for the files of an event: what comes under another one is not taken. */
interface AttachmentRequestTable {
  /** 32 characters that nobody can guess. */
  alarm_number: string;
  event_id: number;
  event_begin_at_ms: number;
  archive_number: number;
  /** Hex of the terminal's own mark of the event. */
  alarm_mark: string;
  /** 'open' or 'done'. */
  state: string;
  attempts: number;
  created_at_ms: number;
  /** 0: not sent yet. */
  sent_at_ms: number;
}

/** Every name that an event has as its driver. */
interface EventDriverTable {
  name: string;
  /** See deviceKeys.ts. */
  search_key: string;
}

/** Filters of lists that a user has saved. */
export interface EventFilterTable {
  id: Generated<number>;
  user_id: number;
  name: string;
  /** JSON object: SavedFilterQuery. */
  query: string;
}

/** What an installation, a device group or a device has set for a type; the rest is inherited. */
export interface EventRuleTable {
  id: Generated<number>;
  type: string;
  /** Null for the installation, as is the device. */
  device_group: number | null;
  device_id: string | null;
  /** JSON object: EventRuleSettings. */
  settings: string;
  version: Generated<number>;
}
