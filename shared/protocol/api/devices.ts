// What the calls of /api/devicegroup say: groups, devices, terminals that wait to be let in, and imports.

export type DeviceEdition = '2011' | '2013' | '2019';
export const DEVICE_EDITIONS: readonly DeviceEdition[] = ['2011', '2013', '2019'];

/** Names of drawings; '' for the one of all devices without a choice. */
export const DEVICE_ICONS = [
  ...([
    'bus',
    'coach',
    'truck',
    'van',
    'car',
    'taxi',
    'motorcycle',
    'machine',
    'ship',
    'train',
    'site',
    'camera',
  ] as const),
] as const;
export type DeviceIcon = (typeof DEVICE_ICONS)[number];

/** Columns that a list of devices is sorted by. */
export const DEVICE_SORTS = [
  ...(['deviceid', 'name', 'plate', 'terminal', 'group', 'edition', 'model'] as const),
  ...(['chn', 'disabled', 'createdAtMs', 'changedAtMs'] as const),
] as const;
export type DeviceSort = (typeof DEVICE_SORTS)[number];

/** As many as a link's mask can name. */
export const MAX_DEVICE_CHANNELS = 32;

/** What an administrator may change of a device. */
export interface DeviceFields {
  readonly name: string;
  readonly plate: string;
  /** The number that the terminal signs in with; '' for none yet. */
  readonly terminal: string;
  /** '' until a terminal has said. */
  readonly edition: DeviceEdition | '';
  readonly model: string;
  readonly sim: string;
  /** Null for a device that lies in no group. */
  readonly group: number | null;
  /** 0: as many as the terminal says. */
  readonly chn: number;
  /** Channel 1 first; a shorter list leaves the rest without. */
  readonly channelNames: readonly string[];
  /** Bit strings, the leftmost character is channel 1. */
  readonly installchs: string;
  readonly ptzchs: string;
  readonly talkchs: string;
  /** IANA name; '' for the gateway's own. */
  readonly timeZone: string;
  readonly icon: DeviceIcon | '';
  readonly notes: string;
  /** Media may come from another address than the signalling. */
  readonly anyMediaAddress: boolean;
  /** The terminal calls its first channel 0; everywhere else it is channel 1. */
  readonly channelsFromZero: boolean;
  readonly disabled: boolean;
}

export type DeviceState = 'online' | 'offline' | 'never';

/** What a row of the table and the form's head show beside the fields. */
export interface DeviceStatus {
  readonly deviceid: string;
  readonly version: number;
  readonly groupName: string;
  readonly createdAtMs: number;
  /** 0 when nobody has. */
  readonly changedAtMs: number;
  /** `never`: no terminal has ever registered for it. */
  readonly state: DeviceState;
  /** 0 while offline. */
  readonly onlineSinceMs: number;
  /** 0 when nothing was heard since the gateway started. */
  readonly lastMessageAtMs: number;
}

export type DeviceRow = DeviceFields & DeviceStatus;

export interface RecordingWindowFields {
  /** 1 Monday to 7 Sunday. */
  readonly days: readonly number[];
  /** Minutes since midnight; one that ends at or before its begin goes on into the next day. */
  readonly fromMinute: number;
  readonly toMinute: number;
}

export interface RecordingFields {
  readonly mode: 'off' | 'always' | 'ignition';
  readonly quality: 'main' | 'sub';
  /** Empty: at any time. */
  readonly schedule: readonly RecordingWindowFields[];
  /** 0: no limit of its own. */
  readonly retentionDays: number;
}

/** What holds for devices without a recording of their own. */
export interface CommonRecording {
  readonly policy: RecordingFields;
  /** 0 until an administrator has set it: the gateway's configuration says it then. */
  readonly version: number;
}

/** A device's own recording; null and what the list leaves out are inherited. */
export interface DeviceRecording {
  readonly device: RecordingFields | null;
  readonly channels: readonly { readonly channel: number; readonly policy: RecordingFields }[];
}

export interface DeviceDetail extends DeviceRow {
  readonly recording: DeviceRecording;
  /** What holds where the device says nothing. */
  readonly inherited: RecordingFields;
  /** What the terminal registered with; null until it has. */
  readonly identity: { readonly manufacturer: string; readonly terminalId: string } | null;
}

export interface GroupNode {
  readonly id: number;
  readonly name: string;
  /** Null at the top, also where the group above is none that the caller sees. */
  readonly parent: number | null;
  readonly version: number;
  /** Devices in it, those of the groups beneath not counted. */
  readonly devices: number;
  /** False for a group of no member group: only administrators see it. */
  readonly owned: boolean;
}

export interface GroupTree {
  /** The caller's member group; null for a caller who belongs to none. */
  readonly memberGroup: { readonly serialno: number; readonly name: string } | null;
  /** Each behind the groups beside it that come before it. */
  readonly groups: readonly GroupNode[];
  /** Devices that lie in no group. */
  readonly ungrouped: number;
}

/** A terminal that was refused: unknown, or with another identity than its device was adopted with. */
export interface WaitingTerminal {
  readonly terminal: string;
  readonly edition: string;
  readonly manufacturer: string;
  readonly model: string;
  readonly terminalId: string;
  readonly plate: string;
  readonly address: string;
  readonly firstSeenAtMs: number;
  readonly lastSeenAtMs: number;
  readonly attempts: number;
  /** The device whose identity an approval would change; null for an unknown terminal. */
  readonly device: {
    readonly deviceid: string;
    readonly name: string;
    readonly manufacturer: string;
    readonly terminalId: string;
  } | null;
  /** 0 unless somebody refused it. */
  readonly refusedAtMs: number;
  readonly refusedBy: string;
}

export interface ConnectionTest {
  readonly connected: boolean;
  readonly sinceMs: number;
  readonly lastMessageAtMs: number;
  readonly address: string;
  readonly edition: string;
  /** Null for a device that is not connected. */
  readonly answer: ConnectionAnswer | null;
  /** Channels that have lost media since the gateway started. */
  readonly mediaLoss: readonly ChannelLoss[];
}

/** What of terminals' media can be lost, ignored or left out on its way to viewers. */
export const MEDIA_LOSS_KINDS = [
  /** Numbers that were skipped. */
  'missing-packet',
  /** Came twice; ignored. */
  'repeated-packet',
  /** Came behind those that follow it; ignored. */
  'late-packet',
  /** Bears another terminal's number than its connection; ignored. */
  'foreign-packet',
  /** Bytes that belong to no packet, up to the next one. */
  'resync',
  /** Frames that packets are missing of, or that refer to one. */
  'frame-gap',
  /** Frames whose beginning or end did not come. */
  'frame-interrupted',
  /** Frames that were too large. */
  'frame-size',
  /** Frames that refer to a key frame that was lost. */
  'frame-key-missing',
  /** Groups of pictures that were cut short or left out. */
  'group',
  /** Groups of pictures that a viewer's connection did not take to their end. */
  'viewer-group',
] as const;
export type MediaLossKind = (typeof MEDIA_LOSS_KINDS)[number];

export interface ChannelLoss {
  readonly channel: number;
  readonly counts: Readonly<Record<MediaLossKind, number>>;
}

export type ConnectionAnswer =
  | {
      readonly result: 'attributes';
      readonly afterMs: number;
      readonly manufacturer: string;
      readonly model: string;
      readonly terminalId: string;
      readonly iccid: string;
      readonly hardware: string;
      readonly firmware: string;
    }
  /** It answered, and does not know the question. */
  | { readonly result: 'unsupported'; readonly afterMs: number }
  | { readonly result: 'no-answer' | 'lost'; readonly afterMs: number };

export type ImportOutcome = 'added' | 'changed' | 'unchanged' | 'refused';

export interface ImportFault {
  /** A column of the file, or '' for the row as a whole. */
  readonly column: string;
  /** See FieldFault and ImportFaultCode. */
  readonly code: string;
  readonly value: string;
}

export interface ImportRow {
  /** In the file, from 1; the header is one of them. */
  readonly line: number;
  readonly deviceid: string;
  readonly name: string;
  readonly outcome: ImportOutcome;
  readonly changes: readonly { readonly column: string; readonly from: string; readonly to: string }[];
  readonly faults: readonly ImportFault[];
}

export type ImportEncoding = 'utf-8' | 'big5' | 'shift_jis';

export interface ImportPlan {
  readonly encoding: ImportEncoding;
  readonly counts: Readonly<Record<ImportOutcome, number>>;
  /** Stands for exactly these fates, on what the database held. */
  readonly token: string;
  readonly rows: readonly ImportRow[];
}
