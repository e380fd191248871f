// Which channels of a device are shown with an event. Pure.
import type { EventUnit } from '../../../protocol/events/eventWords.ts';

/** Beside the facts there is room for so many, and a phone decodes no more. */
const MOST_CHANNELS = 4;

/** The event's own channel first, where it has one. */
export function eventChannels(
  channels: readonly number[],
  event: { readonly unit: number },
  unitKind: EventUnit | undefined,
): readonly number[] {
  const own = unitKind === 'channel' ? channels.filter((channel) => channel === event.unit) : [];
  return [...own, ...channels.filter((channel) => !own.includes(channel))].slice(0, MOST_CHANNELS);
}

/** Where the recording begins to play. */
export function clipStartMs({ beginAtMs }: { readonly beginAtMs: number }, clipBeforeS: number): number {
  return beginAtMs - clipBeforeS * 1_000;
}
