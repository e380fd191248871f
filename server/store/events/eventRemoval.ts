// Deleting events that are past their retention, with their steps: some rows a statement, found by an index, so that the database's
// one thread is never held for long. What lasts, and what is held as evidence, stays.
import type { StoreDb } from '../engine/database.ts';

export interface RemovedEvents {
  readonly count: number;
  /** Their files, which nothing names any more. */
  readonly files: readonly { readonly fileId: string; readonly bytes: number; readonly archiveNumber: number }[];
}

export interface EventRemovalStore {
  /** Archives with an event to delete that began before the moment, of these or, left out, of all. */
  withExpired(beforeMs: number, limit: number, archiveNumbers?: readonly number[]): Promise<number[]>;
  /** Deletes the first events of an archive that began before the moment, with what the database has of them. */
  removeFirst(archiveNumber: number, beforeMs: number, limit: number): Promise<RemovedEvents>;
  /** Archives of deleted devices that no later device takes over, and of which there are events that nobody holds. */
  abandoned(limit: number): Promise<number[]>;
  /** Deletes counts of days before that day, such as 20261123. Gives how many. */
  removeDays(beforeDay: number, limit: number): Promise<number>;
}

export function createEventRemovalStore(db: StoreDb): EventRemovalStore {
  return {
    withExpired: async (beforeMs, limit, archiveNumbers) => {
      const expired = removable(db).select('archive_number').where('begin_at_ms', '<', beforeMs);
      const wanted = archiveNumbers === undefined ? expired : expired.where('archive_number', 'in', archiveNumbers);
      const rows = await wanted.distinct().limit(limit).execute();
      return rows.map((row) => row.archive_number);
    },
    removeFirst: (archiveNumber, beforeMs, limit) => removeFirst(db, { archiveNumber, beforeMs, limit }),
    abandoned: async (limit) => {
      const rows = await db
        .selectFrom('device_incarnation as gone')
        .select('gone.archive_number')
        .where('gone.ended_at_ms', '>', 0)
        .where('gone.passes_on', '=', 0)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('device').select('incarnation').whereRef('device.archive_number', '=', 'gone.archive_number'),
            ),
          ),
        )
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('event')
              .select('id')
              .whereRef('event.archive_number', '=', 'gone.archive_number')
              .where('event.end_at_ms', '!=', 0)
              .where('event.held', '=', 0),
          ),
        )
        .limit(limit)
        .execute();
      return rows.map((row) => row.archive_number);
    },
    removeDays: async (beforeDay, limit) => {
      const old = db
        .selectFrom('event_day')
        .select(['archive_number', 'type', 'day'])
        .where('day', '<', beforeDay)
        .orderBy('day')
        .limit(limit);
      const rows = await old.execute();
      for (const row of rows) {
        await db
          .deleteFrom('event_day')
          .where('archive_number', '=', row.archive_number)
          .where('type', '=', row.type)
          .where('day', '=', row.day)
          .execute();
      }
      return rows.length;
    },
  };
}

function removable(db: StoreDb) {
  return db.selectFrom('event').where('event.end_at_ms', '!=', 0).where('event.held', '=', 0);
}

interface Part {
  readonly archiveNumber: number;
  readonly beforeMs: number;
  readonly limit: number;
}

async function removeFirst(db: StoreDb, { archiveNumber, beforeMs, limit }: Part): Promise<RemovedEvents> {
  return db.transaction().execute(async (work) => {
    const rows = await removable(work)
      .select(['id', 'begin_at_ms'])
      .where('archive_number', '=', archiveNumber)
      .where('begin_at_ms', '<', beforeMs)
      .orderBy('begin_at_ms')
      .orderBy('id')
      .limit(limit)
      .execute();
    const ids = rows.map((row) => row.id);
    const last = rows.at(-1);
    if (last === undefined) return { count: 0, files: [] };
    await work.deleteFrom('event_step').where('event_id', 'in', ids).execute();
    await work.deleteFrom('attachment_request').where('event_id', 'in', ids).execute();
    const ofEvents = work.deleteFrom('event_media').where('event_id', 'in', ids);
    const media = await ofEvents.returning(['file_id', 'bytes']).execute();
    // The time tells PostgreSQL which months to look into.
    await work.deleteFrom('event').where('id', 'in', ids).where('begin_at_ms', '<=', last.begin_at_ms).execute();
    const files = media.map((row) => ({ fileId: row.file_id, bytes: row.bytes, archiveNumber }));
    return { count: ids.length, files: files.filter(({ fileId }) => fileId !== '') };
  });
}
