// Which request or event a picture belongs to. Pure.
import type { NearbyEvent } from '../../store/events/eventMedia.ts';
import type { StoredEventMedia } from '../../store/events/eventMediaRows.ts';

export interface PictureFacts {
  /** What the terminal calls it. Counted anew after some restarts. */
  readonly terminalMediaId: number;
  readonly channel: number;
  /** Taken because somebody asked for it. */
  readonly isCommanded: boolean;
  /** The device's clock. */
  readonly takenAtMs: number;
}

/** Seconds of video around an event, by its type. */
export interface ClipSpan {
  readonly beforeS: number;
  readonly afterS: number;
}

/** What waits for the picture: by its number and, before the terminal has told that, by its channel; the oldest first. */
export function requestOf(
  rows: readonly StoredEventMedia[],
  { terminalMediaId, channel, isCommanded }: PictureFacts,
): StoredEventMedia | undefined {
  const waiting = rows.filter(({ state }) => state === 'requested' || state === 'failed');
  const named = waiting.findLast((row) => row.terminalMediaId === terminalMediaId);
  if (named !== undefined || !isCommanded) return named;
  return waiting.find(
    (row) => row.state === 'requested' && row.terminalMediaId === undefined && row.channel === channel,
  );
}

/** The event in whose clip it was taken: one of its channel before others, then the nearest. */
export function eventOf(
  events: readonly NearbyEvent[],
  { takenAtMs, channel }: Pick<PictureFacts, 'takenAtMs' | 'channel'>,
  clipOf: (type: string) => ClipSpan,
): NearbyEvent | undefined {
  const near = events.filter(({ type, deviceTimeMs }) => {
    const { beforeS, afterS } = clipOf(type);
    return takenAtMs >= deviceTimeMs - beforeS * 1000 && takenAtMs <= deviceTimeMs + afterS * 1000;
  });
  const distanceOf = ({ deviceTimeMs }: NearbyEvent): number => Math.abs(takenAtMs - deviceTimeMs);
  const isOfChannel = ({ unit }: NearbyEvent): number => (unit === channel ? 0 : 1);
  const [nearest] = near.toSorted(
    (left, right) => isOfChannel(left) - isOfChannel(right) || distanceOf(left) - distanceOf(right),
  );
  return nearest;
}
