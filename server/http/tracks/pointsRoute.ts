import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import type { RecordOf } from '../../../shared/protocol/api/records.ts';
import {
  MAX_TRACK_ROWS,
  TRACK_POINTS_PATH,
  TrackPoints,
  TrackPointsQuery,
} from '../../../shared/protocol/api/tracks/track.ts';
import type { TrackQuery } from '../../tracks/line/gatewayOrder.ts';
import { type PlacedPoint, type PointPlace, pointsBefore, pointsFrom } from '../../tracks/points/trackPoints.ts';
import { readUntilGone, type TrackReading } from '../../tracks/trackReading.ts';
import type { TrackTurns } from '../../tracks/trackTurns.ts';
import { answers } from '../kernel/answers.ts';
import { ok, Refused, refuse } from '../kernel/envelope.ts';
import { readCursor, writeCursor } from '../kernel/lists/cursor.ts';
import { findTrack, inTurn, spanOf } from './trackAsked.ts';
import { SIGNED_IN, type TrackRoutesDeps } from './trackDeps.ts';

const DEFAULT_ROWS = 100;
const ORDER = { sort: 'time', descending: false };

/** The beginning of a page: at a place, after it or before it. */
type AskedPage = ForwardPage | { readonly at: 'before'; readonly place: PointPlace };
type ForwardPage =
  | { readonly at: 'first' }
  | { readonly at: 'moment'; readonly atMs: number }
  | { readonly at: 'after'; readonly place: PointPlace };

/** `GET /api/track/points`. */
export function registerPoints(app: FastifyInstance, { stores }: TrackRoutesDeps, turns: TrackTurns): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = {
    summary: 'Single positions of a device, a page at a time',
    querystring: TrackPointsQuery,
    response: answers(TrackPoints),
  };
  routes.get(TRACK_POINTS_PATH, { schema, config: SIGNED_IN }, async (request, reply) => {
    const page = readPage(request.query);
    if (page === undefined) return refuse(reply, Refused.badRequest);
    const limit = Math.min(Number(request.query.limit ?? DEFAULT_ROWS), MAX_TRACK_ROWS);
    const track = await findTrack(stores, request, spanOf(request.query));
    return inTurn(reply, { turns, track }, async (query, gone) =>
      ok(await readPoints(readUntilGone(stores.positions, gone), query, { page, limit })),
    );
  });
}

/** Undefined for what is no cursor, or where a place is named in more than one way. */
function readPage({ after, before, at }: RecordOf<typeof TrackPointsQuery>): AskedPage | undefined {
  if ([after, before, at].filter((given) => given !== undefined).length > 1) return undefined;
  if (at !== undefined) return { at: 'moment', atMs: Number(at) };
  const cursor = after ?? before;
  if (cursor === undefined) return { at: 'first' };
  const [atMs, ordinal] = readCursor(ORDER, cursor) ?? [];
  if (typeof atMs !== 'number' || typeof ordinal !== 'number' || ordinal < 0) return undefined;
  const place = { atMs, ordinal };
  return after === undefined ? { at: 'before', place } : { at: 'after', place };
}

interface WantedPage {
  readonly page: AskedPage;
  readonly limit: number;
}

async function readPoints(
  positions: TrackReading,
  query: TrackQuery,
  { page, limit }: WantedPage,
): Promise<TrackPoints> {
  if (page.at === 'before') {
    const found = await pointsBefore(positions, query, page.place, limit + 1);
    return pageOf(found.slice(-limit), { hasBefore: found.length > limit, hasAfter: true, place: page.place });
  }
  const place = await firstPlace(positions, query, page);
  const found = await pointsFrom(positions, query, place, limit + 1);
  const hasBefore = page.at === 'after' || (await pointsBefore(positions, query, place, 1)).length > 0;
  return pageOf(found.slice(0, limit), { hasBefore, hasAfter: found.length > limit, place });
}

async function firstPlace(reading: TrackReading, query: TrackQuery, page: ForwardPage): Promise<PointPlace> {
  if (page.at === 'after') return { atMs: page.place.atMs, ordinal: page.place.ordinal + 1 };
  const first = { atMs: query.fromMs, ordinal: 0 };
  if (page.at === 'first') return first;
  const [last] = await pointsBefore(reading, query, { atMs: page.atMs + 1, ordinal: 0 }, 1);
  return last ?? first;
}

interface Around {
  readonly hasBefore: boolean;
  readonly hasAfter: boolean;
  /** The place that was asked for: an empty page is reached from there. */
  readonly place: PointPlace;
}

function pageOf(found: readonly PlacedPoint[], { hasBefore, hasAfter, place }: Around): TrackPoints {
  const cursorOf = (at: PointPlace | undefined): string => {
    const { atMs, ordinal } = at ?? place;
    return writeCursor(ORDER, [atMs, ordinal]);
  };
  return {
    rows: found.map(({ point }) => point),
    next: hasAfter ? cursorOf(found.at(-1)) : null,
    previous: hasBefore ? cursorOf(found[0]) : null,
  };
}
