// The contents of the addresses of the two playback pages, `/playback/…` and `/remote/…`.
import type { LinkCredential } from './api.ts';
import { splitLinkParts } from './linkParts.ts';
import { parsePlaybackTime } from './playbackTime.ts';
import type { WallSeconds } from './time.ts';

interface PlaybackLink extends LinkCredential {
  /** `deviceid` or `deviceid@mask`, as it stands in the link. */
  readonly device: string;
  /** Undefined: what stands there is no date, and the page shows nothing. */
  readonly start: WallSeconds | undefined;
}

export interface LocalPlaybackLink extends PlaybackLink {
  /** The id as it stands in the link; streamIdOf reads it. */
  readonly streamId: string;
}

export interface RemotePlaybackLink extends PlaybackLink {
  readonly durationSeconds: number;
}

/** Stream ids lie below this. */
const STREAM_ID_LIMIT = 100_000_000;

const MAX_REMOTE_SECONDS = 1_800;
const DEFAULT_REMOTE_SECONDS = 60;

/** `{deviceid[@mask]}/{streamid}/{datetime}/{username}/{credential}`; undefined when there are not five parts. */
export function parseLocalPlaybackPath(path: string): LocalPlaybackLink | undefined {
  const parts = readParts(path);
  return parts && { ...parts.link, streamId: parts.second };
}

/** `{deviceid[@mask]}/{duration}/{datetime}/{username}/{credential}`; undefined when there are not five parts. */
export function parseRemotePlaybackPath(path: string): RemotePlaybackLink | undefined {
  const parts = readParts(path);
  return parts && { ...parts.link, durationSeconds: parseDuration(parts.second) };
}

function readParts(path: string): { readonly link: PlaybackLink; readonly second: string } | undefined {
  const parts = splitLinkParts(path, 5);
  if (parts === undefined) return undefined;
  const [device = '', second = '', time = '', username = '', credential = ''] = parts;
  return { link: { device, start: parsePlaybackTime(time), username, credential }, second };
}

/** Whole seconds from 1 to 1800, else 60. */
export function parseDuration(text: string): number {
  const seconds = /^\d+$/.test(text) ? Number(text) : 0;
  return seconds >= 1 && seconds <= MAX_REMOTE_SECONDS ? seconds : DEFAULT_REMOTE_SECONDS;
}

/** The stream id that a link names, from 1 to 99999999; anything else counts as 0, which stands for a random one. */
export function streamIdOf(text: string, random: () => number = Math.random): number {
  const streamId = /^\d+$/.test(text) ? Number(text) : 0;
  return streamId >= 1 && streamId < STREAM_ID_LIMIT ? streamId : randomStreamId(random);
}

export function randomStreamId(random: () => number = Math.random): number {
  return 1 + Math.floor(random() * (STREAM_ID_LIMIT - 1));
}
