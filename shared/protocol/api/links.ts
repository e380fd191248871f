// Share links, which show a device to people without an account (docs/contract.md). Times are milliseconds since the epoch, 0 for none.
import * as Type from 'typebox/type';
import { Count, closed, Id, LineOfText, OneOf, type RecordOf, ShortText, Text, Timestamp } from './records.ts';

export const LINK_KINDS = [
  'live',
  'playback',
  'remote',
  'export',
  /** Moving cameras and speaking into the vehicle. */
  'control',
] as const;
/** The kinds of access that a share link may give, each separately. */
export type LinkKind = (typeof LINK_KINDS)[number];

export const LINKS_PATH = '/api/link/links';
export const LINK_DEVICES_PATH = '/api/link/devices';
export const DEVICE_VIEW_PATH = '/api/device/view';

export const LINK_NOTE_MAX = 200;
/** The number of channels that a mask can name. */
export const LINK_CHANNELS_MAX = 32;
/** The last moment that a date of ECMAScript can name. */
const MAX_TIME_MS = 8_640_000_000_000_000;

export const LINK_STATES = ['active', 'expired', 'revoked'] as const;
export type LinkState = (typeof LINK_STATES)[number];

export const LINK_SORTS = ['created', 'device', 'owner', 'note', 'until', 'used', 'uses'] as const;
export type LinkSort = (typeof LINK_SORTS)[number];

const Kind = OneOf(LINK_KINDS);
const RequestedKinds = Type.Array(Kind, { maxItems: LINK_KINDS.length, uniqueItems: true });

export const LinkRow = Type.Object({
  id: Id,
  deviceid: Text,
  name: Text,
  plate: Text,
  owner: Text,
  /** From 1. */
  channels: Type.Array(Type.Integer()),
  kinds: Type.Array(Kind),
  note: Text,
  state: OneOf(LINK_STATES, 'expired'),
  createdAtMs: Timestamp,
  untilMs: Timestamp,
  revokedAtMs: Timestamp,
  lastUsedAtMs: Timestamp,
  useCount: Type.Integer(),
  lastAddress: Text,
});
export type LinkRow = RecordOf<typeof LinkRow>;

export const LinkFilters = {
  state: Type.Optional(OneOf(LINK_STATES)),
  deviceid: Type.Optional(ShortText),
};

export const NewLink = Type.Object(
  {
    deviceid: ShortText,
    /** From 1. */
    channels: Type.Array(Type.Integer({ minimum: 1, maximum: LINK_CHANNELS_MAX }), {
      maxItems: LINK_CHANNELS_MAX,
      uniqueItems: true,
    }),
    kinds: RequestedKinds,
    untilMs: Type.Integer({ minimum: 0, maximum: MAX_TIME_MS }),
    note: LineOfText(LINK_NOTE_MAX),
  },
  closed,
);
export type NewLink = RecordOf<typeof NewLink>;

/** Answered once: nobody can read the credential back. */
export const MadeLink = Type.Object({
  id: Id,
  /** `deviceid`, or `deviceid@mask` for some of its channels. */
  device: Text,
  username: Text,
  credential: Text,
});
export type MadeLink = RecordOf<typeof MadeLink>;

/** A device that a link can be made for. */
export const LinkDevice = Type.Object({ deviceid: Text, name: Text, plate: Text, chn: Count });
export type LinkDevice = RecordOf<typeof LinkDevice>;
export const LinkDevices = Type.Array(LinkDevice);

export const DeviceViewRequest = Type.Object({ deviceid: ShortText, kinds: RequestedKinds }, closed);
export type DeviceViewRequest = RecordOf<typeof DeviceViewRequest>;

/** A credential for our own pages, which ends with the session. */
export const DeviceView = Type.Object({
  /** `deviceid/username/credential`, each part as an address takes it. */
  link: Text,
  /** The requested kinds that the session may have. */
  kinds: Type.Array(Kind),
});
export type DeviceView = RecordOf<typeof DeviceView>;

/** Bit 0 is channel 1. */
export function maskOfChannels(channels: readonly number[]): number {
  return [...new Set(channels)].reduce((mask, channel) => mask + 2 ** (channel - 1), 0);
}

export function channelsOfMask(mask: number): number[] {
  const numbers = Array.from({ length: LINK_CHANNELS_MAX }, (_, at) => at + 1);
  return numbers.filter((channel) => Math.floor(mask / 2 ** (channel - 1)) % 2 === 1);
}
