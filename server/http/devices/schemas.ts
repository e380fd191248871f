// Shapes of the calls of /api/devicegroup. What a field may hold is judged by deviceRules.ts, which says it by field.
import { Type } from 'typebox';
import { DEVICE_ICONS, type DeviceDetail, type DeviceRow } from '../../../shared/protocol/api/devices.ts';

const Text = Type.String({ maxLength: 4_000 });
const NullableId = Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]);
const closed = { additionalProperties: false } as const;

export const DeviceFieldsSchema = {
  name: Text,
  plate: Text,
  terminal: Text,
  model: Text,
  sim: Text,
  timeZone: Text,
  notes: Text,
  edition: Type.Enum(['', '2011', '2013', '2019']),
  group: NullableId,
  chn: Type.Integer(),
  channelNames: Type.Array(Text, { maxItems: 64 }),
  installchs: Text,
  ptzchs: Text,
  talkchs: Text,
  icon: Type.Enum(['', ...DEVICE_ICONS]),
  anyMediaAddress: Type.Boolean(),
  disabled: Type.Boolean(),
  /** Came later than the rest: left out, it is off for a new device and stays as it is for another. */
  channelsFromZero: Type.Optional(Type.Boolean()),
};

const MINUTES_A_DAY = 1_440;
const Minute = Type.Integer({ minimum: 0, maximum: MINUTES_A_DAY });
const Window = Type.Object(
  {
    days: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), { minItems: 1, maxItems: 7, uniqueItems: true }),
    fromMinute: Minute,
    toMinute: Minute,
  },
  closed,
);
export const Policy = Type.Object(
  {
    mode: Type.Enum(['off', 'always', 'ignition']),
    quality: Type.Enum(['main', 'sub']),
    schedule: Type.Array(Window, { maxItems: 20 }),
    retentionDays: Type.Integer({ minimum: 0, maximum: 36_500 }),
  },
  closed,
);
const ChannelPolicy = Type.Object({ channel: Type.Integer({ minimum: 1, maximum: 32 }), policy: Policy }, closed);
export const Recording = Type.Object(
  { device: Type.Union([Policy, Type.Null()]), channels: Type.Array(ChannelPolicy, { maxItems: 32 }) },
  closed,
);

export const NewDevice = Type.Object(
  { deviceid: Type.String({ maxLength: 256 }), ...DeviceFieldsSchema, recording: Type.Optional(Recording) },
  closed,
);
export const EditedDevice = Type.Object(
  { ...DeviceFieldsSchema, recording: Type.Optional(Recording), version: Type.Integer({ minimum: 1 }) },
  closed,
);

const Moment = Type.Integer();
const standing = {
  deviceid: Type.String(),
  version: Type.Integer(),
  groupName: Type.String(),
  createdAtMs: Moment,
  changedAtMs: Moment,
  onlineSinceMs: Moment,
  lastMessageAtMs: Moment,
  state: Type.Enum(['online', 'offline', 'never']),
};
export const Row = Type.Unsafe<DeviceRow>(Type.Object({ ...DeviceFieldsSchema, ...standing }));
const Identity = Type.Object({ manufacturer: Type.String(), terminalId: Type.String() });
export const Detail = Type.Unsafe<DeviceDetail>(
  Type.Object({
    ...DeviceFieldsSchema,
    ...standing,
    recording: Recording,
    inherited: Policy,
    identity: Type.Union([Identity, Type.Null()]),
  }),
);

export const Node = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  parent: NullableId,
  version: Type.Integer(),
  devices: Type.Integer(),
  owned: Type.Boolean(),
});
export const Tree = Type.Object({
  memberGroup: Type.Union([Type.Object({ serialno: Type.Integer(), name: Type.String() }), Type.Null()]),
  groups: Type.Array(Node),
  ungrouped: Type.Integer(),
});

export const GroupFields = Type.Object({ name: Text, parent: NullableId, before: Type.Optional(NullableId) }, closed);
export const EditedGroup = Type.Object(
  { name: Text, parent: NullableId, before: Type.Optional(NullableId), version: Type.Integer({ minimum: 1 }) },
  closed,
);

export const GroupId = Type.Object({ id: Type.String({ pattern: '^[1-9]\\d{0,14}$' }) });
export const DeviceId = Type.Object({ id: Type.String({ minLength: 1, maxLength: 256 }) });
export const Version = Type.String({ pattern: '^[1-9]\\d{0,8}$' });
export const Empty = Type.Object({});
