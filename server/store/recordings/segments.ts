// The only module that knows `segment` and `recorded_range`: the existing segments of recordings, and the time of each channel that they
// cover.
import {
  type ExpressionBuilder,
  type ExpressionWrapper,
  type Selectable,
  type SqlBool,
  sql,
  type Transaction,
} from 'kysely';
import { numberOfSegmentOrigin, type SegmentOrigin, segmentOriginOf } from '../../../shared/protocol/segmentOrigins.ts';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import { clipRange, mergeRanges, RANGE_JOIN_MS, type TimeRange } from '../../../shared/protocol/timeRanges.ts';
import type { StoreDb } from '../engine/database.ts';
import type { Schema } from '../schema.ts';
import type { SegmentTable } from './tables.ts';

/** A segment that is complete. Only the recorder knows segments that are still being written. */
export interface Segment {
  /** Archive of the device that recorded it. */
  readonly archiveId: string;
  readonly channel: number;
  readonly quality: 'main' | 'sub';
  /** Time by the gateway's clock. */
  readonly startMs: WallMs;
  readonly endMs: WallMs;
  /** The device's clock at the first and the last picture; 0 when unknown. */
  readonly deviceStartMs: WallMs;
  readonly deviceEndMs: WallMs;
  readonly bytes: number;
  readonly groupCount: number;
  /** Left out: live. */
  readonly origin?: SegmentOrigin;
  /** The recorded parts of its time, if it isn't recorded completely. Known when it is added, and stored only in the ranges. */
  readonly covered?: readonly TimeRange[];
}

export type StoredSegment = Segment & { readonly id: number };

/** Half-open. */
export interface ChannelWindow {
  readonly archiveId: string;
  readonly channel: number;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface RecordedRange {
  readonly archiveId: string;
  readonly channel: number;
  readonly fromMs: WallMs;
  readonly toMs: WallMs;
}

export interface RangeQuery {
  /** Left out: all archives. */
  readonly archiveId?: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** Maximum number of ranges, counted from the first. */
  readonly limit?: number;
}

export type FetchedQuery = Omit<ChannelWindow, 'channel'> & { readonly limit: number };

interface SegmentTotals {
  readonly segments: number;
  readonly bytes: number;
}

export type SegmentId = Pick<Segment, 'archiveId' | 'channel' | 'startMs'>;

export interface SegmentStore {
  /** Stores all or none, and adds them to the ranges. A segment that exists already is replaced. */
  add(segments: readonly Segment[]): Promise<void>;
  /** Segments with a moment in the window, ordered by start. */
  find(window: ChannelWindow, limit?: number): Promise<StoredSegment[]>;
  /** The first segment that starts at or after a moment. */
  next(archiveId: string, channel: number, atMs: number): Promise<StoredSegment | undefined>;
  /** The last segment that starts at or before a moment. */
  latest(archiveId: string, channel: number, atMs: number): Promise<StoredSegment | undefined>;
  /** For pages. Recordings in a window, by archive, channel and time, clipped to it. Time between ranges is a gap. */
  ranges(query: RangeQuery): Promise<RecordedRange[]>;
  /** For pages. When the first recording of an archive begins; undefined where there is none. */
  firstMs(archiveId: string): Promise<number | undefined>;
  /** For pages. The parts of a window that were fetched from the device later: by channel and start, clipped to it. */
  fetched(query: FetchedQuery): Promise<RecordedRange[]>;
  /** The segments that started first, over all archives; continues after the last one of an earlier page. */
  oldest(limit: number, after?: StoredSegment): Promise<StoredSegment[]>;
  /** Segments of a channel that started at `fromMs` or later and ended before `toMs`, ordered by start. */
  ended(window: ChannelWindow, limit: number): Promise<StoredSegment[]>;
  /** Every archive and channel that has segments. */
  channels(): Promise<{ readonly archiveId: string; readonly channel: number }[]>;
  /** Names of all segments of a channel, ordered by start. */
  names(archiveId: string, channel: number): Promise<Pick<StoredSegment, 'id' | 'startMs' | 'quality'>[]>;
  /** Deletes segments and cuts them out of the ranges. */
  remove(segments: readonly SegmentId[]): Promise<void>;
  /** For pages. The size of the segments that began since then, and the begin of the first. */
  writtenSince(atMs: number): Promise<{ readonly bytes: number; readonly firstMs: number | undefined }>;
  /** The totals that deletion is based on. */
  totals(): Promise<SegmentTotals>;
  /** The same for pages. */
  shownTotals(): Promise<SegmentTotals>;
}

/** No segment is longer, so that segments that overlap a window are found by their start. The recorder ensures this. */
export const MAX_SEGMENT_MS = 15 * 60_000;
/** SQLite takes 32,766 parameters a statement. */
const ROWS_PER_STATEMENT = 1_000;
// The number must be in the statement's text: otherwise neither database uses the index of fetched segments.
const FETCHED = sql.lit(numberOfSegmentOrigin('fetched'));

/** `reading`: for pages. The recorder and playback don't wait for a report. */
export function createSegmentStore(db: StoreDb, reading: StoreDb): SegmentStore {
  const all = () => db.selectFrom('segment').selectAll();
  const ofChannel = (archiveId: string, channel: number) =>
    all().where('archive_id', '=', archiveId).where('channel', '=', channel);
  // Each change reads ranges and then writes them: with several connections, two at once would undo one another.
  let turn: Promise<void> = Promise.resolve();
  const inTurn = (change: () => Promise<void>): Promise<void> => {
    const done = turn.then(change);
    turn = done.catch(() => undefined);
    return done;
  };
  return {
    add: (segments) => inTurn(() => inParts(db, segments, addPart)),
    find: async ({ archiveId, channel, fromMs, toMs }, limit = 10_000) => {
      const starting = ofChannel(archiveId, channel).where('start_ms', '<', toMs);
      const near = starting.where('start_ms', '>=', fromMs - MAX_SEGMENT_MS).where('end_ms', '>', fromMs);
      return (await near.orderBy('start_ms').limit(limit).execute()).map(toSegment);
    },
    next: async (archiveId, channel, atMs) => {
      const later = ofChannel(archiveId, channel).where('start_ms', '>=', atMs);
      const row = await later.orderBy('start_ms').limit(1).executeTakeFirst();
      return row === undefined ? undefined : toSegment(row);
    },
    latest: async (archiveId, channel, atMs) => {
      const earlier = ofChannel(archiveId, channel).where('start_ms', '<=', atMs);
      const row = await earlier.orderBy('start_ms', 'desc').limit(1).executeTakeFirst();
      return row === undefined ? undefined : toSegment(row);
    },
    ranges: (query) => findRanges(reading, query),
    firstMs: async (archiveId) => {
      const ranges = reading.selectFrom('recorded_range').where('archive_id', '=', archiveId);
      const row = await ranges
        .select(({ fn }) => fn.min<number | string | null>('from_ms').as('first'))
        .executeTakeFirst();
      return row === undefined || row.first === null ? undefined : Number(row.first);
    },
    fetched: (query) => findFetched(reading, query),
    oldest: async (limit, after) => {
      const rows = after === undefined ? all() : all().where((is) => behind(is, after));
      return (await rows.orderBy('start_ms').orderBy('id').limit(limit).execute()).map(toSegment);
    },
    ended: async ({ archiveId, channel, fromMs, toMs }, limit) => {
      const started = ofChannel(archiveId, channel).where('start_ms', '>=', fromMs).where('start_ms', '<', toMs);
      const ended = started.where('end_ms', '<', toMs);
      return (await ended.orderBy('start_ms').limit(limit).execute()).map(toSegment);
    },
    channels: async () => {
      const rows = await db.selectFrom('segment').select(['archive_id', 'channel']).distinct().execute();
      return rows.map((row) => ({ archiveId: row.archive_id, channel: row.channel }));
    },
    names: async (archiveId, channel) => {
      const rows = await ofChannel(archiveId, channel).orderBy('start_ms').execute();
      return rows.map(toSegment).map(({ id, startMs, quality }) => ({ id, startMs, quality }));
    },
    remove: (segments) => inTurn(() => inParts(db, segments, removePart)),
    writtenSince: async (atMs) => {
      const begun = reading.selectFrom('segment').where('start_ms', '>=', atMs);
      const row = await begun
        .select((eb) => [eb.fn.sum<number | string | null>('bytes').as('bytes'), eb.fn.min('start_ms').as('first')])
        .executeTakeFirstOrThrow();
      return { bytes: Number(row.bytes ?? 0), firstMs: row.first === null ? undefined : Number(row.first) };
    },
    totals: () => countSegments(db),
    shownTotals: () => countSegments(reading),
  };
}

async function countSegments(db: StoreDb): Promise<SegmentTotals> {
  const { fn } = db;
  const counted = db.selectFrom('segment').select(fn.countAll<number>().as('segments'));
  const row = await counted.select(fn.sum<number | string | null>('bytes').as('bytes')).executeTakeFirstOrThrow();
  return { segments: row.segments, bytes: Number(row.bytes ?? 0) };
}

type Work = Transaction<Schema>;
type ChannelOf = Pick<Segment, 'archiveId' | 'channel'>;

async function inParts<T>(
  db: StoreDb,
  items: readonly T[],
  run: (work: Work, part: readonly T[]) => Promise<void>,
): Promise<void> {
  if (items.length === 0) return;
  await db.transaction().execute(async (work) => {
    for (let start = 0; start < items.length; start += ROWS_PER_STATEMENT) {
      await run(work, items.slice(start, start + ROWS_PER_STATEMENT));
    }
  });
}

async function addPart(work: Work, segments: readonly Segment[]): Promise<void> {
  const insert = work.insertInto('segment').values(segments.map(toRow));
  await insert
    .onConflict((conflict) =>
      conflict.columns(['archive_id', 'channel', 'start_ms']).doUpdateSet((is) => ({
        quality: is.ref('excluded.quality'),
        end_ms: is.ref('excluded.end_ms'),
        device_start_ms: is.ref('excluded.device_start_ms'),
        device_end_ms: is.ref('excluded.device_end_ms'),
        bytes: is.ref('excluded.bytes'),
        group_count: is.ref('excluded.group_count'),
        origin: is.ref('excluded.origin'),
      })),
    )
    .execute();
  for (const [first, ...rest] of byChannel(segments)) {
    const added = [first, ...rest].flatMap(
      ({ startMs, endMs, covered }) => covered ?? [{ fromMs: startMs, toMs: endMs }],
    );
    await joinRanges(work, first, mergeRanges(added, RANGE_JOIN_MS));
  }
}

/** Merges the new ranges with the ranges that they touch. */
async function joinRanges(work: Work, channel: ChannelOf, added: readonly TimeRange[]): Promise<void> {
  for (const { fromMs, toMs } of added) {
    const touched = await takeRanges(work, channel, { fromMs: fromMs - RANGE_JOIN_MS, toMs: toMs + RANGE_JOIN_MS });
    await putRanges(work, channel, mergeRanges([...touched, { fromMs, toMs }], RANGE_JOIN_MS));
  }
}

async function removePart(work: Work, segments: readonly SegmentId[]): Promise<void> {
  for (const [first, ...rest] of byChannel(segments)) {
    const starts = [first, ...rest].map(({ startMs }) => startMs).sort((left, right) => left - right);
    const ofFirst = (is: ExpressionBuilder<Schema, 'segment'>) =>
      is.and([is('archive_id', '=', first.archiveId), is('channel', '=', first.channel), is('start_ms', 'in', starts)]);
    await work.deleteFrom('segment').where(ofFirst).execute();
    let doneMs = Number.NEGATIVE_INFINITY;
    for (const startMs of starts) if (startMs >= doneMs) doneMs = await cutHole(work, first, startMs);
  }
}

/** Cuts out the time between the remaining segments on both sides of a moment; gives the end of the gap. */
async function cutHole(work: Work, channel: ChannelOf, atMs: number): Promise<number> {
  const segments = () =>
    work
      .selectFrom('segment')
      .select(['start_ms', 'end_ms'])
      .where('archive_id', '=', channel.archiveId)
      .where('channel', '=', channel.channel);
  const before = await segments().where('start_ms', '<', atMs).orderBy('start_ms', 'desc').limit(1).executeTakeFirst();
  const behind = await segments().where('start_ms', '>', atMs).orderBy('start_ms').limit(1).executeTakeFirst();
  const hole = { fromMs: before?.end_ms ?? 0, toMs: behind?.start_ms ?? Number.MAX_SAFE_INTEGER };
  if (hole.fromMs < hole.toMs) {
    const touched = await takeRanges(work, channel, hole);
    const left = touched.flatMap((range) => [
      clipRange(range, { fromMs: 0, toMs: hole.fromMs }),
      clipRange(range, { fromMs: hole.toMs, toMs: Number.MAX_SAFE_INTEGER }),
    ]);
    const kept = left.filter((range) => range !== undefined);
    await putRanges(work, channel, kept);
  }
  return hole.toMs;
}

async function takeRanges(work: Work, channel: ChannelOf, { fromMs, toMs }: TimeRange): Promise<TimeRange[]> {
  const touches = (is: ExpressionBuilder<Schema, 'recorded_range'>) =>
    is.and([
      is('archive_id', '=', channel.archiveId),
      is('channel', '=', channel.channel),
      is('from_ms', '<=', toMs),
      is('to_ms', '>=', fromMs),
    ]);
  const rows = await work.selectFrom('recorded_range').select(['from_ms', 'to_ms']).where(touches).execute();
  if (rows.length > 0) await work.deleteFrom('recorded_range').where(touches).execute();
  return rows.map((row) => ({ fromMs: row.from_ms, toMs: row.to_ms }));
}

async function putRanges(work: Work, { archiveId, channel }: ChannelOf, ranges: readonly TimeRange[]): Promise<void> {
  if (ranges.length === 0) return;
  const rows = ranges.map(({ fromMs, toMs }) => ({ archive_id: archiveId, channel, from_ms: fromMs, to_ms: toMs }));
  await work.insertInto('recorded_range').values(rows).execute();
}

/** Reads one row a channel, since tens of thousands of rows cost more in the transfer between threads than in the database. */
async function findRanges(db: StoreDb, { archiveId, fromMs, toMs, limit }: RangeQuery): Promise<RecordedRange[]> {
  const list = sql<string>`string_agg(from_ms || '-' || to_ms, ',' order by from_ms)`.as('list');
  const inWindow = db.selectFrom('recorded_range').where('from_ms', '<', toMs).where('to_ms', '>', fromMs);
  const selected = archiveId === undefined ? inWindow : inWindow.where('archive_id', '=', archiveId);
  const ordered = selected.selectAll().orderBy('archive_id').orderBy('channel').orderBy('from_ms');
  const some = limit === undefined ? selected : db.selectFrom(ordered.limit(limit).as('recorded_range'));
  const byChannel = some.select(['archive_id', 'channel', list]).groupBy(['archive_id', 'channel']);
  const rows = await byChannel.orderBy('archive_id').orderBy('channel').execute();
  return rows.flatMap((row) =>
    row.list.split(',').map((range) => {
      const dash = range.indexOf('-');
      return {
        archiveId: row.archive_id,
        channel: row.channel,
        fromMs: wallMs(Math.max(Number(range.slice(0, dash)), fromMs)),
        toMs: wallMs(Math.min(Number(range.slice(dash + 1)), toMs)),
      };
    }),
  );
}

async function findFetched(db: StoreDb, { archiveId, fromMs, toMs, limit }: FetchedQuery): Promise<RecordedRange[]> {
  const fetched = db.selectFrom('segment').where('archive_id', '=', archiveId).where('origin', '=', FETCHED);
  const near = fetched.where('start_ms', '<', toMs).where('start_ms', '>=', fromMs - MAX_SEGMENT_MS);
  const inWindow = near.where('end_ms', '>', fromMs).select(['channel', 'start_ms', 'end_ms']);
  const rows = await inWindow.orderBy('channel').orderBy('start_ms').limit(limit).execute();
  return rows.map((row) => ({
    archiveId,
    channel: row.channel,
    fromMs: wallMs(Math.max(row.start_ms, fromMs)),
    toMs: wallMs(Math.min(row.end_ms, toMs)),
  }));
}

/** The segments after another one in the order of `oldest`. */
function behind(is: ExpressionBuilder<Schema, 'segment'>, { startMs, id }: StoredSegment): Condition {
  return is.or([is('start_ms', '>', startMs), is.and([is('start_ms', '=', startMs), is('id', '>', id)])]);
}

type Condition = ExpressionWrapper<Schema, 'segment', SqlBool>;

function byChannel<T extends ChannelOf>(items: readonly T[]): [T, ...T[]][] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const key = `${item.archiveId}/${item.channel}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups.values()];
}

function toRow(segment: Segment): Omit<Selectable<SegmentTable>, 'id'> {
  return {
    archive_id: segment.archiveId,
    channel: segment.channel,
    quality: segment.quality,
    start_ms: segment.startMs,
    end_ms: segment.endMs,
    device_start_ms: segment.deviceStartMs,
    device_end_ms: segment.deviceEndMs,
    bytes: segment.bytes,
    group_count: segment.groupCount,
    origin: numberOfSegmentOrigin(segment.origin),
  };
}

export function toSegment(row: Selectable<SegmentTable>): StoredSegment {
  return {
    id: row.id,
    archiveId: row.archive_id,
    channel: row.channel,
    quality: row.quality === 'sub' ? 'sub' : 'main',
    startMs: wallMs(row.start_ms),
    endMs: wallMs(row.end_ms),
    deviceStartMs: wallMs(row.device_start_ms),
    deviceEndMs: wallMs(row.device_end_ms),
    bytes: row.bytes,
    groupCount: row.group_count,
    ...(row.origin === 0 ? {} : { origin: segmentOriginOf(row.origin) }),
  };
}
