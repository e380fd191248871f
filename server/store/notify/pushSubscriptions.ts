// The only module that knows `push_subscription`: browsers that members have allowed to show notifications.
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { StoreDb } from '../engine/database.ts';
import { lockingRows } from '../engine/lockingRows.ts';

interface NewSubscription {
  /** SHA-256 in hex. */
  readonly endpointHash: string;
  /** Sealed for the member. */
  readonly sealed: string;
  readonly userAgent: string;
}

export interface AllowedBrowser {
  readonly id: number;
  readonly endpointHash: string;
  readonly userAgent: string;
  readonly createdAtMs: WallMs;
  /** 0: never. */
  readonly lastUsedAtMs: WallMs;
}

export interface PushSubscriptionStore {
  /** A known browser is assigned to this member only. Undefined when the member is gone. */
  add(userId: number, subscription: NewSubscription, at: WallMs): Promise<number | undefined>;
  /** The oldest first. */
  listOf(userId: number): Promise<AllowedBrowser[]>;
  sealedOf(userId: number): Promise<{ readonly id: number; readonly sealed: string }[]>;
  remove(userId: number, id: number): Promise<boolean>;
  /** For a browser that is gone, as the push service has said. */
  forget(id: number): Promise<void>;
  noteUsed(id: number, at: WallMs): Promise<void>;
}

/** Browsers of one account that show notifications: each message to the member goes to all of them. The oldest is removed. */
export const BROWSERS_LIMIT: Limit = { name: 'notify.browsers.account', max: 10 };

export function createPushSubscriptionStore(db: StoreDb, onLimit?: OnLimit): PushSubscriptionStore {
  const ofUser = (work: StoreDb, userId: number) =>
    work.selectFrom('push_subscription').where('user_id', '=', userId).orderBy('created_at_ms').orderBy('id');
  return {
    add: (userId, subscription, at) =>
      db.transaction().execute(async (work) => {
        const member = work.selectFrom('app_user').select('id').where('id', '=', userId);
        // The lock makes a second browser at the same time count the first one.
        if ((await lockingRows(work, member).executeTakeFirst()) === undefined) return undefined;
        const id = await put(work, { userId, subscription, at });
        const all = await ofUser(work, userId).select('id').execute();
        const beyond = all.map((row) => row.id).slice(0, Math.max(0, all.length - BROWSERS_LIMIT.max));
        if (beyond.length > 0) {
          await work.deleteFrom('push_subscription').where('id', 'in', beyond).execute();
          onLimit?.(BROWSERS_LIMIT);
        }
        return id;
      }),
    listOf: async (userId) =>
      (await ofUser(db, userId).selectAll().execute()).map((row) => ({
        id: row.id,
        endpointHash: row.endpoint_hash,
        userAgent: row.user_agent,
        createdAtMs: wallMs(row.created_at_ms),
        lastUsedAtMs: wallMs(row.last_used_at_ms),
      })),
    sealedOf: (userId) => ofUser(db, userId).select(['id', 'sealed']).execute(),
    remove: async (userId, id) => {
      const removing = db.deleteFrom('push_subscription').where('user_id', '=', userId).where('id', '=', id);
      return (await removing.executeTakeFirst()).numDeletedRows > 0n;
    },
    forget: async (id) => {
      await db.deleteFrom('push_subscription').where('id', '=', id).execute();
    },
    noteUsed: async (id, at) => {
      await db.updateTable('push_subscription').set({ last_used_at_ms: at }).where('id', '=', id).execute();
    },
  };
}

interface Putting {
  readonly userId: number;
  readonly subscription: NewSubscription;
  readonly at: WallMs;
}

async function put(work: StoreDb, { userId, subscription, at }: Putting): Promise<number> {
  const { endpointHash, sealed, userAgent } = subscription;
  const row = { user_id: userId, sealed, user_agent: userAgent, created_at_ms: at, last_used_at_ms: 0 };
  const inserting = work.insertInto('push_subscription').values({ ...row, endpoint_hash: endpointHash });
  const putting = inserting.onConflict((conflict) => conflict.column('endpoint_hash').doUpdateSet(row));
  return (await putting.returning('id').executeTakeFirstOrThrow()).id;
}
