// Finds the request or event to which a picture belongs. Pure.
import type { NearbyEvent } from '../../store/events/eventMedia.ts';
import type { StoredEventMedia } from '../../store/events/eventMediaRows.ts';

export interface PictureFacts {
  /** The terminal's number of the picture. The terminal restarts counting after some restarts. */
  readonly terminalMediaId: number;
  readonly channel: number;
  /** Whether it was taken because somebody asked for it. */
  readonly isCommanded: boolean;
  /** Time by the device's clock. */
  readonly takenAtMs: number;
}

/** Seconds of video around an event, by its type. */
export interface ClipSpan {
  readonly beforeS: number;
  readonly afterS: number;
}

/**
 * The request that waits for the picture: found by its number or, before the terminal has reported that, by its channel, the oldest first.
 * A terminal that restarts counting gives the number of a request to another picture, of another channel or of an alarm of its own.
 */
export function requestOf(
  rows: readonly StoredEventMedia[],
  { terminalMediaId, channel, isCommanded }: PictureFacts,
): StoredEventMedia | undefined {
  if (!isCommanded) return undefined;
  const ofChannel = rows.filter((row) => row.channel === channel);
  const named = ofChannel.filter((row) => row.terminalMediaId === terminalMediaId);
  const wanted =
    named.findLast(({ state }) => state === 'requested') ?? named.findLast(({ state }) => state === 'failed');
  return wanted ?? ofChannel.find((row) => row.state === 'requested' && row.terminalMediaId === undefined);
}

/** The event in whose clip the picture was taken: events of its channel come first, then the nearest. */
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
