// Which files `event_media` names, how much they take, and which may go.
import { EVENT_MEDIA_FILE_STATES, type EventMediaState } from '../../../shared/protocol/events/eventWords.ts';
import type { StoreDb } from '../engine/database.ts';
import { type StoredEventMedia, toMedia } from './eventMediaRows.ts';

export interface EventFileStore {
  /** The files that are received came to an end with the gateway. */
  failReceiving(): Promise<void>;
  /** Of all stored files, by archive. */
  storedBytes(): Promise<ReadonlyMap<number, number>>;
  /** Stored longest ago, of events that are not held; of one archive, asked for longest ago. */
  oldestRemovable(limit: number, archiveNumber?: number): Promise<StoredEventMedia[]>;
  /** Of all files of events that are not held. */
  removableBytes(archiveNumber?: number): Promise<number>;
  /** Their files are about to be removed. Gives those that were still stored: others are not ours to remove. */
  markRemoved(ids: readonly number[]): Promise<ReadonlySet<number>>;
  /** Stored files by id, after this one. */
  storedAfter(id: number, limit: number): Promise<StoredEventMedia[]>;
  /** Which of the files a row names. */
  knownFiles(fileIds: readonly string[]): Promise<ReadonlySet<string>>;
}

export function createEventFileStore(db: StoreDb): EventFileStore {
  return {
    failReceiving: async () => {
      await db.updateTable('event_media').set({ state: 'failed' }).where('state', '=', 'receiving').execute();
    },
    storedBytes: async () => {
      const sum = db
        .selectFrom('event_media')
        .select(({ fn }) => ['archive_number', fn.sum<number | string | null>('bytes').as('bytes')]);
      const rows = await sum
        .where('state', 'in', EVENT_MEDIA_FILE_STATES)
        .where('file_id', '!=', '')
        .groupBy('archive_number')
        .execute();
      return new Map(rows.map((row) => [row.archive_number, Number(row.bytes ?? 0)]));
    },
    oldestRemovable: async (limit, archiveNumber) => {
      const order = archiveNumber === undefined ? 'stored_at_ms' : 'requested_at_ms';
      // Each of the orders has an index for one state; those of two states would have to be sorted.
      const found = await Promise.all(
        EVENT_MEDIA_FILE_STATES.map((state) =>
          removable(db, [state], archiveNumber).selectAll().limit(limit).orderBy(order).orderBy('id').execute(),
        ),
      );
      const sorted = found.flat().sort((left, right) => left[order] - right[order] || left.id - right.id);
      return sorted.slice(0, limit).map(toMedia);
    },
    removableBytes: async (archiveNumber) => {
      const rows = removable(db, EVENT_MEDIA_FILE_STATES, archiveNumber);
      const sum = rows.select(({ fn }) => fn.sum<number | string | null>('bytes').as('bytes'));
      return Number((await sum.executeTakeFirstOrThrow()).bytes ?? 0);
    },
    markRemoved: async (ids) => {
      if (ids.length === 0) return new Set();
      const update = db.updateTable('event_media').set({ state: 'removed', file_id: '' }).where('id', 'in', ids);
      const removed = await update.where('state', 'in', EVENT_MEDIA_FILE_STATES).returning('id').execute();
      return new Set(removed.map((row) => row.id));
    },
    storedAfter: async (id, limit) => {
      const rows = db
        .selectFrom('event_media')
        .selectAll()
        .where('id', '>', id)
        .where('state', 'in', EVENT_MEDIA_FILE_STATES)
        .where('file_id', '!=', '');
      return (await rows.orderBy('id').limit(limit).execute()).map(toMedia);
    },
    knownFiles: async (fileIds) => {
      if (fileIds.length === 0) return new Set();
      const rows = await db.selectFrom('event_media').select('file_id').where('file_id', 'in', fileIds).execute();
      return new Set(rows.map((row) => row.file_id));
    },
  };
}

/** Files of events that nobody holds. */
function removable(db: StoreDb, states: readonly EventMediaState[], archiveNumber: number | undefined) {
  const stored = db.selectFrom('event_media').where('state', 'in', states).where('file_id', '!=', '');
  const wanted = archiveNumber === undefined ? stored : stored.where('archive_number', '=', archiveNumber);
  return wanted.where(({ not, exists, selectFrom }) =>
    not(
      exists(
        selectFrom('event')
          .select('event.id')
          .whereRef('event.id', '=', 'event_media.event_id')
          .whereRef('event.begin_at_ms', '=', 'event_media.event_begin_at_ms')
          .where('event.held', '=', 1),
      ),
    ),
  );
}
