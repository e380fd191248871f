import type { VehicleProfile } from './vehicleProfile.ts';

export interface FleetOptions {
  readonly devices: number;
  /** Undefined: one of their own. */
  readonly gateway: { readonly host: string; readonly port: number } | undefined;
  /** Number of the first terminal; the others count on from it. */
  readonly first: number;
  readonly positionSeconds: number;
  readonly media: boolean;
}

export type FleetOptionsResult =
  | { readonly ok: true; readonly options: FleetOptions }
  | { readonly ok: false; readonly reason: string };

interface RawOptions {
  readonly devices: string;
  readonly gateway?: string | undefined;
  readonly first: string;
  readonly interval: string;
  readonly media: boolean;
}

const MAX_DEVICES = 20_000;
const MAX_NUMBER = 999_999_999_999;

export function parseFleetOptions(raw: RawOptions): FleetOptionsResult {
  const devices = wholeNumber(raw.devices, 1, MAX_DEVICES);
  if (devices === undefined) return { ok: false, reason: `--devices takes a whole number from 1 to ${MAX_DEVICES}.` };
  const first = wholeNumber(raw.first, 1, MAX_NUMBER - MAX_DEVICES);
  if (first === undefined) return { ok: false, reason: '--first takes a terminal number of at most 12 digits.' };
  const positionSeconds = wholeNumber(raw.interval, 1, 3_600);
  if (positionSeconds === undefined) return { ok: false, reason: '--interval takes seconds from 1 to 3600.' };
  const gateway = raw.gateway === undefined ? undefined : addressOf(raw.gateway);
  if (raw.gateway !== undefined && gateway === undefined) return { ok: false, reason: '--gateway takes host:port.' };
  return { ok: true, options: { devices, gateway, first, positionSeconds, media: raw.media } };
}

/** Vehicle `index` of the fleet; every other one speaks the older edition. */
export function fleetProfile(index: number, { first, positionSeconds, devices }: FleetOptions): VehicleProfile {
  const number = String(first + index);
  return {
    deviceId: `LOAD-${number}`,
    name: `Load ${index + 1}`,
    number,
    edition: index % 2 === 0 ? '2019' : '2013',
    plate: `L-${index + 1}`,
    channels: 1,
    lapShare: index / devices,
    positionSeconds,
  };
}

function wholeNumber(text: string, least: number, most: number): number | undefined {
  const value = /^\d{1,12}$/.test(text) ? Number(text) : -1;
  return value >= least && value <= most ? value : undefined;
}

function addressOf(text: string): { host: string; port: number } | undefined {
  const [, host, portText = ''] = /^(.+):(\d{1,5})$/.exec(text) ?? [];
  const port = wholeNumber(portText, 1, 65_535);
  return host === undefined || port === undefined ? undefined : { host, port };
}
