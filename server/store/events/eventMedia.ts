// The only module that knows `event_media`: pictures and files of events, from the moment that they are requested.
import { sql } from 'kysely';
import {
  type EVENT_MEDIA_FILE_STATES,
  type EventMediaState,
  hasMediaFile,
} from '../../../shared/protocol/events/eventWords.ts';
import type { StoreDb } from '../engine/database.ts';
import { createEventFileStore, type EventFileStore } from './eventFiles.ts';
import {
  type EventRef,
  type NewEventMedia,
  type StoredEventMedia,
  type StoredFile,
  toFileColumns,
  toMedia,
  toMediaRow,
} from './eventMediaRows.ts';

/** An event that a picture could belong to. */
export interface NearbyEvent extends EventRef {
  readonly type: string;
  readonly unit: number;
  readonly deviceTimeMs: number;
}

export interface EventMediaStore extends EventFileStore {
  /** Gives the ids, in order. Stored media set the media bits of their event. */
  add(media: readonly NewEventMedia[], mediaBit: number): Promise<number[]>;
  find(id: number): Promise<StoredEventMedia | undefined>;
  /** Media of an event, ordered by id. */
  ofEvent(eventId: number): Promise<StoredEventMedia[]>;
  /** The file is stored: also sets the media bits of its event. False when the row is gone, or already has a whole file. */
  setStored(id: number, stored: StoredMedia): Promise<boolean>;
  /** Deletes a row without a file. */
  remove(id: number): Promise<void>;
  setState(ids: readonly number[], state: EventMediaState): Promise<void>;
  /** Stores how often it has been requested. */
  setAsked(id: number, attempts: number): Promise<void>;
  setTerminalMediaId(id: number, terminalMediaId: number): Promise<void>;
  /** Requested pictures that haven't arrived. */
  requested(limit: number): Promise<StoredEventMedia[]>;
  /** Pictures of a device since then: those with the terminal's id, and requested ones that haven't arrived. */
  candidates(archiveNumber: number, terminalMediaId: number, sinceMs: number): Promise<StoredEventMedia[]>;
  /** Deletes pictures without an event that came before the time. Gives them. */
  takeUnassigned(beforeMs: number, limit: number): Promise<StoredEventMedia[]>;
  /** Assigns pictures without an event, taken within the window, to an event. Gives how many. */
  assign(window: PictureWindow, event: EventRef, mediaBit: number): Promise<number>;
  /** Events of a device whose time by the device's clock is within the window, latest first. */
  eventsNear(window: PictureWindow, limit: number): Promise<NearbyEvent[]>;
}

interface StoredMedia {
  readonly file: StoredFile;
  readonly takenAtMs: number;
  readonly storedAtMs: number;
  readonly mediaBit: number;
  /** `stored` if left out. */
  readonly state?: (typeof EVENT_MEDIA_FILE_STATES)[number];
}

/** A span that includes both ends. */
interface PictureWindow {
  readonly archiveNumber: number;
  readonly fromMs: number;
  readonly toMs: number;
}

/** The largest error of a device's clock with which a picture still finds its event: days are found by an index. */
const CLOCK_ERROR_MS = 86_400_000;

export function createEventMediaStore(db: StoreDb): EventMediaStore {
  const all = () => db.selectFrom('event_media').selectAll();
  return {
    ...createEventFileStore(db),
    add: (media, mediaBit) => addMedia(db, media, mediaBit),
    find: async (id) => {
      const row = await all().where('id', '=', id).executeTakeFirst();
      return row === undefined ? undefined : toMedia(row);
    },
    ofEvent: async (eventId) => (await all().where('event_id', '=', eventId).orderBy('id').execute()).map(toMedia),
    setStored: (id, stored) => setStored(db, id, stored),
    remove: async (id) => {
      await db.deleteFrom('event_media').where('id', '=', id).where('file_id', '=', '').execute();
    },
    setState: async (ids, state) => {
      if (ids.length === 0) return;
      const gone = state === 'removed' || state === 'failed' ? { state, file_id: '' } : { state };
      await db.updateTable('event_media').set(gone).where('id', 'in', ids).execute();
    },
    setAsked: async (id, attempts) => {
      await db.updateTable('event_media').set({ attempts }).where('id', '=', id).execute();
    },
    setTerminalMediaId: async (id, terminalMediaId) => {
      const update = db.updateTable('event_media').set({ terminal_media_id: terminalMediaId });
      await update.where('id', '=', id).execute();
    },
    requested: async (limit) => {
      const rows = all().where('state', '=', 'requested').where('kind', '=', 'snapshot').orderBy('id', 'desc');
      return (await rows.limit(limit).execute()).map(toMedia);
    },
    candidates: async (archiveNumber, terminalMediaId, sinceMs) => {
      const recent = all().where('archive_number', '=', archiveNumber).where('requested_at_ms', '>=', sinceMs);
      const rows = recent.where(({ or, eb }) =>
        or([eb('terminal_media_id', '=', terminalMediaId), eb('state', '=', 'requested')]),
      );
      return (await rows.where('kind', '=', 'snapshot').orderBy('id').execute()).map(toMedia);
    },
    takeUnassigned: async (beforeMs, limit) => {
      const old = all().where('event_id', '=', 0).where('requested_at_ms', '<', beforeMs).orderBy('id').limit(limit);
      const media = (await old.execute()).map(toMedia);
      const ids = media.map(({ id }) => id);
      if (ids.length > 0) await db.deleteFrom('event_media').where('id', 'in', ids).execute();
      return media;
    },
    assign: (window, event, mediaBit) => assign(db, window, event, mediaBit),
    eventsNear: (window, limit) => eventsNear(db, window, limit),
  };
}

function addMedia(db: StoreDb, media: readonly NewEventMedia[], mediaBit: number): Promise<number[]> {
  if (media.length === 0) return Promise.resolve([]);
  return db.transaction().execute(async (work) => {
    const added = await work.insertInto('event_media').values(media.map(toMediaRow)).returning('id').execute();
    const ids = added.map(({ id }) => id).sort((left, right) => left - right);
    for (const each of media) if (hasMediaFile(each.state)) await setMediaBit(work, each, { mediaBit, ids });
    return ids;
  });
}

function setStored(db: StoreDb, id: number, stored: StoredMedia): Promise<boolean> {
  return db.transaction().execute(async (work) => {
    const { file, takenAtMs, storedAtMs, mediaBit, state = 'stored' } = stored;
    const columns = { ...toFileColumns(file), state, taken_at_ms: takenAtMs, stored_at_ms: storedAtMs };
    const update = work.updateTable('event_media').set(columns).where('id', '=', id).where('state', '!=', 'stored');
    const row = await update.returning(['event_id', 'event_begin_at_ms']).executeTakeFirst();
    if (row === undefined) return false;
    const event = { eventId: row.event_id, eventBeginAtMs: row.event_begin_at_ms };
    await setMediaBit(work, event, { mediaBit, ids: [id] });
    return true;
  });
}

interface NewFiles {
  readonly mediaBit: number;
  /** Rows of the transaction, including those of the new files. */
  readonly ids: readonly number[];
}

/** The event's version stays: an operator who answers the event has missed none of the actions on it. */
async function setMediaBit(
  work: StoreDb,
  { eventId, eventBeginAtMs }: EventRef,
  { mediaBit, ids }: NewFiles,
): Promise<void> {
  if (eventId === 0) return;
  const update = work.updateTable('event').set({ media: sql<number>`media | ${sql.lit(mediaBit)}` });
  const ofEvent = update.where('id', '=', eventId).where('begin_at_ms', '=', eventBeginAtMs);
  const event = await ofEvent.returning('held').executeTakeFirst();
  if (event?.held !== 1) return;
  await work
    .updateTable('event_media')
    .set({ held: 1 })
    .where('id', 'in', ids)
    .where('event_id', '=', eventId)
    .execute();
}

function assign(
  db: StoreDb,
  { archiveNumber, fromMs, toMs }: PictureWindow,
  event: EventRef,
  mediaBit: number,
): Promise<number> {
  return db.transaction().execute(async (work) => {
    const assigned = await work
      .updateTable('event_media')
      .set({ event_id: event.eventId, event_begin_at_ms: event.eventBeginAtMs })
      .where('archive_number', '=', archiveNumber)
      .where('event_id', '=', 0)
      .where('taken_at_ms', '>=', fromMs)
      .where('taken_at_ms', '<=', toMs)
      .returning('id')
      .execute();
    const ids = assigned.map(({ id }) => id);
    if (ids.length > 0) await setMediaBit(work, event, { mediaBit, ids });
    return ids.length;
  });
}

async function eventsNear(
  db: StoreDb,
  { archiveNumber, fromMs, toMs }: PictureWindow,
  limit: number,
): Promise<NearbyEvent[]> {
  const rows = await db
    .selectFrom('event')
    .select(['id', 'begin_at_ms', 'type', 'unit', 'device_time_ms'])
    .where('archive_number', '=', archiveNumber)
    .where('begin_at_ms', '>=', fromMs - CLOCK_ERROR_MS)
    .where('begin_at_ms', '<=', toMs + CLOCK_ERROR_MS)
    .where('device_time_ms', '>=', fromMs)
    .where('device_time_ms', '<=', toMs)
    .orderBy('begin_at_ms', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    eventId: row.id,
    eventBeginAtMs: row.begin_at_ms,
    type: row.type,
    unit: row.unit,
    deviceTimeMs: row.device_time_ms,
  }));
}
