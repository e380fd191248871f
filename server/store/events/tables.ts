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
  /** JSON of the source of an administrator's type; '' for a built-in one. */
  source: string;
  version: Generated<number>;
}

/** A reason for closing an event. */
export interface EventReasonTable {
  id: Generated<number>;
  code: string;
  is_built_in: number;
  name_en: string;
  name_zh: string;
  name_jp: string;
  /** 1: closing with this reason marks the event as a false alarm. */
  is_false_alarm: number;
  enabled: number;
  version: Generated<number>;
}

export interface EventTable {
  id: Generated<number>;
  /** Number of the device's archive; 0 for an event of the gateway itself. */
  archive_number: number;
  type: string;
  /** Bits of the origins that report it as lasting; 0 once it has ended. */
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
  /** Time by the gateway's clock; for a late event, by the device's. */
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
  /** The event rule; 0 for none. */
  rule: number;
  late: number;
  /** The terminal's own mark of the alarm, in hex. */
  alarm_mark: string;
  /** Edition of JT/T 808 as the terminal reported it, which defines the meaning of its alarms. */
  edition: string;
  assignee: number | null;
  /** Code of the reason for closing it. */
  reason: string;
  /** Bits: EventMediaBit. */
  media: number;
  /** 1: an evidence hold keeps it beyond its retention until it is released. */
  held: Generated<number>;
  acknowledged_at_ms: number;
  closed_at_ms: number;
  version: number;
}

/** Rows are only added, never changed. */
export interface EventStepTable {
  id: Generated<number>;
  event_id: number;
  at_ms: number;
  /** Null: the gateway itself. */
  user_id: number | null;
  /** The user's name at that time. */
  user_name: string;
  act: string;
  from_status: number;
  to_status: number;
  assignee_name: string;
  reason: string;
  note: string;
}

/** Counts by device, type and local day, updated as events arrive. */
export interface EventDayTable {
  archive_number: number;
  type: string;
  /** Day in the device's time zone, such as 20261123. */
  day: number;
  count: number;
  /** Total duration of the events that have ended. */
  seconds: number;
}

/** A picture or file of an event, from the moment of the request. */
export interface EventMediaTable {
  id: Generated<number>;
  /** 0: the picture belongs to no event yet. */
  event_id: number;
  event_begin_at_ms: number;
  archive_number: number;
  /** One of EVENT_MEDIA_KINDS. */
  kind: string;
  /** From 1; 0 where it is not known. */
  channel: number;
  /** Name given by the terminal; '' for a picture. */
  name: string;
  content_type: string;
  /** Announced size, until the file is stored. */
  bytes: number;
  sha256: string;
  /** File in the folder of evidence; '' where there is none. */
  file_id: string;
  /** One of EVENT_MEDIA_STATES. */
  state: string;
  /** The terminal's id of the picture; null until reported. */
  terminal_media_id: number | null;
  attempts: number;
  /** Time by the device's clock. */
  taken_at_ms: number;
  requested_at_ms: number;
  stored_at_ms: number;
  /** 1: the event had an evidence hold when last checked; during the hold, the file is not deleted to free space. */
  held: Generated<number>;
}

/** A number that was given out for the files of an event: files under other numbers are not accepted. */
interface AttachmentRequestTable {
  /** 32 unguessable characters. */
  alarm_number: string;
  event_id: number;
  event_begin_at_ms: number;
  archive_number: number;
  /** The terminal's own mark of the event, in hex. */
  alarm_mark: string;
  /** 'open' or 'done'. */
  state: string;
  attempts: number;
  created_at_ms: number;
  /** 0: not sent yet. */
  sent_at_ms: number;
}

/** Every driver's name that occurs in an event. */
interface EventDriverTable {
  name: string;
  /** See deviceKeys.ts. */
  search_key: string;
}

/** Saved list filters of a user. */
export interface EventFilterTable {
  id: Generated<number>;
  user_id: number;
  name: string;
  /** JSON object: SavedFilterQuery. */
  query: string;
}

/** Settings of an installation, a device group or a device for a type; the rest is inherited. */
export interface EventRuleTable {
  id: Generated<number>;
  type: string;
  /** Null for the installation, as is `device_id`. */
  device_group: number | null;
  device_id: string | null;
  /** JSON object: EventRuleSettings. */
  settings: string;
  version: Generated<number>;
}
