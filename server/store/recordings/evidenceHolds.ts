// Recordings kept beyond their retention, the reasons and the users: the table `evidence_hold`, with eventHolds.ts.
import { type Selectable, sql } from 'kysely';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import { deviceIdOfArchive } from '../../archiveId.ts';
import { storableText } from '../../limits/storableText.ts';
import type { StoreDb } from '../engine/database.ts';
import { archiveOwners } from './archives.ts';
import { setClip, setHeld } from './eventClips.ts';
import { MAX_SEGMENT_MS } from './segments.ts';
import type { EvidenceHoldTable } from './tables.ts';

interface NewEvidenceHold {
  /** The archive of the held recordings. */
  readonly archiveId: string;
  /** 0: all channels. */
  readonly channel: number;
  /** Half-open, by the gateway's clock. */
  readonly fromMs: WallMs;
  readonly toMs: WallMs;
  readonly reason: string;
  /** Username. */
  readonly heldBy: string;
}

export type HeldRange = Pick<NewEvidenceHold, 'archiveId' | 'channel' | 'fromMs' | 'toMs'>;

export interface EvidenceHold extends NewEvidenceHold {
  readonly id: number;
  /** Id of the device that recorded it; another device may have that id by now. */
  readonly deviceId: string;
  readonly heldAtMs: WallMs;
  /** '' and 0 while it is active. */
  readonly releasedBy: string;
  readonly releasedAtMs: WallMs;
}

export interface EvidenceHoldStore {
  /** Gives the new hold's id. */
  add(hold: NewEvidenceHold, at: WallMs): Promise<number>;
  /** False when there is no active hold with this id. A hold for an event is deleted: the event says that its clip was released. */
  release(id: number, by: string, at: WallMs): Promise<boolean>;
  /** The active hold with this id. */
  find(id: number): Promise<EvidenceHold | undefined>;
  /** The active holds of one archive or of all, ordered by begin. */
  inForce(archiveId?: string): Promise<EvidenceHold[]>;
  /** The number of a user's active holds. */
  countInForce(heldBy: string): Promise<number>;
  /**
   * Bytes of the segments that are held, or would be held by the requested hold, by the member group that they count for; each segment
   * counts once. Reads the segments of all holds.
   */
  bytesByGroup(asked?: AskedHold): Promise<GroupBytes[]>;
  /** The member group that recordings count for; 0: none. */
  groupOf(archiveId: string): Promise<number>;
  /** Bytes of the segments in the range. */
  bytesIn(range: HeldRange): Promise<number>;
  /** Includes released holds, newest first; covers every device that had the id. */
  list(page: HoldPage): Promise<EvidenceHold[]>;
  /** Deletes holds that were released before the time. Gives how many. */
  removeReleased(beforeMs: number, limit: number): Promise<number>;
}

interface AskedHold {
  readonly range: HeldRange;
  /** False for a hold because of an event. */
  readonly isMember: boolean;
}

/** `memberGroup` is 0 for recordings of devices that no longer belong to a group. */
interface GroupBytes {
  readonly memberGroup: number;
  readonly bytes: number;
  /** Bytes that are not held only for events. */
  readonly memberBytes: number;
}

interface HoldPage {
  readonly deviceId: string | undefined;
  /** Only holds older than this id. */
  readonly beforeId?: number | undefined;
  readonly limit: number;
}

/** `reading`: for the list that members see, never for deciding whether something is kept. */
export function createEvidenceHoldStore(db: StoreDb, reading: StoreDb): EvidenceHoldStore {
  const holds = (on: StoreDb) => on.selectFrom('evidence_hold').selectAll();
  return {
    add: async ({ archiveId, channel, fromMs, toMs, reason, heldBy }, at) => {
      const device = { archive_id: archiveId, device_id: deviceIdOfArchive(archiveId) };
      const what = { ...device, channel, from_ms: fromMs, to_ms: toMs };
      const hold = { reason: storableText(reason), held_by: heldBy, held_at_ms: at };
      const insert = db.insertInto('evidence_hold').values({ ...what, ...hold });
      return (await insert.returning('id').executeTakeFirstOrThrow()).id;
    },
    release: (id, by, at) => release(db, id, { by, at }),
    find: async (id) => {
      const hold = await holds(db).where('id', '=', id).where('released_at_ms', '=', 0).executeTakeFirst();
      return hold === undefined ? undefined : toHold(hold);
    },
    inForce: async (archiveId) => {
      const all = holds(db).where('released_at_ms', '=', 0);
      const held = archiveId === undefined ? all : all.where('archive_id', '=', archiveId);
      return (await held.orderBy('from_ms').orderBy('id').execute()).map(toHold);
    },
    countInForce: async (heldBy) => {
      const held = db.selectFrom('evidence_hold').where('held_by', '=', heldBy).where('released_at_ms', '=', 0);
      return Number((await held.select(({ fn }) => fn.countAll().as('count')).executeTakeFirstOrThrow()).count);
    },
    bytesByGroup: (asked) => bytesByGroup(db, asked),
    groupOf: async (archiveId) => {
      const owned = await archiveOwners(db, archiveId).executeTakeFirst();
      return owned?.owner ?? 0;
    },
    bytesIn: async (range) => {
      const sum = db
        .selectFrom(segmentsIn(db, range).as('held'))
        .select(({ fn }) => fn.sum<number | string | null>('held.bytes').as('bytes'));
      return Number((await sum.executeTakeFirstOrThrow()).bytes ?? 0);
    },
    list: async ({ deviceId, beforeId, limit }) => {
      const all = holds(reading).orderBy('id', 'desc').limit(limit);
      const older = beforeId === undefined ? all : all.where('id', '<', beforeId);
      const listed = deviceId === undefined ? older : older.where('device_id', '=', deviceId);
      return (await listed.execute()).map(toHold);
    },
    removeReleased: async (beforeMs, limit) => {
      const old = db.selectFrom('evidence_hold').select('id').where('released_at_ms', '>', 0);
      const rows = await old.where('released_at_ms', '<', beforeMs).orderBy('id').limit(limit).execute();
      const ids = rows.map(({ id }) => id);
      if (ids.length > 0) await db.deleteFrom('evidence_hold').where('id', 'in', ids).execute();
      return ids.length;
    },
  };
}

function release(db: StoreDb, id: number, { by, at }: { readonly by: string; readonly at: WallMs }): Promise<boolean> {
  return db.transaction().execute(async (work) => {
    const all = work.selectFrom('evidence_hold').select(['event_id', 'event_begin_at_ms']).where('id', '=', id);
    const hold = await all.where('released_at_ms', '=', 0).executeTakeFirst();
    if (hold === undefined) return false;
    const event = { eventId: hold.event_id, eventBeginAtMs: hold.event_begin_at_ms };
    if (event.eventId === 0) {
      const update = work.updateTable('evidence_hold').set({ released_by: by, released_at_ms: at });
      const released = await update.where('id', '=', id).where('released_at_ms', '=', 0).executeTakeFirst();
      return released.numUpdatedRows > 0n;
    }
    await work.deleteFrom('evidence_hold').where('id', '=', id).execute();
    await setClip(work, event, 'removed');
    await setHeld(work, event, 0);
    return true;
  });
}

async function bytesByGroup(db: StoreDb, asked: AskedHold | undefined): Promise<GroupBytes[]> {
  const held = heldSegments(db).select(sql<number>`case when hold.event_id = 0 then 1 else 0 end`.as('is_member'));
  const all =
    asked === undefined
      ? held
      : held.unionAll(segmentsIn(db, asked.range).select(sql.lit<number>(asked.isMember ? 1 : 0).as('is_member')));
  const segments = db
    .selectFrom(all.as('every'))
    .select(({ fn }) => ['every.id', 'every.archive_id', 'every.bytes', fn.max('every.is_member').as('is_member')])
    .groupBy(['every.id', 'every.archive_id', 'every.bytes']);
  const rows = await db
    .selectFrom(segments.as('one'))
    .leftJoin(archiveOwners(db).as('owned'), 'owned.archive_id', 'one.archive_id')
    .select(({ fn }) => ['owned.owner', fn.sum<number | string>('one.bytes').as('bytes')])
    .select(sql<number | string>`sum(one.bytes * one.is_member)`.as('member_bytes'))
    .groupBy('owned.owner')
    .execute();
  return rows.map((row) => ({
    memberGroup: row.owner ?? 0,
    bytes: Number(row.bytes),
    memberBytes: Number(row.member_bytes),
  }));
}

/** Segments of the active holds. A segment that starts long before a range can't overlap it, which the index makes use of. */
function heldSegments(db: StoreDb) {
  return db
    .selectFrom('evidence_hold as hold')
    .innerJoin('segment', 'segment.archive_id', 'hold.archive_id')
    .select(['segment.id', 'segment.archive_id', 'segment.bytes'])
    .where('hold.released_at_ms', '=', 0)
    .where((is) => is.or([is('hold.channel', '=', 0), is('hold.channel', '=', is.ref('segment.channel'))]))
    .whereRef('segment.start_ms', '<', 'hold.to_ms')
    .where((is) => is('segment.start_ms', '>=', is('hold.from_ms', '-', MAX_SEGMENT_MS)))
    .whereRef('segment.end_ms', '>', 'hold.from_ms');
}

function segmentsIn(db: StoreDb, { archiveId, channel, fromMs, toMs }: HeldRange) {
  const all = db.selectFrom('segment').select(['id', 'archive_id', 'bytes']).where('archive_id', '=', archiveId);
  const ofChannel = channel === 0 ? all : all.where('channel', '=', channel);
  const near = ofChannel.where('start_ms', '<', toMs).where('start_ms', '>=', fromMs - MAX_SEGMENT_MS);
  return near.where('end_ms', '>', fromMs);
}

function toHold(row: Selectable<EvidenceHoldTable>): EvidenceHold {
  return {
    id: row.id,
    archiveId: row.archive_id,
    deviceId: row.device_id,
    channel: row.channel,
    fromMs: wallMs(row.from_ms),
    toMs: wallMs(row.to_ms),
    reason: row.reason,
    heldBy: row.held_by,
    heldAtMs: wallMs(row.held_at_ms),
    releasedBy: row.released_by,
    releasedAtMs: wallMs(row.released_at_ms),
  };
}
