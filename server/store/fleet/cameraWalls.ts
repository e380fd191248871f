// The only module that knows `camera_wall`: which channels a user has put together under which name.
import type { Selectable } from 'kysely';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { StoreDb } from '../engine/database.ts';
import type { CameraWallTable } from './tables.ts';

interface WallChannel {
  readonly deviceId: string;
  readonly channel: number;
}

interface CameraWall {
  readonly name: string;
  readonly channels: readonly WallChannel[];
  /** Seconds until the next of a user's walls is shown; 0: it stays. */
  readonly cycleSeconds: number;
}

export interface CameraWallStore {
  /** By name. */
  listOf(userId: number): Promise<CameraWall[]>;
  /** Replaces one of the same name. False, and nothing is kept, when the user has as many as may be. */
  put(userId: number, wall: CameraWall): Promise<boolean>;
  remove(userId: number, name: string): Promise<boolean>;
}

/** Video walls of one account. A further one is refused with 409 `too-many-walls`. */
export const WALLS_LIMIT: Limit = { name: 'account.walls.account', max: 100 };

export function createCameraWallStore(db: StoreDb, onLimit?: OnLimit): CameraWallStore {
  return {
    listOf: async (userId) => {
      const rows = await db
        .selectFrom('camera_wall')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('name')
        .execute();
      return rows.map(toWall);
    },
    put: async (userId, { name, channels, cycleSeconds }) => {
      const change = { channels: JSON.stringify(channels), cycle_seconds: cycleSeconds };
      const known = db.updateTable('camera_wall').set(change).where('user_id', '=', userId).where('name', '=', name);
      if ((await known.executeTakeFirst()).numUpdatedRows > 0n) return true;
      const count = db.selectFrom('camera_wall').select((eb) => eb.fn.countAll().as('count'));
      const { count: held } = await count.where('user_id', '=', userId).executeTakeFirstOrThrow();
      if (Number(held) >= WALLS_LIMIT.max) {
        onLimit?.(WALLS_LIMIT);
        return false;
      }
      await db
        .insertInto('camera_wall')
        .values({ user_id: userId, name, ...change })
        .onConflict((conflict) => conflict.columns(['user_id', 'name']).doUpdateSet(change))
        .execute();
      return true;
    },
    remove: async (userId, name) => {
      const removed = db.deleteFrom('camera_wall').where('user_id', '=', userId).where('name', '=', name);
      return (await removed.executeTakeFirst()).numDeletedRows > 0n;
    },
  };
}

function toWall(row: Selectable<CameraWallTable>): CameraWall {
  const channels = JSON.parse(row.channels) as readonly WallChannel[];
  return { name: row.name, channels, cycleSeconds: row.cycle_seconds };
}
