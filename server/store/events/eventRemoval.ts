// Deleting events that are past their retention, with their steps: some rows a statement, found by an index, so that the database's single
// thread is never blocked for long. Events that last, and events with an evidence hold, stay.
import type { StoreDb } from '../engine/database.ts';

export interface RemovedEvents {
  readonly count: number;
  /** Files that no row names any more. */
  readonly files: readonly { readonly fileId: string; readonly bytes: number; readonly archiveNumber: number }[];
  /** Whether there may be more to delete. */
  readonly isMore: boolean;
}

export interface EventRemovalStore {
  /** Archives with an event to delete that began before the moment; only among these archives, or, if left out, all. */
  withExpired(beforeMs: number, limit: number, archiveNumbers?: readonly number[]): Promise<number[]>;
  /**
   * Deletes the first events of an archive that began before the moment, with all their rows in other tables: at most `limit` rows of each
   * table.
   */
  removeFirst(archiveNumber: number, beforeMs: number, limit: number): Promise<RemovedEvents>;
  /** Archives of deleted devices that no later device takes over, and that have events without an evidence hold. */
  abandoned(limit: number): Promise<number[]>;
  /** Deletes counts of days before that day, such as 20261123. Gives how many. */
  removeDays(beforeDay: number, limit: number): Promise<number>;
  /**
   * Checks up to `limit` names of drivers after the given one, and deletes those without an event. Gives the last one; undefined at the
   * end.
   */
  removeDrivers(after: string, limit: number): Promise<string | undefined>;
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
        .distinct()
        .limit(limit)
        .execute();
      return rows.map((row) => row.archive_number);
    },
    removeDrivers: (after, limit) => removeDrivers(db, after, limit),
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
    const found = await removable(work)
      .select(['id', 'begin_at_ms'])
      .where('archive_number', '=', archiveNumber)
      .where('begin_at_ms', '<', beforeMs)
      .orderBy('begin_at_ms')
      .orderBy('id')
      .limit(limit)
      .execute();
    const [first] = found;
    if (first === undefined) return { count: 0, files: [], isMore: false };
    const fitting = await howManyFit(
      work,
      found.map(({ id }) => id),
      limit,
    );
    if (fitting === 0) return removePartOf(work, first.id, { archiveNumber, limit });
    const rows = found.slice(0, fitting);
    const ids = rows.map((row) => row.id);
    await work.deleteFrom('event_step').where('event_id', 'in', ids).execute();
    await work.deleteFrom('attachment_request').where('event_id', 'in', ids).execute();
    const ofEvents = work.deleteFrom('event_media').where('event_id', 'in', ids);
    const media = await ofEvents.returning(['file_id', 'bytes']).execute();
    // The time tells PostgreSQL which months to read.
    const lastMs = rows.at(-1)?.begin_at_ms ?? first.begin_at_ms;
    await work.deleteFrom('event').where('id', 'in', ids).where('begin_at_ms', '<=', lastMs).execute();
    return {
      count: ids.length,
      files: filesOf(media, archiveNumber),
      isMore: found.length === limit || fitting < found.length,
    };
  });
}

/** The number of events, from the first one on, that have at most `limit` rows in each table. */
async function howManyFit(work: StoreDb, ids: readonly number[], limit: number): Promise<number> {
  let fitting = ids.length;
  for (const table of ['event_step', 'event_media', 'attachment_request'] as const) {
    const counts = await work
      .selectFrom(table)
      .select(({ fn }) => ['event_id', fn.countAll<number | string>().as('count')])
      .where('event_id', 'in', ids)
      .groupBy('event_id')
      .execute();
    const countOf = new Map(counts.map((row) => [row.event_id, Number(row.count)]));
    let sum = 0;
    const over = ids.findIndex((id) => {
      sum += countOf.get(id) ?? 0;
      return sum > limit;
    });
    if (over !== -1) fitting = Math.min(fitting, over);
  }
  return fitting;
}

/**
 * Removes rows of an event with more steps, pictures or files than one statement deletes: the event itself is removed once few are left.
 */
async function removePartOf(
  work: StoreDb,
  eventId: number,
  { archiveNumber, limit }: Omit<Part, 'beforeMs'>,
): Promise<RemovedEvents> {
  const steps = work.selectFrom('event_step').select('id').where('event_id', '=', eventId).limit(limit);
  await work.deleteFrom('event_step').where('id', 'in', steps).execute();
  const requests = work.selectFrom('attachment_request').select('alarm_number').where('event_id', '=', eventId);
  await work.deleteFrom('attachment_request').where('alarm_number', 'in', requests.limit(limit)).execute();
  const some = work.selectFrom('event_media').select('id').where('event_id', '=', eventId).limit(limit);
  const ofEvent = work.deleteFrom('event_media').where('id', 'in', some);
  const media = await ofEvent.returning(['file_id', 'bytes']).execute();
  return { count: 0, files: filesOf(media, archiveNumber), isMore: true };
}

function filesOf(
  media: readonly { readonly file_id: string; readonly bytes: number }[],
  archiveNumber: number,
): RemovedEvents['files'] {
  return media
    .map((row) => ({ fileId: row.file_id, bytes: row.bytes, archiveNumber }))
    .filter(({ fileId }) => fileId !== '');
}

/** An index answers for each name whether an event has it. */
async function removeDrivers(db: StoreDb, after: string, limit: number): Promise<string | undefined> {
  const names = await db
    .selectFrom('event_driver')
    .select('name')
    .where('name', '>', after)
    .orderBy('name')
    .limit(limit)
    .execute();
  const last = names.at(-1)?.name;
  if (last === undefined) return undefined;
  await db
    .deleteFrom('event_driver')
    .where('name', '>', after)
    .where('name', '<=', last)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('event')
            .select('id')
            .whereRef('event.driver', '=', 'event_driver.name')
            // The index leaves out events without a driver.
            .where('event.driver', '<>', ''),
        ),
      ),
    )
    .execute();
  return names.length === limit ? last : undefined;
}
