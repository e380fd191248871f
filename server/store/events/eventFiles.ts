// Which files `event_media` names, how much space they take, and which may be removed.
import type { ExpressionBuilder } from 'kysely';
import { EVENT_MEDIA_FILE_STATES, type EventMediaState } from '../../../shared/protocol/events/eventWords.ts';
import { deviceOwners } from '../devices/groupOwnership.ts';
import type { StoreDb } from '../engine/database.ts';
import type { Schema } from '../schema.ts';
import { type StoredEventMedia, toMedia } from './eventMediaRows.ts';

/** Files of an archive, or of a member group: of the devices that count for it; 0 stands for devices that count for none. */
export type FilesOf = { readonly archiveNumber: number } | { readonly memberGroup: number };

export interface EventFileStore {
  /** Marks files that were being received as failed, since the gateway has ended. */
  failReceiving(): Promise<void>;
  /** Bytes of all stored files, by archive. */
  storedBytes(): Promise<ReadonlyMap<number, number>>;
  /** Files of events that are not held, those stored longest ago first; of one archive, those requested longest ago first. */
  oldestRemovable(limit: number, of?: FilesOf): Promise<StoredEventMedia[]>;
  /** Bytes of all files of events that are not held. */
  removableBytes(of?: FilesOf): Promise<number>;
  /** Marks files that are about to be removed. Gives those that were still stored: the others must not be removed. */
  markRemoved(ids: readonly number[]): Promise<ReadonlySet<number>>;
  /** Stored files by id, after this one. */
  storedAfter(id: number, limit: number): Promise<StoredEventMedia[]>;
  /** The files among these that a row names. */
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
    oldestRemovable: async (limit, of) => {
      const order = of !== undefined && 'archiveNumber' in of ? 'requested_at_ms' : 'stored_at_ms';
      // Each of the orders has an index for one state; rows of two states would have to be sorted.
      const found = await Promise.all(
        EVENT_MEDIA_FILE_STATES.map((state) =>
          removable(db, [state], of).selectAll().limit(limit).orderBy(order).orderBy('id').execute(),
        ),
      );
      const sorted = found.flat().sort((left, right) => left[order] - right[order] || left.id - right.id);
      return sorted.slice(0, limit).map(toMedia);
    },
    removableBytes: async (of) => {
      const rows = removable(db, EVENT_MEDIA_FILE_STATES, of);
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

/** Files of events without an evidence hold. `held` lets an index skip most of the others; the event itself decides. */
function removable(db: StoreDb, states: readonly EventMediaState[], of: FilesOf | undefined) {
  const free = db.selectFrom('event_media').where('state', 'in', states).where('event_media.held', '=', 0);
  const stored = free.where('file_id', '!=', '');
  const wanted = of === undefined ? stored : stored.where((where) => isOf(db, where, of));
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

function isOf(db: StoreDb, where: ExpressionBuilder<Schema, 'event_media'>, of: FilesOf) {
  if ('archiveNumber' in of) return where('archive_number', '=', of.archiveNumber);
  const owned = db.selectFrom(deviceOwners(db).as('owned')).select('owned.archive_number');
  if (of.memberGroup === 0) return where('archive_number', 'not in', owned);
  return where('archive_number', 'in', owned.where('owned.owner', '=', of.memberGroup));
}
