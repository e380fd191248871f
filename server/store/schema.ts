// The tables as Kysely sees them. The migrations make them; only the stores beside this file use them.
//
// Times are integer milliseconds since the epoch (UTC). Truth values are 0 and 1, since SQLite has no boolean and the
// same statements run on both engines. Lists that no statement looks into are JSON text.
import type { Generated } from 'kysely';

export interface SettingTable {
  name: string;
  value: string;
}

export interface DeviceGroupTable {
  serialno: Generated<number>;
  name: string;
  /** The group that it lies in; null at the top. */
  parent: number | null;
  /** Order among the groups beside it. */
  position: Generated<number>;
  /** Counts the changes by hand. */
  version: Generated<number>;
}

export interface MemberGroupTable {
  serialno: Generated<number>;
  name: string;
  /** 0: no limit of its own. */
  retention_days: number;
  /** 0: never. */
  expires_at_ms: number;
  version: Generated<number>;
}

/** Which device groups a member group owns. */
export interface MemberGroupDeviceGroupTable {
  member_group: number;
  device_group: number;
}

export interface DeviceTable {
  device_id: string;
  name: string;
  plate: string;
  /** Decimal without leading zeros, or lower-case hex when the field is no decimal number. */
  terminal_number: string | null;
  /** The number field as it came, 12 or 20 hex digits. */
  terminal_number_raw: string | null;
  edition: string | null;
  /** What the terminal was adopted with: a registration with another identity waits for approval. */
  adopted_manufacturer: string | null;
  adopted_terminal_id: string | null;
  auth_code_hash: string | null;
  /** Handed out by the last registration and not used yet: the other one holds until it is. */
  pending_code_hash: string | null;
  /** Address key of the last good authentication; '' for none. */
  sign_in_address: Generated<string>;
  /** Address key from which alone the terminal may register until then; 0: from any. */
  approved_address: Generated<string>;
  approved_until_ms: Generated<number>;
  chn: number;
  /** One character a channel, the leftmost is channel 1. */
  installchs: string;
  /** Likewise: cameras that can be turned, channels that can be talked to. What the text does not reach is 0. */
  ptzchs: Generated<string>;
  talkchs: Generated<string>;
  device_group: number | null;
  disabled: number;
  /** 1: media may come from another address than the signalling does. */
  any_media_address: number;
  /** 1: the terminal calls its first channel 0. */
  channels_from_zero: Generated<number>;
  created_at_ms: number;
  /** IANA name; '' for the gateway's own. */
  time_zone: Generated<string>;
  model: Generated<string>;
  sim: Generated<string>;
  icon: Generated<string>;
  notes: Generated<string>;
  /** JSON list of strings, channel 1 first. */
  channel_names: Generated<string>;
  /** Counts the changes by hand. */
  version: Generated<number>;
  changed_at_ms: Generated<number>;
  /** See deviceKeys.ts. */
  id_key: Generated<string>;
  name_key: Generated<string>;
  plate_key: Generated<string>;
  terminal_key: Generated<string>;
  search_key: Generated<string>;
  /** Tells it from every other device that had the id before. */
  incarnation: number;
  /** What its recordings lie under. */
  archive_id: string;
}

/** Every device that was ever added, until nothing of it is left. Numbers are never given twice. */
export interface DeviceIncarnationTable {
  incarnation: Generated<number>;
  device_id: string;
  /** Where its recordings lie; '' once they have passed to a later device. */
  archive_id: string;
  /** 0 while the device is there. */
  ended_at_ms: Generated<number>;
  /** 1: a later device with the id takes the recordings over, if the same member groups own it. */
  passes_on: Generated<number>;
}

/** The member groups that owned a device when it was deleted. */
export interface FormerOwnerTable {
  incarnation: number;
  member_group: number;
}

/** Archives whose recordings are to be deleted, until they are. */
export interface RecordingRemovalTable {
  archive_id: string;
  /** What began later stays. */
  up_to_ms: number;
}

export interface UserTable {
  id: Generated<number>;
  username: string;
  /** The name that makes two spellings one account. */
  username_key: string;
  password_hash: string;
  /** JSON list of strings. */
  permissions: string;
  disabled: number;
  /** 1: may ask for the longer session of a wall monitor. */
  wall_monitor_allowed: number;
  /** The group that the next session begins with. */
  member_group: number | null;
  /** '' until chosen. */
  language: string;
  created_at_ms: number;
  password_changed_at_ms: number;
  /** Null: the permissions are the user's own list. */
  role: Generated<number | null>;
  display_name: Generated<string>;
  /** IANA name; '' for the browser's own. */
  time_zone: Generated<string>;
  /** What a search looks into: both names, in lower case. */
  search_key: Generated<string>;
  /** 0: never. */
  expires_at_ms: Generated<number>;
  /** 0: never yet. */
  last_sign_in_at_ms: Generated<number>;
  version: Generated<number>;
}

export interface RoleTable {
  id: Generated<number>;
  name: string;
  name_key: string;
  /** 'operator', 'manager' or 'administrator' for those that come with the product, else ''. */
  built_in: Generated<string>;
  /** JSON list of strings. The administrator's is not read: it holds everything. */
  permissions: string;
  second_factor_required: Generated<number>;
  version: Generated<number>;
}

export interface SecondFactorTable {
  user_id: number;
  /** Sealed; '' until one was enrolled. */
  secret: Generated<string>;
  /** Sealed; shown to the user and not yet proven by a code. */
  pending_secret: Generated<string>;
  /** The 30 seconds whose code was taken last: it and earlier ones are spent. */
  last_step: Generated<number>;
  /** Wrong codes in a row. */
  failures: Generated<number>;
  wait_until_ms: Generated<number>;
}

export interface RecoveryCodeTable {
  user_id: number;
  code_hash: string;
}

/** Between the password and the second factor. */
export interface SignInStepTable {
  ticket_hash: string;
  user_id: number;
  wall_monitor: number;
  expires_at_ms: number;
}

export interface InvitationTable {
  user_id: number;
  token_hash: string;
  created_at_ms: number;
  expires_at_ms: number;
  /** The member whose rights are asked again when the link is used. */
  issued_by: number | null;
}

export interface UserMemberGroupTable {
  user_id: number;
  member_group: number;
}

export interface KnownBrowserTable {
  /** Of the secret in the browser's cookie, which may be known to several accounts. */
  token_hash: string;
  user_id: number;
  created_at_ms: number;
  last_used_at_ms: number;
  expires_at_ms: number;
  /** Wrong codes of the second factor from this browser in a row. */
  code_failures: Generated<number>;
  code_wait_until_ms: Generated<number>;
}

export interface SessionTable {
  id_hash: string;
  user_id: number;
  /** The session's current group; null when the user belongs to none. */
  member_group: number | null;
  wall_monitor: number;
  created_at_ms: number;
  last_seen_at_ms: number;
  /** Moves with use, never past `ends_at_ms`. */
  idle_ends_at_ms: number;
  ends_at_ms: number;
  address: string;
  user_agent: string;
}

export interface FrameTokenTable {
  token_hash: string;
  session_id_hash: string;
  expires_at_ms: number;
}

export interface LinkCredentialTable {
  id: Generated<number>;
  secret_hash: string;
  owner_id: number;
  device_id: string;
  /** Bit 0 is channel 1. */
  channel_mask: number;
  /** Bits of LinkKindBit. */
  kinds: number;
  /** 0: never. */
  expires_at_ms: number;
  /** 0: in force. */
  revoked_at_ms: number;
  /** Set for the credentials of our own pages: they end with the session and are not listed. */
  session_id_hash: string | null;
  created_at_ms: number;
  note: Generated<string>;
  /** 0: never. */
  last_used_at_ms: Generated<number>;
  /** How often a page asked what the link opens. */
  use_count: Generated<number>;
  last_address: Generated<string>;
}

export interface PositionTable {
  id: Generated<number>;
  incarnation: number;
  /** The device's clock. */
  device_time_ms: number;
  /** The gateway's clock. */
  received_at_ms: number;
  latitude: number;
  longitude: number;
  altitude_m: number;
  speed_kmh: number;
  heading_deg: number;
  /** The report's two flag words as they came. */
  alarm_bits: number;
  status_bits: number;
  /** JSON object of the additional items. */
  extra: string;
}

export interface UnknownTerminalTable {
  terminal_number: string;
  terminal_number_raw: string;
  edition: string;
  manufacturer: string;
  model: string;
  terminal_id: string;
  plate: string;
  plate_colour: number;
  address: string;
  /** Whose share of the list the row takes: the IPv4 address, or the /64 of an IPv6 one. */
  address_key: string;
  /** Set when the number is a known device's and the identity is not: the device that an approval would change. */
  device_id: string | null;
  first_seen_at_ms: number;
  last_seen_at_ms: number;
  attempts: number;
  /** 0: nobody has refused this identity. */
  refused_at_ms: Generated<number>;
  refused_by: Generated<string>;
}

export interface AuditTable {
  id: Generated<number>;
  at_ms: number;
  /** User name as it was given, '' when nobody was signed in. */
  actor: string;
  action: string;
  target: string;
  address: string;
  /** JSON object. */
  detail: string;
  /** JSON objects of a changed record's fields; '' where there are none. */
  before_change: Generated<string>;
  after_change: Generated<string>;
}

export interface MissingTranslationTable {
  language: string;
  namespace: string;
  key: string;
  first_seen_at_ms: number;
}

export interface SegmentTable {
  id: Generated<number>;
  archive_id: string;
  channel: number;
  /** 'main' or 'sub'. */
  quality: string;
  /** The gateway's clock; with archive and channel the segment's name. */
  start_ms: number;
  end_ms: number;
  /** The device's clock at the first and the last picture; 0 when unknown. */
  device_start_ms: number;
  device_end_ms: number;
  bytes: number;
  group_count: number;
}

/** Segments that follow one another without a hole, as one range. */
export interface RecordedRangeTable {
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
  /** Of the one of all devices; those of a device change with the device's own version. */
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
  /** 0: in force. */
  released_at_ms: Generated<number>;
}

/** Sums over the samples of an interval, by device group. */
export interface OnlineHistoryTable {
  step_ms: number;
  at_ms: number;
  device_group: number;
  online: number;
  total: number;
}

export interface AlarmOnsetTable {
  id: Generated<number>;
  incarnation: number;
  /** Bit of the alarm word. */
  alarm: number;
  at_ms: number;
}

export interface CameraWallTable {
  id: Generated<number>;
  user_id: number;
  name: string;
  /** JSON list of devices and channels. */
  channels: string;
  /** 0: it stays. */
  cycle_seconds: number;
}

export interface Schema {
  setting: SettingTable;
  device_group: DeviceGroupTable;
  member_group: MemberGroupTable;
  member_group_device_group: MemberGroupDeviceGroupTable;
  device: DeviceTable;
  device_incarnation: DeviceIncarnationTable;
  former_owner: FormerOwnerTable;
  app_user: UserTable;
  app_user_member_group: UserMemberGroupTable;
  role: RoleTable;
  second_factor: SecondFactorTable;
  recovery_code: RecoveryCodeTable;
  sign_in_step: SignInStepTable;
  invitation: InvitationTable;
  known_browser: KnownBrowserTable;
  session: SessionTable;
  frame_token: FrameTokenTable;
  link_credential: LinkCredentialTable;
  position: PositionTable;
  unknown_terminal: UnknownTerminalTable;
  audit: AuditTable;
  missing_translation: MissingTranslationTable;
  segment: SegmentTable;
  recorded_range: RecordedRangeTable;
  recording_policy: RecordingPolicyTable;
  evidence_hold: EvidenceHoldTable;
  recording_removal: RecordingRemovalTable;
  online_history: OnlineHistoryTable;
  alarm_onset: AlarmOnsetTable;
  camera_wall: CameraWallTable;
}
