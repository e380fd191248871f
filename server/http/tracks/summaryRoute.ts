// What happened in a span of a device's track.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Selectable } from 'kysely';
import { EventMediaBit, type EventRow } from '../../../shared/protocol/api/events.ts';
import {
  MAX_SUMMARY_ROWS,
  TRACK_SUMMARY_PATH,
  type TrackEvent,
  type TrackStop,
  TrackSummary,
  TrackSummaryQuery,
  type Trip,
} from '../../../shared/protocol/api/tracks/track.ts';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import type { RecordedRange } from '../../store/recordings/segments.ts';
import type { StopTable, TripTable } from '../../store/tracks/tables.ts';
import { clockOf } from '../../tracks/line/readLine.ts';
import type { TrackTurns } from '../../tracks/trackTurns.ts';
import { createYielder, mapYielding } from '../devices/import/yielder.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { ok } from '../kernel/envelope.ts';
import { type AskedTrack, findTrack, inTurn, spanOf } from './trackAsked.ts';
import { SIGNED_IN, type TrackRoutesDeps } from './trackDeps.ts';

/** `GET /api/track/summary`. */
export function registerSummary(app: FastifyInstance, deps: TrackRoutesDeps, turns: TrackTurns): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = {
    summary: 'Trips, stops, gaps, events and recordings of a device in a span',
    querystring: TrackSummaryQuery,
    response: answers(TrackSummary),
  };
  routes.get(TRACK_SUMMARY_PATH, { schema, config: SIGNED_IN }, async (request, reply) => {
    const track = await findTrack(deps.stores, request, spanOf(request.query));
    return inTurn(reply, { turns, track }, async (asked) => ok(await readSummary(deps, asked, seesEvents(request))));
  });
}

function seesEvents(request: FastifyRequest): boolean {
  return callerOf(request).user.permissions.includes(Permission.Event);
}

async function readSummary(deps: TrackRoutesDeps, track: AskedTrack, withEvents: boolean): Promise<TrackSummary> {
  const { trackSummary } = deps.stores;
  const { incarnation, scope } = track;
  const most = MAX_SUMMARY_ROWS + 1;
  const [placeOf, trips, stops, gaps, events, ranges] = await Promise.all([
    deps.placesOf(scope.memberGroup),
    trackSummary.trips(incarnation, track, most),
    trackSummary.stops(incarnation, track, most),
    trackSummary.gaps(incarnation, track, most),
    withEvents ? readEvents(deps, track, most) : [],
    deps.recorded.ranges({ archiveId: track.device.archiveId, fromMs: track.fromMs, toMs: track.toMs, limit: most }),
  ]);
  // A place may lie in hundreds of geofences, each of thousands of vertices.
  const yieldIfDue = createYielder();
  return {
    clock: clockOf(track),
    trips: await mapYielding(shown(trips), yieldIfDue, (trip) => toTrip(trip, placeOf)),
    stops: await mapYielding(shown(stops), yieldIfDue, (stop) => toStop(stop, placeOf)),
    gaps: shown(gaps).map(({ from_ms, to_ms }) => ({ fromMs: wallMs(from_ms), toMs: wallMs(to_ms) })),
    events: shown(events).map(toEvent),
    recordings: byChannel(shown(ranges)),
    isCut: [trips, stops, gaps, events, ranges].some(({ length }) => length > MAX_SUMMARY_ROWS),
  };
}

function shown<Row>(rows: readonly Row[]): readonly Row[] {
  return rows.slice(0, MAX_SUMMARY_ROWS);
}

/** The events that began in the span, the earliest first. */
async function readEvents(
  { stores }: TrackRoutesDeps,
  { device, scope, fromMs, toMs }: AskedTrack,
  limit: number,
): Promise<readonly EventRow[]> {
  const page = await stores.eventList.page({
    memberGroup: scope.memberGroup,
    seesGateway: false,
    search: '',
    deviceIds: [device.deviceId],
    fromMs,
    toMs,
    sort: 'time',
    descending: false,
    limit,
    position: { at: 'offset', offset: 0 },
    wantsTotal: false,
  });
  return page?.rows ?? [];
}

type PlaceOf = (lat: number, lng: number) => string;

function toTrip(row: Selectable<TripTable>, placeOf: PlaceOf): Trip {
  return {
    id: row.id,
    driver: row.driver,
    fromMs: wallMs(row.from_ms),
    toMs: wallMs(row.to_ms),
    isOpen: row.is_open === 1,
    clockOffsetMs: row.clock_offset_ms,
    fromLat: row.from_latitude,
    fromLng: row.from_longitude,
    toLat: row.to_latitude,
    toLng: row.to_longitude,
    fromPlace: placeOf(row.from_latitude, row.from_longitude),
    toPlace: placeOf(row.to_latitude, row.to_longitude),
    metres: Math.round(row.metres),
    isOdometer: row.is_odometer === 1,
    odometerDiffers: row.odometer_differs === 1,
    movingMs: row.moving_ms,
    idleMs: row.idle_ms,
    maxSpeedKmh: row.max_speed_kmh,
    meanSpeedKmh: row.mean_speed_kmh,
    fuelLiters: row.fuel_liters,
  };
}

function toStop(row: Selectable<StopTable>, placeOf: PlaceOf): TrackStop {
  return {
    id: row.id,
    fromMs: wallMs(row.from_ms),
    toMs: wallMs(row.to_ms),
    isOpen: row.is_open === 1,
    clockOffsetMs: row.clock_offset_ms,
    lat: row.latitude,
    lng: row.longitude,
    place: placeOf(row.latitude, row.longitude),
    idleMs: row.idle_ms,
  };
}

function toEvent({ id, type, severity, beginAtMs, endAtMs, lat, lng, media }: EventRow): TrackEvent {
  const hasPictures = (media & EventMediaBit.Snapshot) !== 0;
  return { id, type, severity, beginAtMs, endAtMs, lat, lng, hasPictures };
}

/** Groups the ranges by channel, in the order in which the channels come. */
function byChannel(ranges: readonly RecordedRange[]): TrackSummary['recordings'] {
  const channels = new Map<number, { fromMs: RecordedRange['fromMs']; toMs: RecordedRange['toMs'] }[]>();
  for (const { channel, fromMs, toMs } of ranges) {
    const known = channels.get(channel) ?? [];
    known.push({ fromMs, toMs });
    channels.set(channel, known);
  }
  return [...channels].map(([channel, found]) => ({ channel, ranges: found }));
}
