// The only module that knows `online_history`: how many devices there were and how many of them were online, added up
// over the samples of an interval, by device group.
import { sql } from 'kysely';
import type { StoreDb } from '../engine/database.ts';
import { deleteInParts } from '../engine/deleteInParts.ts';

interface GroupSample {
  readonly deviceGroup: number;
  readonly online: number;
  readonly total: number;
}

export interface OnlinePoint {
  readonly atMs: number;
  /** Sums over the samples of the interval: their quotient is the online rate. */
  readonly online: number;
  readonly total: number;
}

interface OnlineSpan {
  readonly stepMs: number;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface OnlineHistoryStore {
  /** Adds one sample of each group to the interval that begins at `atMs`. */
  add(stepMs: number, atMs: number, samples: readonly GroupSample[]): Promise<void>;
  /** The intervals in [fromMs, toMs) that have samples, summed over the groups, oldest first. */
  points(deviceGroups: readonly number[], span: OnlineSpan): Promise<OnlinePoint[]>;
  removeBefore(stepMs: number, atMs: number): Promise<void>;
}

const ROWS_PER_STATEMENT = 500;

/** `reading`: for what pages show. */
export function createOnlineHistoryStore(db: StoreDb, reading: StoreDb): OnlineHistoryStore {
  return {
    add: async (stepMs, atMs, samples) => {
      for (let start = 0; start < samples.length; start += ROWS_PER_STATEMENT) {
        const part = samples.slice(start, start + ROWS_PER_STATEMENT);
        const rows = part.map(({ deviceGroup, online, total }) => ({
          step_ms: stepMs,
          at_ms: atMs,
          device_group: deviceGroup,
          online,
          total,
        }));
        await db
          .insertInto('online_history')
          .values(rows)
          .onConflict((conflict) =>
            conflict.columns(['step_ms', 'at_ms', 'device_group']).doUpdateSet({
              online: sql`online_history.online + excluded.online`,
              total: sql`online_history.total + excluded.total`,
            }),
          )
          .execute();
      }
    },
    points: async (deviceGroups, { stepMs, fromMs, toMs }) => {
      if (deviceGroups.length === 0) return [];
      const rows = await reading
        .selectFrom('online_history')
        .select((eb) => ['at_ms', eb.fn.sum('online').as('online'), eb.fn.sum('total').as('total')])
        .where('step_ms', '=', stepMs)
        .where('at_ms', '>=', fromMs)
        .where('at_ms', '<', toMs)
        .where('device_group', 'in', [...deviceGroups])
        .groupBy('at_ms')
        .orderBy('at_ms')
        .execute();
      // PostgreSQL sums into its decimal type, which arrives as text.
      return rows.map((row) => ({ atMs: row.at_ms, online: Number(row.online), total: Number(row.total) }));
    },
    removeBefore: async (stepMs, atMs) => {
      const old = db.selectFrom('online_history').select(['step_ms', 'at_ms', 'device_group']);
      const oldest = old
        .where('step_ms', '=', stepMs)
        .where('at_ms', '<', atMs)
        .orderBy('at_ms')
        .orderBy('device_group');
      await deleteInParts((limit) =>
        db
          .deleteFrom('online_history')
          .where(({ eb, refTuple }) =>
            eb(
              refTuple('step_ms', 'at_ms', 'device_group'),
              'in',
              oldest.limit(limit).$asTuple('step_ms', 'at_ms', 'device_group'),
            ),
          ),
      );
    },
  };
}
