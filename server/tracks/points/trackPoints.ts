// Single positions of a track: those in a part of its columns, and pages of them.
import type { TrackPoint } from '../../../shared/protocol/api/tracks/track.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { hasBit, StatusBit } from '../../device/jt808/codec/codes.ts';
import { inGatewayOrder, type TimedColumns, type TrackQuery } from '../line/gatewayOrder.ts';
import { hasPlace } from '../line/lineBuilder.ts';
import type { TrackField, TrackReading } from '../trackReading.ts';

export const POINT_FIELDS = [
  'latitude',
  'longitude',
  'altitudeM',
  'speedKmh',
  'headingDeg',
  'alarmBits',
  'statusBits',
  'receivedAtMs',
  'isLate',
  'mileageKm',
  'fuelLiters',
  'cabinCelsius',
  'signal',
] as const satisfies readonly TrackField[];
export type PointColumns = TimedColumns<(typeof POINT_FIELDS)[number]>;

export function pointAt(columns: PointColumns, at: number): TrackPoint {
  const of = (field: (typeof POINT_FIELDS)[number]): number => columns[field][at] as number;
  const known = (field: (typeof POINT_FIELDS)[number]): number | null => (Number.isNaN(of(field)) ? null : of(field));
  return {
    atMs: wallMs(columns.atMs[at] as number),
    deviceTimeMs: wallMs(columns.deviceTimeMs[at] as number),
    receivedAtMs: wallMs(of('receivedAtMs')),
    isLate: of('isLate') === 1,
    hasFix: hasPlace(of('statusBits'), of('latitude'), of('longitude')),
    lat: of('latitude'),
    lng: of('longitude'),
    altitudeM: known('altitudeM'),
    speedKmh: known('speedKmh'),
    headingDeg: known('headingDeg'),
    ignitionOn: hasBit(of('statusBits'), StatusBit.AccOn),
    alarmBits: of('alarmBits'),
    mileageKm: known('mileageKm'),
    fuelLiters: known('fuelLiters'),
    cabinCelsius: known('cabinCelsius'),
    signal: known('signal'),
  };
}

/** A point's moment, and how many points of the same moment come before it. */
export interface PointPlace {
  readonly atMs: number;
  readonly ordinal: number;
}

export interface PlacedPoint extends PointPlace {
  readonly point: TrackPoint;
}

/** The points from a place on; the point at that place is the first one. */
export async function pointsFrom(
  reading: TrackReading,
  query: TrackQuery,
  { atMs, ordinal }: PointPlace,
  most: number,
): Promise<PlacedPoint[]> {
  const found: PlacedPoint[] = [];
  for await (const placed of placedPoints(reading, { ...query, fromMs: Math.max(atMs, query.fromMs) })) {
    if (placed.atMs === atMs && placed.ordinal < ordinal) continue;
    found.push(placed);
    if (found.length === most) break;
  }
  return found;
}

const FIRST_LOOK_BACK_MS = 60_000;
/** At most half a day more than wanted is read. */
const MOST_LOOK_BACK_MS = 12 * 3_600_000;

/** The last points before a place, in the order of time. */
export async function pointsBefore(
  reading: TrackReading,
  query: TrackQuery,
  { atMs, ordinal }: PointPlace,
  most: number,
): Promise<PlacedPoint[]> {
  let found: PlacedPoint[] = [];
  let toMs = Math.min(query.toMs, atMs + 1);
  // Positions are read forwards: from further and further back, until there are enough of them.
  for (let lookBackMs = FIRST_LOOK_BACK_MS; toMs > query.fromMs && found.length < most; lookBackMs *= 2) {
    const fromMs = Math.max(query.fromMs, toMs - Math.min(lookBackMs, MOST_LOOK_BACK_MS));
    const part: PlacedPoint[] = [];
    for await (const placed of placedPoints(reading, { ...query, fromMs, toMs })) {
      if (placed.atMs === atMs && placed.ordinal >= ordinal) continue;
      part.push(placed);
      if (part.length > KEPT_BACK * most) part.splice(0, part.length - most);
    }
    found = [...part, ...found].slice(-most);
    toMs = fromMs;
  }
  return found;
}

/** Multiple of the wanted points above which earlier ones are dropped: only the last ones are wanted. */
const KEPT_BACK = 4;

async function* placedPoints(reading: TrackReading, query: TrackQuery): AsyncGenerator<PlacedPoint> {
  let last: PointPlace = { atMs: Number.NEGATIVE_INFINITY, ordinal: 0 };
  for await (const columns of inGatewayOrder(reading, query, POINT_FIELDS)) {
    for (let at = 0; at < columns.count; at++) {
      const atMs = columns.atMs[at] as number;
      last = { atMs, ordinal: atMs === last.atMs ? last.ordinal + 1 : 0 };
      yield { ...last, point: pointAt(columns, at) };
    }
  }
}
