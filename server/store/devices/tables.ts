import type { Generated } from 'kysely';

export interface DeviceTables {
  device_group: DeviceGroupTable;
  device: DeviceTable;
  device_incarnation: DeviceIncarnationTable;
  former_owner: FormerOwnerTable;
  unknown_terminal: UnknownTerminalTable;
  device_order: DeviceOrderTable;
  device_alarm_limit: AlarmLimitTable;
  terminal_attributes: TerminalAttributesTable;
}

interface DeviceGroupTable {
  serialno: Generated<number>;
  name: string;
  /** The parent group; null at the top. */
  parent: number | null;
  /** Position among the sibling groups. */
  position: Generated<number>;
  /** Counts the changes by hand. */
  version: Generated<number>;
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
  /** The manufacturer and ID that the terminal was adopted with: a registration with another identity waits for approval. */
  adopted_manufacturer: string | null;
  adopted_terminal_id: string | null;
  auth_code_hash: string | null;
  /** Hash of a code that the last registration handed out and that is not used yet: until then the other code stays valid. */
  pending_code_hash: string | null;
  /** Address key of the last good authentication; '' for none. */
  sign_in_address: Generated<string>;
  /** The only address key from which the terminal may register until `approved_until_ms`; 0: from any. */
  approved_address: Generated<string>;
  approved_until_ms: Generated<number>;
  chn: number;
  /** One character a channel, the leftmost is channel 1. */
  installchs: string;
  /** Likewise: cameras with PTZ, channels with two-way audio. Channels beyond the end of the text count as 0. */
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
  /** Distinguishes it from every earlier device with the same id. */
  incarnation: number;
  /** The archive of its recordings. */
  archive_id: string;
  /** The archive of its events. */
  archive_number: number;
}

/** Every device ever added, until all its data is deleted. Numbers are never reused. */
interface DeviceIncarnationTable {
  incarnation: Generated<number>;
  device_id: string;
  /** The archive of its recordings; '' once they have passed to a later device. */
  archive_id: string;
  /** Number of the first device that had the archive; the events of all its devices have this number. */
  archive_number: Generated<number>;
  /** 0 while the device is there. */
  ended_at_ms: Generated<number>;
  /** 1: a later device with the id takes the recordings over, if the same member groups own it. */
  passes_on: Generated<number>;
}

/** The member groups that owned a device when it was deleted. */
interface FormerOwnerTable {
  incarnation: number;
  member_group: number;
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
  /** The address that the row counts for in the list's quotas: the IPv4 address, or the /64 of an IPv6 one. */
  address_key: string;
  /** Set when the number belongs to a known device and the identity doesn't: the device that an approval would change. */
  device_id: string | null;
  first_seen_at_ms: number;
  last_seen_at_ms: number;
  attempts: number;
  /** 0: this identity has not been rejected. */
  refused_at_ms: Generated<number>;
  refused_by: Generated<string>;
}

/** Commands to terminals, until some time after they have ended. */
export interface DeviceOrderTable {
  id: Generated<number>;
  /** Given by the caller, so that a retry after a lost commit answer doesn't add the order twice. */
  token: string;
  incarnation: number;
  /** Kind of the message. */
  message: string;
  /** JSON; see server/device/orders/orderBody.ts. */
  body: string;
  /** User's id; null: the gateway itself. */
  requested_by: number | null;
  /** Username at that time; '' for the gateway itself. */
  requested_by_name: string;
  reason: string;
  reference: number | null;
  /** OrderState. */
  state: string;
  /** The terminal's result code when it refused the order. */
  result: number | null;
  created_at_ms: number;
  expires_at_ms: number;
  /** 0: it has not gone out. */
  sent_at_ms: Generated<number>;
  /** 0 while it waits or is on its way. */
  finished_at_ms: Generated<number>;
  /** Serial of the message on its connection, where the driver's answer refers to it. */
  sent_serial: number | null;
  /** Number of the driver's answer to a question. */
  answer_id: number | null;
  /** 0: no answer. */
  answered_at_ms: Generated<number>;
}

/** Alarm limits of terminals: the wanted ones, and those that the terminal reports. */
export interface AlarmLimitTable {
  device_id: string;
  /** Incarnation of the device; answers of a former device with its id don't count for it. */
  incarnation: number;
  /** JSON object with some of AlarmLimits; '' where nothing was written. */
  wanted: Generated<string>;
  /** AlarmLimitState. */
  state: string;
  /** Version of what is wanted; 0: nothing was written. */
  version: Generated<number>;
  /** Username at that time. */
  written_by: Generated<string>;
  written_at_ms: Generated<number>;
  /** JSON object as above; '' until the terminal has reported. */
  reported: Generated<string>;
  reported_at_ms: Generated<number>;
}

/** What a terminal last reported about itself (0x0107). */
export interface TerminalAttributesTable {
  incarnation: number;
  manufacturer: string;
  model: string;
  terminal_id: string;
  /** ICCID of its SIM, decimal; '' for none. */
  iccid: string;
  hardware_version: string;
  firmware_version: string;
  /** The gateway's clock. */
  reported_at_ms: number;
}
