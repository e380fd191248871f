// The only module that knows `device_recording` and `device_listing`: what devices have said that they have recorded.
import { type Selectable, sql } from 'kysely';
import { SYNC_STREAMS, type SyncStream } from '../../../shared/protocol/sync/syncWords.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { StoreDb } from '../engine/database.ts';
import { deleteInParts } from '../engine/deleteInParts.ts';
import type { DeviceRecordingTable } from './tables.ts';

/** One file of a device's own. Times are its own clock. */
export interface ListedRecording {
  readonly channel: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly stream: SyncStream;
  /** 16 hex digits. */
  readonly alarms: string;
  readonly bytes: number;
}

export interface StoredRecording extends ListedRecording {
  /** It was listed once, and is no more. */
  readonly isGone: boolean;
}

/** What was asked for. The device's clock, half open. */
export interface ListingWindow {
  readonly incarnation: number;
  readonly channel: number;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface DeviceRecordingStore {
  /** What a device has that began in the window, and nothing else; what it had before is gone. */
  replace(window: ListingWindow, listed: readonly ListedRecording[]): Promise<void>;
  /** With a moment in a span of the device's clock, by channel and begin. */
  within(incarnation: number, span: { readonly fromMs: number; readonly toMs: number }): Promise<StoredRecording[]>;
  /** Begins of the days of the device's clock, in order, on which a recording began before then that is not gone. */
  daysBefore(incarnation: number, beforeMs: number): Promise<number[]>;
  /** By the gateway's clock; 0 for never. */
  listedAtMs(incarnation: number): Promise<number>;
  setListed(incarnation: number, atMs: number): Promise<void>;
  listings(): Promise<ReadonlyMap<number, number>>;
  /** Forgets what ended before then, by the device's clock and by the gateway's. */
  removeBefore(beforeMs: number): Promise<void>;
}

/** Recordings that a device has listed: a month of eight cameras in files of ten minutes takes 36,000. The oldest are forgotten. */
export const LISTED_LIMIT: Limit = { name: 'sync.listed-recordings.device', max: 100_000 };

const ROWS_PER_STATEMENT = 1_000;
const DAY_MS = 86_400_000;
/** Recordings that are longer than a day are none. */
const LONGEST_MS = DAY_MS;

export function createDeviceRecordingStore(db: StoreDb, reading: StoreDb, onLimit?: OnLimit): DeviceRecordingStore {
  return {
    replace: (window, listed) => db.transaction().execute((work) => replaceWindow(work, { window, listed, onLimit })),
    within: async (incarnation, { fromMs, toMs }) => {
      const rows = await reading
        .selectFrom('device_recording')
        .selectAll()
        .where('incarnation', '=', incarnation)
        .where('from_ms', '<', toMs)
        .where('to_ms', '>', fromMs)
        .orderBy('channel')
        .orderBy('from_ms')
        .orderBy('id')
        .execute();
      return rows.map(toRecording);
    },
    daysBefore: async (incarnation, beforeMs) => {
      const rows = await reading
        .selectFrom('device_recording')
        // Both are whole numbers, whose quotient either database cuts to one.
        .select(sql<number>`from_ms / ${sql.lit(DAY_MS)}`.as('day'))
        .distinct()
        .where('incarnation', '=', incarnation)
        .where('is_gone', '=', 0)
        .where('from_ms', '<', beforeMs)
        .orderBy('day')
        .execute();
      return rows.map(({ day }) => Number(day) * DAY_MS);
    },
    listedAtMs: async (incarnation) => {
      const listing = db.selectFrom('device_listing').select('listed_at_ms').where('incarnation', '=', incarnation);
      return (await listing.executeTakeFirst())?.listed_at_ms ?? 0;
    },
    setListed: async (incarnation, atMs) => {
      await db
        .insertInto('device_listing')
        .columns(['incarnation', 'listed_at_ms'])
        // A device that is gone by now has no row to refer to.
        .expression(
          db
            .selectFrom('device_incarnation')
            .select(['incarnation', sql<number>`cast(${atMs} as bigint)`.as('listed_at_ms')])
            .where('incarnation', '=', incarnation),
        )
        .onConflict((conflict) => conflict.column('incarnation').doUpdateSet({ listed_at_ms: atMs }))
        .execute();
    },
    listings: async () => {
      const rows = await db.selectFrom('device_listing').selectAll().execute();
      return new Map(rows.map((row) => [row.incarnation, row.listed_at_ms]));
    },
    removeBefore: (beforeMs) =>
      deleteInParts((limit) => {
        // By both clocks: steps of a clock are looked up for the few that are old by the device's.
        const old = db.selectFrom('device_recording').select('id').where('to_ms', '<', beforeMs);
        const forgotten = old.where(endAtGateway(db), '<', beforeMs).limit(limit);
        return db.deleteFrom('device_recording').where('id', 'in', forgotten);
      }),
  };
}

/** When a recording ended: clocks that were never set are off by decades. What was measured first holds for the time before too. */
function endAtGateway(db: StoreDb) {
  const steps = db
    .selectFrom('device_clock')
    .select('device_clock.offset_ms')
    .where('device_clock.incarnation', '=', sql.ref<number>('device_recording.incarnation'));
  const at = steps
    .where('device_clock.device_from_ms', '<=', sql.ref<number>('device_recording.to_ms'))
    .orderBy('device_clock.device_from_ms', 'desc')
    .limit(1);
  const first = steps.orderBy('device_clock.device_from_ms').limit(1);
  return sql<number>`device_recording.to_ms + coalesce((${at}), (${first}), 0)`;
}

interface Replacement {
  readonly window: ListingWindow;
  readonly listed: readonly ListedRecording[];
  readonly onLimit: OnLimit | undefined;
}

async function replaceWindow(work: StoreDb, { window, listed, onLimit }: Replacement): Promise<void> {
  const { incarnation, channel, fromMs, toMs } = window;
  const device = work.selectFrom('device_incarnation').select('incarnation').where('incarnation', '=', incarnation);
  if ((await device.executeTakeFirst()) === undefined) return;
  const before = await work
    .selectFrom('device_recording')
    .selectAll()
    .where('incarnation', '=', incarnation)
    .where('channel', '=', channel)
    .where('from_ms', '>=', fromMs)
    .where('from_ms', '<', toMs)
    .execute();
  const known = new Map(before.map((row) => [keyOf(row.from_ms, row.stream), row]));
  const fresh: ListedRecording[] = [];
  for (const recording of listed) {
    if (recording.toMs - recording.fromMs > LONGEST_MS) continue;
    const key = keyOf(recording.fromMs, recording.stream);
    const row = known.get(key);
    known.delete(key);
    if (row === undefined) fresh.push(recording);
    else if (isOtherwise(row, recording)) {
      const { toMs: endMs, alarms, bytes } = recording;
      const update = work.updateTable('device_recording').set({ to_ms: endMs, alarms, bytes, is_gone: 0 });
      await update.where('id', '=', row.id).execute();
    }
  }
  const gone = [...known.values()].filter((row) => row.is_gone === 0).map(({ id }) => id);
  for (let at = 0; at < gone.length; at += ROWS_PER_STATEMENT) {
    const part = gone.slice(at, at + ROWS_PER_STATEMENT);
    await work.updateTable('device_recording').set({ is_gone: 1 }).where('id', 'in', part).execute();
  }
  await insertFresh(work, { window, fresh, onLimit });
}

interface Fresh {
  readonly window: ListingWindow;
  readonly fresh: readonly ListedRecording[];
  readonly onLimit: OnLimit | undefined;
}

async function insertFresh(work: StoreDb, { window, fresh, onLimit }: Fresh): Promise<void> {
  if (fresh.length === 0) return;
  const { incarnation } = window;
  const unique = new Map(fresh.map((each) => [keyOf(each.fromMs, each.stream), each]));
  const counted = work.selectFrom('device_recording').select(sql<number>`count(*)`.as('count'));
  const { count } = await counted.where('incarnation', '=', incarnation).executeTakeFirstOrThrow();
  const excess = Number(count) + unique.size - LISTED_LIMIT.max;
  if (excess > 0) {
    onLimit?.(LISTED_LIMIT);
    const oldest = work.selectFrom('device_recording').select('id').where('incarnation', '=', incarnation);
    await work.deleteFrom('device_recording').where('id', 'in', oldest.orderBy('from_ms').limit(excess)).execute();
  }
  const rows = [...unique.values()].slice(-LISTED_LIMIT.max).map((each) => ({
    incarnation,
    channel: each.channel,
    from_ms: each.fromMs,
    to_ms: each.toMs,
    stream: each.stream,
    alarms: each.alarms,
    bytes: each.bytes,
  }));
  for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) {
    await work
      .insertInto('device_recording')
      .values(rows.slice(at, at + ROWS_PER_STATEMENT))
      .execute();
  }
}

const keyOf = (fromMs: number, stream: string): string => `${fromMs}/${stream}`;

function isOtherwise(row: Selectable<DeviceRecordingTable>, { toMs, alarms, bytes }: ListedRecording): boolean {
  return row.is_gone !== 0 || row.to_ms !== toMs || row.alarms !== alarms || row.bytes !== bytes;
}

function toRecording(row: Selectable<DeviceRecordingTable>): StoredRecording {
  return {
    channel: row.channel,
    fromMs: row.from_ms,
    toMs: row.to_ms,
    stream: SYNC_STREAMS.find((stream) => stream === row.stream) ?? 'any',
    alarms: row.alarms,
    bytes: row.bytes,
    isGone: row.is_gone !== 0,
  };
}
