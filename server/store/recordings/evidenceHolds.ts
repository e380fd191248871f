// What is kept beyond its retention, why and by whom: the table `evidence_hold`, with eventHolds.ts.
import type { Selectable } from 'kysely';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import { deviceIdOfArchive } from '../../archiveId.ts';
import { storableText } from '../../limits/storableText.ts';
import type { StoreDb } from '../engine/database.ts';
import { setClip, setHeld } from './eventClips.ts';
import { MAX_SEGMENT_MS } from './segments.ts';
import type { EvidenceHoldTable } from './tables.ts';

export interface NewEvidenceHold {
  /** What the held recordings lie under. */
  readonly archiveId: string;
  /** 0: all channels. */
  readonly channel: number;
  /** Half-open, the gateway's clock. */
  readonly fromMs: WallMs;
  readonly toMs: WallMs;
  readonly reason: string;
  /** User name. */
  readonly heldBy: string;
}

export type HeldRange = Pick<NewEvidenceHold, 'archiveId' | 'channel' | 'fromMs' | 'toMs'>;

export interface EvidenceHold extends NewEvidenceHold {
  readonly id: number;
  /** Of the device that recorded it; another device may have that id by now. */
  readonly deviceId: string;
  readonly heldAtMs: WallMs;
  /** '' and 0 while it is in force. */
  readonly releasedBy: string;
  readonly releasedAtMs: WallMs;
}

export interface EvidenceHoldStore {
  /** Gives the new hold's id. */
  add(hold: NewEvidenceHold, at: WallMs): Promise<number>;
  /** False when there is none in force with this id. */
  release(id: number, by: string, at: WallMs): Promise<boolean>;
  /** Those in force, of one archive or of all, by begin. */
  inForce(archiveId?: string): Promise<EvidenceHold[]>;
  /** How many a user holds that are in force. */
  countInForce(heldBy: string): Promise<number>;
  /** Bytes of the segments that are held, or lie in the range; each counts once. */
  bytesWith(range: HeldRange): Promise<number>;
  /** Released ones too, newest first; of every device that had the id. */
  list(deviceId?: string): Promise<EvidenceHold[]>;
}

/** `reading`: for the list that people see, and never for what decides whether something is kept. */
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
    inForce: async (archiveId) => {
      const all = holds(db).where('released_at_ms', '=', 0);
      const held = archiveId === undefined ? all : all.where('archive_id', '=', archiveId);
      return (await held.orderBy('from_ms').orderBy('id').execute()).map(toHold);
    },
    countInForce: async (heldBy) => {
      const held = db.selectFrom('evidence_hold').where('held_by', '=', heldBy).where('released_at_ms', '=', 0);
      return Number((await held.select(({ fn }) => fn.countAll().as('count')).executeTakeFirstOrThrow()).count);
    },
    bytesWith: async (range) => {
      const segments = heldSegments(db).union(segmentsIn(db, range)).as('held');
      const sum = db.selectFrom(segments).select(({ fn }) => fn.sum<number | string | null>('bytes').as('bytes'));
      return Number((await sum.executeTakeFirstOrThrow()).bytes ?? 0);
    },
    list: async (deviceId) => {
      const all = holds(reading).orderBy('id', 'desc');
      const listed = deviceId === undefined ? all : all.where('device_id', '=', deviceId);
      return (await listed.execute()).map(toHold);
    },
  };
}

function release(db: StoreDb, id: number, { by, at }: { readonly by: string; readonly at: WallMs }): Promise<boolean> {
  return db.transaction().execute(async (work) => {
    const hold = work.updateTable('evidence_hold').set({ released_by: by, released_at_ms: at }).where('id', '=', id);
    const inForce = hold.where('released_at_ms', '=', 0).returning(['event_id', 'event_begin_at_ms']);
    const released = await inForce.executeTakeFirst();
    if (released === undefined) return false;
    const event = { eventId: released.event_id, eventBeginAtMs: released.event_begin_at_ms };
    if (event.eventId === 0) return true;
    await setClip(work, event, 'removed');
    await setHeld(work, event, 0);
    return true;
  });
}

/** Of the holds in force. What starts long before a range cannot reach into it, which the index makes use of. */
function heldSegments(db: StoreDb) {
  return db
    .selectFrom('evidence_hold as hold')
    .innerJoin('segment', 'segment.archive_id', 'hold.archive_id')
    .select(['segment.id', 'segment.bytes'])
    .where('hold.released_at_ms', '=', 0)
    .where((is) => is.or([is('hold.channel', '=', 0), is('hold.channel', '=', is.ref('segment.channel'))]))
    .whereRef('segment.start_ms', '<', 'hold.to_ms')
    .where((is) => is('segment.start_ms', '>=', is('hold.from_ms', '-', MAX_SEGMENT_MS)))
    .whereRef('segment.end_ms', '>', 'hold.from_ms');
}

function segmentsIn(db: StoreDb, { archiveId, channel, fromMs, toMs }: HeldRange) {
  const all = db.selectFrom('segment').select(['id', 'bytes']).where('archive_id', '=', archiveId);
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
