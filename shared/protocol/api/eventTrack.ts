// Where the device of an event was around it (docs/contract.md).
import * as Type from 'typebox/type';
import { EVENTS_PATH } from './events.ts';
import { Nullable, type RecordOf, Timestamp } from './records.ts';

/** Before and after the event, by the device's clock. */
export const EVENT_TRACK_SPAN_MS = 5 * 60_000;
export const EVENT_TRACK_POINTS = 500;

export function eventTrackPath(id: number | string): string {
  return `${EVENTS_PATH}/${id}/track`;
}

/** In the order of the device's clock. */
export const EventTrack = Type.Array(
  Type.Object({
    /** The device's clock. */
    atMs: Timestamp,
    /** Degrees, WGS 84. */
    lat: Type.Number(),
    lng: Type.Number(),
    /** Null: the terminal didn't know it. */
    speedKmh: Nullable(Type.Number()),
  }),
);
export type EventTrack = RecordOf<typeof EventTrack>;
