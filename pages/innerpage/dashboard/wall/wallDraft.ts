// A wall while it is edited. Pure.
import type { Wall, WallChannel } from '../../../../shared/protocol/api/dashboard.ts';

export interface Draft {
  readonly name: string;
  /** As typed. */
  readonly seconds: string;
  readonly channels: readonly WallChannel[];
}

const DEFAULT_SECONDS = 20;
const MAX_SECONDS = 3_600;

export function draftOf(wall: Wall | undefined): Draft {
  if (wall === undefined) return { name: '', seconds: String(DEFAULT_SECONDS), channels: [] };
  return { name: wall.name, seconds: String(wall.cycleSeconds), channels: wall.channels };
}

/** Undefined while something is missing or is none. */
export function wallOf({ name, seconds, channels }: Draft): Wall | undefined {
  const cycleSeconds = /^\d{1,4}$/.test(seconds.trim()) ? Number(seconds) : Number.NaN;
  const isWhole = name.trim() !== '' && channels.length > 0 && cycleSeconds <= MAX_SECONDS;
  return isWhole ? { name: name.trim(), channels, cycleSeconds } : undefined;
}

/** Up to `limit` channels with one more. One that is there already is not put there twice. */
export function withChannel(
  channels: readonly WallChannel[],
  added: WallChannel,
  limit: number,
): readonly WallChannel[] {
  const next = distinct([...channels, added]);
  return next.length > limit ? channels : next;
}

export function moved(channels: readonly WallChannel[], at: number, by: -1 | 1): readonly WallChannel[] {
  const to = at + by;
  const [here, there] = [channels[at], channels[to]];
  if (here === undefined || there === undefined) return channels;
  return channels.with(at, there).with(to, here);
}

/** Each channel in its first place. */
export function distinct(channels: readonly WallChannel[]): readonly WallChannel[] {
  return [...new Map(channels.map((each) => [channelKey(each), each])).values()];
}

export function channelKey({ deviceid, channel }: WallChannel): string {
  return `${channel} ${deviceid}`;
}
