// A course that can be worked out by hand: along a parallel to the east, with stops.
import { StatusBit } from '../../../server/device/jt808/codec/codes.ts';
import type { MessageBody } from '../../../server/device/jt808/codec/message.ts';
import type { Position } from '../../../server/device/jt808/codec/messages/position.ts';
import { wallMs } from '../../../shared/protocol/time.ts';

export interface Leg {
  readonly minutes: number;
  /** 0 if it stands. */
  readonly speedKmh: number;
  readonly ignitionOn: boolean;
}

export interface Drive {
  readonly startMs: number;
  readonly latitude: number;
  readonly longitude: number;
  /** Odometer at the start; if left out, the vehicle has none. */
  readonly odometerKm?: number;
  readonly legs: readonly Leg[];
  /** 10 by default. */
  readonly stepSeconds?: number;
}

const METERS_PER_DEGREE = 111_320;
const EAST = 90;

/** In the order of time; the last moment of a leg is the first of the next one. */
export function positionsOf({ startMs, latitude, longitude, odometerKm, legs, stepSeconds = 10 }: Drive): Position[] {
  const positions: Position[] = [];
  let [atMs, meters] = [startMs, 0];
  for (const { minutes, speedKmh, ignitionOn } of legs) {
    for (let second = 0; second < minutes * 60; second += stepSeconds) {
      positions.push({
        ...AT_REST,
        status: (1 << StatusBit.Fixed) | (ignitionOn ? 1 << StatusBit.AccOn : 0),
        latitude,
        longitude: longitude + meters / (METERS_PER_DEGREE * Math.cos((latitude * Math.PI) / 180)),
        speedKmh,
        time: wallMs(atMs),
        items: odometerKm === undefined ? [] : [{ id: 0x01, value: kilometers(odometerKm + meters / 1_000) }],
      });
      atMs += stepSeconds * 1_000;
      meters += (speedKmh / 3.6) * stepSeconds;
    }
  }
  return positions;
}

const AT_REST = { alarm: 0, altitudeMeters: 12, direction: EAST, tail: new Uint8Array() } as const;
const POSITIONS_A_MESSAGE = 12;

/** Messages like those in which a terminal sends what it kept while it had no network (0x0704). */
export function bulksOf(positions: readonly Position[]): MessageBody[] {
  const bulks: MessageBody[] = [];
  for (let at = 0; at < positions.length; at += POSITIONS_A_MESSAGE) {
    const part = positions.slice(at, at + POSITIONS_A_MESSAGE);
    bulks.push({ kind: 'bulkPositions', type: 1, positions: part, brokenItems: 0 });
  }
  return bulks;
}

/** Kilometers in tenths. */
function kilometers(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, Math.round(value * 10));
  return bytes;
}
