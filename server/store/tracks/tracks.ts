// Writing tracks: as they continue, and again where late positions have changed the past. Other modules read them for pages and reports.
import type { ClockStep } from '../../../shared/protocol/tracks/deviceClock.ts';
import type { StoreDb } from '../engine/database.ts';
import { gatherReads } from '../engine/gatherReads.ts';
import { gatherWrites } from '../engine/gatherWrites.ts';
import { areAlike, replaceStretches, type TrackReplacement } from './trackReplacing.ts';
import type { DayStart } from './trackRows.ts';
import { type TrackWrite, writeTracks } from './trackWriting.ts';

export interface DirtyDay {
  readonly incarnation: number;
  readonly localDay: number;
  readonly fromMs: number;
}

export interface TrackStore {
  load(incarnation: number): Promise<{ readonly state: string | undefined; readonly steps: ClockStep[] }>;
  /** Writes all or none. */
  write(batch: readonly TrackWrite[]): Promise<void>;
  /** Replaces a stretch; concurrent replacements of several devices are written together. */
  replace(replacement: TrackReplacement): Promise<void>;
  markDirty(days: readonly DirtyDay[]): Promise<void>;
  clearDirty(incarnation: number, localDays: readonly number[]): Promise<void>;
  /** Days of existing devices. */
  dirty(): Promise<(DirtyDay & { readonly deviceId: string })[]>;
  /** The last day that had begun at a moment, and the first day that begins later. */
  startsAround(incarnation: number, atMs: number): Promise<{ readonly before?: DayStart; readonly after?: DayStart }>;
  dayStart(incarnation: number, localDay: number): Promise<(DayStart & { readonly points: number }) | undefined>;
}

const START_COLUMNS = ['local_day as localDay', 'begin_ms as beginMs', 'state'] as const;

export function createTrackStore(db: StoreDb): TrackStore {
  const stateOf = gatherReads((incarnations: readonly number[]) => statesOf(db, incarnations));
  const stepsOf = gatherReads((incarnations: readonly number[]) => clockStepsOf(db, incarnations));
  return {
    load: async (incarnation) => {
      const [state, steps = []] = await Promise.all([stateOf(incarnation), stepsOf(incarnation)]);
      return { state, steps };
    },
    write: (batch) => db.transaction().execute((work) => writeTracks(work, batch)),
    replace: gatherWrites({
      write: (replacements) => db.transaction().execute((work) => replaceStretches(work, replacements)),
      keyOf: ({ incarnation }) => incarnation,
      joins: areAlike,
    }),
    markDirty: (days) => markDirty(db, days),
    clearDirty: async (incarnation, localDays) => {
      if (localDays.length === 0) return;
      const rows = db.deleteFrom('track_dirty').where('incarnation', '=', incarnation);
      await rows.where('local_day', 'in', [...localDays]).execute();
    },
    dirty: async () =>
      await db
        .selectFrom('track_dirty')
        .innerJoin('device', 'device.incarnation', 'track_dirty.incarnation')
        .select([
          'track_dirty.incarnation',
          'device.device_id as deviceId',
          'local_day as localDay',
          'from_ms as fromMs',
        ])
        .execute(),
    startsAround: async (incarnation, atMs) => {
      const days = db.selectFrom('track_day').select(START_COLUMNS).where('incarnation', '=', incarnation);
      const before = await days.where('begin_ms', '<=', atMs).orderBy('local_day', 'desc').limit(1).executeTakeFirst();
      const after = await days.where('begin_ms', '>', atMs).orderBy('local_day').limit(1).executeTakeFirst();
      return { ...(before && { before }), ...(after && { after }) };
    },
    dayStart: async (incarnation, localDay) => {
      const days = db.selectFrom('track_day').select([...START_COLUMNS, 'points']);
      return await days.where('incarnation', '=', incarnation).where('local_day', '=', localDay).executeTakeFirst();
    },
  };
}

async function statesOf(db: StoreDb, incarnations: readonly number[]): Promise<Map<number, string>> {
  const rows = db.selectFrom('track_state').select(['incarnation', 'state']).where('incarnation', 'in', incarnations);
  return new Map((await rows.execute()).map(({ incarnation, state }) => [incarnation, state]));
}

async function clockStepsOf(db: StoreDb, incarnations: readonly number[]): Promise<Map<number, ClockStep[]>> {
  const rows = await db
    .selectFrom('device_clock')
    .select(['incarnation', 'device_from_ms as deviceFromMs', 'offset_ms as offsetMs'])
    .where('incarnation', 'in', incarnations)
    .execute();
  const steps = new Map<number, ClockStep[]>();
  for (const { incarnation, ...step } of rows) steps.set(incarnation, [...(steps.get(incarnation) ?? []), step]);
  return steps;
}

async function markDirty(db: StoreDb, days: readonly DirtyDay[]): Promise<void> {
  if (days.length === 0) return;
  const rows = days.map(({ incarnation, localDay, fromMs }) => ({ incarnation, local_day: localDay, from_ms: fromMs }));
  const insert = db.insertInto('track_dirty').values(rows);
  await insert
    .onConflict((conflict) =>
      conflict.columns(['incarnation', 'local_day']).doUpdateSet(({ eb, ref }) => ({
        from_ms: eb
          .case()
          .when(ref('excluded.from_ms'), '<', ref('track_dirty.from_ms'))
          .then(ref('excluded.from_ms'))
          .else(ref('track_dirty.from_ms'))
          .end(),
      })),
    )
    .execute();
}
