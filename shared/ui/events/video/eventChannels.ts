// Which channels of a device are shown with an event. Pure.
import type { DeviceInfo } from '../../../protocol/api.ts';
import { DEFAULT_MASK, selectChannels } from '../../../protocol/channels.ts';
import type { EventUnit } from '../../../protocol/events/eventWords.ts';

/** What is played: the recording, what the cameras show now, or the same with the line to the driver open. */
export type VideoMode = 'recording' | 'live' | 'talk';

export interface ShownWith {
  readonly event: { readonly unit: number };
  readonly unitKind: EventUnit | undefined;
  readonly mode: VideoMode;
}

/** There is room for this many beside the facts, and a phone decodes no more. */
const MOST_CHANNELS = 4;

/** The event's own channel first, where it has one; to talk, those that can be talked to. */
export function eventChannels(device: DeviceInfo, { event, unitKind, mode }: ShownWith): readonly number[] {
  const use = mode === 'recording' ? 'playback' : 'live';
  const first = mode === 'talk' ? talkMask(device) : unitKind === 'channel' ? maskOf(event.unit) : 0;
  const chosen = [first, DEFAULT_MASK].flatMap((mask) => selectChannels(mask, device, use));
  return [...new Set(chosen)].slice(0, MOST_CHANNELS);
}

function talkMask({ talkchs = '' }: DeviceInfo): number {
  return [...talkchs].reduce((mask, bit, at) => mask + (bit === '1' ? maskOf(at + 1) : 0), 0);
}

function maskOf(channel: number): number {
  return 2 ** (channel - 1);
}

export interface EventClip {
  readonly clipBeforeS: number;
  readonly clipAfterS: number;
}

/** The stretch that is to be seen of an event; one that lasts is seen until it ends, or for an hour. */
export function clipRange(
  { beginAtMs, endAtMs }: { readonly beginAtMs: number; readonly endAtMs: number },
  { clipBeforeS, clipAfterS }: EventClip,
): { readonly fromMs: number; readonly toMs: number } {
  const lastMs = Math.min(Math.max(beginAtMs, endAtMs), beginAtMs + MAX_CLIP_MS);
  return { fromMs: clipStartMs({ beginAtMs }, clipBeforeS), toMs: lastMs + clipAfterS * 1_000 };
}

const MAX_CLIP_MS = 3_600_000;

/** Where the recording begins to play. */
export function clipStartMs({ beginAtMs }: { readonly beginAtMs: number }, clipBeforeS: number): number {
  return beginAtMs - clipBeforeS * 1_000;
}
