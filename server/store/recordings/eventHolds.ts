// Recordings that the gateway itself holds because of an event. The event, its clip and the hold change together, so that they never
// contradict one another.
import { type Selectable, sql } from 'kysely';
import { wallMs } from '../../../shared/protocol/time.ts';
import { deviceIdOfArchive } from '../../archiveId.ts';
import type { StoreDb } from '../engine/database.ts';
import { archiveOwners } from './archives.ts';
import { type ClipState, setClip, setHeld } from './eventClips.ts';
import type { HeldRange } from './evidenceHolds.ts';
import type { EvidenceHoldTable } from './tables.ts';

export interface EventHold {
  readonly id: number;
  readonly eventId: number;
  readonly eventBeginAtMs: number;
  readonly range: HeldRange;
}

export interface NewEventHold extends Omit<EventHold, 'id'> {
  readonly archiveNumber: number;
  readonly reason: string;
}

export interface EventHoldStore {
  /** Adds a hold with the event's clip, when it isn't known yet whether anything is recorded. Does nothing for an event that has a clip. */
  add(hold: NewEventHold, at: number): Promise<void>;
  /** The same for recordings that came later, even if nothing was recorded before, or there was no space. */
  addFetched(hold: NewEventHold, at: number): Promise<void>;
  /** There is no space for the hold: the event says so, unless it has a clip. */
  addRefused(hold: NewEventHold, at: number): Promise<void>;
  /** Holds for which it isn't known yet whether anything is recorded, ordered by id, after the given one. */
  unsettled(afterId: number, limit: number): Promise<EventHold[]>;
  /** Notes that there are recordings. False if the hold was released meanwhile. */
  settle(hold: EventHold, clipBit: number): Promise<boolean>;
  /** Deletes holds; the clips of their events get the given state, and are all that is left of them. */
  release(holds: readonly EventHold[], state: 'failed' | 'removed'): Promise<void>;
  ofEvent(eventId: number): Promise<EventHold[]>;
  /** Holds that have been active since before the time, the oldest first: ids rise with the time. */
  heldBefore(atMs: number, limit: number): Promise<EventHold[]>;
  /** Holds of recordings that count for a member group (0: for none), the oldest after the given one. */
  oldestOf(memberGroup: number, page: { readonly afterId: number; readonly limit: number }): Promise<EventHold[]>;
  /** The number of active holds by the member group that their recordings count for; 0: none. */
  countByGroup(): Promise<ReadonlyMap<number, number>>;
}

export function createEventHoldStore(db: StoreDb): EventHoldStore {
  const inForce = () => db.selectFrom('evidence_hold').where('event_id', '>', 0).where('released_at_ms', '=', 0);
  return {
    add: (hold, at) =>
      db.transaction().execute(async (work) => {
        if (!(await hasClip(work, hold))) await addHold(work, hold, at);
      }),
    addFetched: (hold, at) =>
      db.transaction().execute(async (work) => {
        const clip = work.deleteFrom('event_media').where('event_id', '=', hold.eventId).where('kind', '=', 'clip');
        await clip.where('state', '=', 'failed').execute();
        if (!(await hasClip(work, hold))) await addHold(work, hold, at);
      }),
    addRefused: (hold, at) =>
      db.transaction().execute(async (work) => {
        if (!(await hasClip(work, hold))) await addClip(work, hold, { state: 'failed', name: 'no-room', at });
      }),
    unsettled: async (afterId, limit) => {
      const open = db
        .selectFrom('event_media')
        .innerJoin('evidence_hold', 'evidence_hold.event_id', 'event_media.event_id')
        .where('event_media.state', '=', 'requested')
        .where('event_media.kind', '=', 'clip')
        .where('evidence_hold.released_at_ms', '=', 0)
        .where('evidence_hold.id', '>', afterId);
      return (await open.selectAll('evidence_hold').orderBy('evidence_hold.id').limit(limit).execute()).map(toHold);
    },
    settle: (hold, clipBit) =>
      db.transaction().execute(async (work) => {
        const held = work.selectFrom('evidence_hold').select('id').where('id', '=', hold.id);
        if ((await held.where('released_at_ms', '=', 0).executeTakeFirst()) === undefined) return false;
        await setClip(work, hold, 'stored');
        const media = sql<number>`media | ${sql.lit(clipBit)}`;
        const update = work.updateTable('event').set({ media }).where('id', '=', hold.eventId);
        await update.where('begin_at_ms', '=', hold.eventBeginAtMs).execute();
        return true;
      }),
    release: async (holds, state) => {
      for (const hold of holds) {
        await db.transaction().execute(async (work) => {
          await work.deleteFrom('evidence_hold').where('id', '=', hold.id).execute();
          await setClip(work, hold, state);
          await setHeld(work, hold, 0);
        });
      }
    },
    ofEvent: async (eventId) => (await inForce().selectAll().where('event_id', '=', eventId).execute()).map(toHold),
    heldBefore: async (atMs, limit) => {
      const old = inForce().selectAll().where('held_at_ms', '<', atMs).orderBy('id');
      return (await old.limit(limit).execute()).map(toHold);
    },
    oldestOf: async (memberGroup, { afterId, limit }) => {
      const owned = db.selectFrom(archiveOwners(db).as('owned')).select('owned.archive_id');
      const own =
        memberGroup === 0
          ? inForce().where('archive_id', 'not in', owned)
          : inForce().where('archive_id', 'in', owned.where('owned.owner', '=', memberGroup));
      const oldest = own.selectAll().where('id', '>', afterId).orderBy('id').limit(limit);
      return (await oldest.execute()).map(toHold);
    },
    countByGroup: async () => {
      const rows = await inForce()
        .leftJoin(archiveOwners(db).as('owned'), 'owned.archive_id', 'evidence_hold.archive_id')
        .select(({ fn }) => ['owned.owner', fn.countAll<number | string>().as('count')])
        .groupBy('owned.owner')
        .execute();
      return new Map(rows.map((row) => [row.owner ?? 0, Number(row.count)]));
    },
  };
}

async function addHold(work: StoreDb, hold: NewEventHold, at: number): Promise<void> {
  const { eventId, eventBeginAtMs, reason, range } = hold;
  const { archiveId, channel, fromMs, toMs } = range;
  const what = { archive_id: archiveId, device_id: deviceIdOfArchive(archiveId), channel };
  const event = { event_id: eventId, event_begin_at_ms: eventBeginAtMs };
  const row = { ...what, ...event, from_ms: fromMs, to_ms: toMs, reason, held_by: '', held_at_ms: at };
  await work.insertInto('evidence_hold').values(row).execute();
  await addClip(work, hold, { state: 'requested', name: '', at });
  await setHeld(work, hold, 1);
}

/** A start looks for events that a kill has left without their clip: one of them may get a hold at the same moment. */
async function hasClip(db: StoreDb, { eventId }: NewEventHold): Promise<boolean> {
  const clips = db.selectFrom('event_media').select('id').where('event_id', '=', eventId).where('kind', '=', 'clip');
  return (await clips.executeTakeFirst()) !== undefined;
}

interface NewClip {
  readonly state: ClipState;
  /** The reason why there is no clip. */
  readonly name: string;
  readonly at: number;
}

async function addClip(db: StoreDb, hold: NewEventHold, { state, name, at }: NewClip): Promise<void> {
  const { eventId, eventBeginAtMs, archiveNumber, range } = hold;
  const event = { event_id: eventId, event_begin_at_ms: eventBeginAtMs, archive_number: archiveNumber };
  const none = { content_type: '', bytes: 0, sha256: '', file_id: '', terminal_media_id: null, attempts: 0 };
  const times = { taken_at_ms: range.fromMs, requested_at_ms: at, stored_at_ms: 0 };
  const row = { ...event, ...none, ...times, kind: 'clip', channel: range.channel, name, state };
  await db.insertInto('event_media').values(row).execute();
}

function toHold(row: Selectable<EvidenceHoldTable>): EventHold {
  const { archive_id: archiveId, channel, from_ms: fromMs, to_ms: toMs } = row;
  return {
    id: row.id,
    eventId: row.event_id,
    eventBeginAtMs: row.event_begin_at_ms,
    range: { archiveId, channel, fromMs: wallMs(fromMs), toMs: wallMs(toMs) },
  };
}
