// A wall while it is edited. Pure.
import type { Wall, WallChannel } from '../../../../shared/protocol/api/fleet.ts';

export interface Draft {
  readonly name: string;
  /** The text as typed. */
  readonly seconds: string;
  readonly channels: readonly WallChannel[];
}

const DEFAULT_SECONDS = 20;
const MAX_SECONDS = 3_600;

export function draftOf(wall: Wall | undefined): Draft {
  if (wall === undefined) return { name: '', seconds: String(DEFAULT_SECONDS), channels: [] };
  return { name: wall.name, seconds: String(wall.cycleSeconds), channels: wall.channels };
}

export type DraftFault = 'missing' | 'taken' | 'out-of-range';

/** What keeps a draft from being a wall; `taken`: the names of the user's other walls. */
export function draftFaults(
  draft: Draft,
  taken: readonly string[],
): Readonly<Partial<Record<keyof Draft, DraftFault>>> {
  const { name, channels, cycleSeconds } = wallOf(draft);
  const faults: Partial<Record<keyof Draft, DraftFault>> = {};
  if (name === '') faults.name = 'missing';
  else if (taken.includes(name)) faults.name = 'taken';
  if (!(cycleSeconds <= MAX_SECONDS)) faults.seconds = 'out-of-range';
  if (channels.length === 0) faults.channels = 'missing';
  return faults;
}

/** Converts a draft without faults into a wall. Seconds that aren't a number become NaN. */
export function wallOf({ name, seconds, channels }: Draft): Wall {
  const typed = seconds.normalize('NFKC').trim();
  return { name: name.trim(), channels, cycleSeconds: /^\d{1,4}$/.test(typed) ? Number(typed) : Number.NaN };
}

/** Adds a channel, up to `limit` channels. A channel that is already there is not added twice. */
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

/** The channels without duplicates, each at its first place. */
export function distinct(channels: readonly WallChannel[]): readonly WallChannel[] {
  return [...new Map(channels.map((each) => [channelKey(each), each])).values()];
}

export function channelKey({ deviceid, channel }: WallChannel): string {
  return `${channel} ${deviceid}`;
}
