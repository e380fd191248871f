// The calls about links (docs/contract.md). Times are milliseconds since the epoch, 0 for none.

export const LINK_KINDS = [
  'live',
  'playback',
  'remote',
  'export',
  /** Moving cameras and speaking into the vehicle. */
  'control',
] as const;
/** What a link may open, each kind apart. */
export type LinkKind = (typeof LINK_KINDS)[number];

export const LINKS_PATH = '/api/link/links';
export const LINK_DEVICES_PATH = '/api/link/devices';
export const DEVICE_VIEW_PATH = '/api/device/view';

export const LINK_NOTE_MAX = 200;
/** As many as a mask names. */
export const LINK_CHANNELS_MAX = 32;

export const LINK_STATES = ['active', 'expired', 'revoked'] as const;
export type LinkState = (typeof LINK_STATES)[number];

export const LINK_SORTS = ['created', 'device', 'owner', 'note', 'until', 'used', 'uses'] as const;
export type LinkSort = (typeof LINK_SORTS)[number];

export interface LinkRow {
  readonly id: number;
  readonly deviceid: string;
  readonly name: string;
  readonly plate: string;
  readonly owner: string;
  /** From 1. */
  readonly channels: readonly number[];
  readonly kinds: readonly LinkKind[];
  readonly note: string;
  readonly state: LinkState;
  readonly createdAtMs: number;
  readonly untilMs: number;
  readonly revokedAtMs: number;
  readonly lastUsedAtMs: number;
  readonly useCount: number;
  readonly lastAddress: string;
}

export interface NewLink {
  readonly deviceid: string;
  /** From 1. */
  readonly channels: readonly number[];
  readonly kinds: readonly LinkKind[];
  readonly untilMs: number;
  readonly note: string;
}

/** Said once: nobody can read the credential back. */
export interface MadeLink {
  readonly id: number;
  /** `deviceid`, or `deviceid@mask` for some of its channels. */
  readonly device: string;
  readonly username: string;
  readonly credential: string;
}

/** A device that a link can be made for. */
export interface LinkDevice {
  readonly deviceid: string;
  readonly name: string;
  readonly plate: string;
  readonly chn: number;
}

/** A credential for our own pages, which ends with the session. */
export interface DeviceView {
  /** `deviceid/username/credential`, each part as an address takes it. */
  readonly link: string;
  /** Of those asked for the ones that the session may have. */
  readonly kinds: readonly LinkKind[];
}

/** Bit 0 is channel 1. */
export function maskOfChannels(channels: readonly number[]): number {
  return [...new Set(channels)].reduce((mask, channel) => mask + 2 ** (channel - 1), 0);
}

export function channelsOfMask(mask: number): number[] {
  const numbers = Array.from({ length: LINK_CHANNELS_MAX }, (_, at) => at + 1);
  return numbers.filter((channel) => Math.floor(mask / 2 ** (channel - 1)) % 2 === 1);
}
