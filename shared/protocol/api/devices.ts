// Devices as administrators edit them, in the calls of /api/devicegroup/devices.
import * as Type from 'typebox/type';
import { DeviceRecording, RecordingPolicy } from './deviceRecording.ts';
import {
  Count,
  closed,
  Flag,
  Nullable,
  OneOf,
  type RecordOf,
  ShortText,
  Text,
  Timestamp,
  Version,
  VersionText,
} from './records.ts';

export const DEVICES_PATH = '/api/devicegroup/devices';

export const DEVICE_EDITIONS = ['2011', '2013', '2019'] as const;

/** Names of icons; '' is the icon of all devices without a choice. */
export const DEVICE_ICONS = [
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
] as const;
export type DeviceIcon = (typeof DEVICE_ICONS)[number];

/** The number of channels that a share link's mask can name. */
export const MAX_DEVICE_CHANNELS = 32;

/** Longest texts that are one line, in characters. */
export const DEVICE_LINE_LENGTHS = { name: 64, plate: 32, model: 64, sim: 32 } as const;

// Values that a field can't take are refused by deviceRules.ts, which names the field; the schema keeps out what can't be text of
// a form at all.
const Given = Type.String({ maxLength: 4_000 });

/** A device group's number in a body or a record; null for none. */
export const GroupOrNone = Nullable(Type.Integer({ minimum: 1 }));

/** What an administrator may change of a device. An import's columns are these, in this order. */
export const DeviceFields = Type.Object({
  name: Given,
  plate: Given,
  /** The number that the terminal signs in with; '' for none yet. */
  terminal: Given,
  /** '' until a terminal has reported it. */
  edition: OneOf(['', ...DEVICE_EDITIONS]),
  model: Given,
  sim: Given,
  /** Null for a device that lies in no group. */
  group: GroupOrNone,
  /** 0: as many as the terminal reports. */
  chn: Type.Integer(),
  /** Channel 1 first; a shorter list leaves the rest without. */
  channelNames: Type.Array(Given, { maxItems: 64 }),
  /** Bit strings, the leftmost character is channel 1. */
  installchs: Given,
  ptzchs: Given,
  talkchs: Given,
  /** IANA name; '' for the gateway's own. */
  timeZone: Given,
  icon: OneOf(['', ...DEVICE_ICONS]),
  notes: Given,
  /** Media may come from another address than the signalling. */
  anyMediaAddress: Flag,
  /** The terminal calls its first channel 0; everywhere else it is channel 1. */
  channelsFromZero: Flag,
  disabled: Flag,
});
export type DeviceFields = RecordOf<typeof DeviceFields>;

/** A device of which nothing is known yet. */
export const BLANK_DEVICE: DeviceFields = {
  name: '',
  plate: '',
  terminal: '',
  edition: '',
  model: '',
  sim: '',
  group: null,
  chn: 0,
  channelNames: [],
  installchs: '',
  ptzchs: '',
  talkchs: '',
  timeZone: '',
  icon: '',
  notes: '',
  anyMediaAddress: false,
  channelsFromZero: false,
  disabled: false,
};

// `Object.keys` forgets which names an object has, and BLANK_DEVICE has those of the fields and no others.
export const DEVICE_FIELD_NAMES = Object.keys(BLANK_DEVICE) as readonly (keyof DeviceFields)[];

/** Only the device fields of a record that has other fields beside them. */
export function deviceFieldsOf<Fields extends Partial<Record<keyof DeviceFields, unknown>>>(
  device: Fields,
): Pick<Fields, keyof DeviceFields & keyof Fields> {
  // A loop: it runs for each row of lists and exports.
  const fields: Partial<Record<keyof DeviceFields, unknown>> = {};
  for (const name of DEVICE_FIELD_NAMES) fields[name] = device[name];
  return fields as Fields;
}

const DEVICE_STATES = ['online', 'offline', 'never'] as const;
/** `never`: no terminal has ever registered for it. */
export type DeviceState = (typeof DEVICE_STATES)[number];

export const DeviceRow = Type.Object({
  ...DeviceFields.properties,
  deviceid: Text,
  version: Count,
  groupName: Text,
  createdAtMs: Timestamp,
  /** 0 if nobody has changed the device. */
  changedAtMs: Timestamp,
  state: OneOf(DEVICE_STATES, 'offline'),
  /** 0 while offline. */
  onlineSinceMs: Timestamp,
  /** 0 when nothing was heard since the gateway started. */
  lastMessageAtMs: Timestamp,
});
export type DeviceRow = RecordOf<typeof DeviceRow>;

export const DeviceDetail = Type.Object({
  ...DeviceRow.properties,
  recording: DeviceRecording,
  /** The policy that applies where the device has none of its own. */
  inherited: RecordingPolicy,
  /** Channels that should be recorded now, but for which the device's data plan leaves no video. */
  withheldChannels: Type.Optional(Type.Array(Count)),
  /** What the terminal registered with; null until it has. */
  identity: Nullable(Type.Object({ manufacturer: Text, terminalId: Text })),
});
export type DeviceDetail = RecordOf<typeof DeviceDetail>;

/**
 * The fields in a body. Clients that are older than a field leave it out: a new device then gets the value of BLANK_DEVICE, an
 * existing one keeps its own.
 */
export const SentDeviceFields = Type.Object(
  { ...DeviceFields.properties, channelsFromZero: Type.Optional(Flag) },
  closed,
);
export type SentDeviceFields = RecordOf<typeof SentDeviceFields>;

export const NewDevice = Type.Object(
  {
    deviceid: Type.String({ maxLength: 256 }),
    ...SentDeviceFields.properties,
    recording: Type.Optional(DeviceRecording),
  },
  closed,
);
export type NewDevice = RecordOf<typeof NewDevice>;

export const EditedDevice = Type.Object(
  { ...SentDeviceFields.properties, recording: Type.Optional(DeviceRecording), version: Version },
  closed,
);
export type EditedDevice = RecordOf<typeof EditedDevice>;

/** In an address, percent-encoded. */
export const DeviceIdParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 256 }) });

export const DeviceRemoval = Type.Object({ version: VersionText, recordings: OneOf(['keep', 'delete']) });
export type DeviceRemoval = RecordOf<typeof DeviceRemoval>;

/** Maximum number of devices in one call. */
export const MAX_MOVED_DEVICES = 1_000;
export const DeviceMove = Type.Object(
  {
    deviceids: Type.Array(ShortText, { minItems: 1, maxItems: MAX_MOVED_DEVICES, uniqueItems: true }),
    group: Type.Integer({ minimum: 1 }),
  },
  closed,
);
export type DeviceMove = RecordOf<typeof DeviceMove>;

export const MovedDevices = Type.Object({ moved: Count });

/** Columns that a list of devices is sorted by. */
export const DEVICE_SORTS = [
  'deviceid',
  'name',
  'plate',
  'terminal',
  'group',
  'edition',
  'model',
  'chn',
  'disabled',
  'createdAtMs',
  'changedAtMs',
] as const;
export type DeviceSort = (typeof DEVICE_SORTS)[number];

export const DeviceFilters = {
  /** A group's number, or `none` for devices in no group. */
  group: Type.Optional(Type.String({ pattern: '^([1-9]\\d{0,14}|none)$' })),
  /** 0: without subgroups. */
  nested: Type.Optional(OneOf(['0', '1'])),
  state: Type.Optional(OneOf([...DEVICE_STATES, 'disabled'])),
  edition: Type.Optional(OneOf(DEVICE_EDITIONS)),
};
