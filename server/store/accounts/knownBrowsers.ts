// The only module that knows `known_browser`: browsers that have signed in to an account before. Secrets come in as hashes.
import type { Selectable } from 'kysely';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { Limit } from '../../limits/limit.ts';
import type { StoreDb } from '../engine/database.ts';
import type { KnownBrowserTable } from './tables.ts';

/**
 * Browsers that are known to one account: a member has a desk, a phone, a tablet in the car. One that never came back, otherwise the one
 * not seen for longest, counts as a stranger.
 */
export const KNOWN_BROWSERS_LIMIT: Limit = { name: 'account.browsers.account', max: 20 };

interface Remembered {
  readonly userId: number;
  readonly tokenHash: string;
  /** The browser's previous secret: all its accounts continue under the new one. */
  readonly previousHash: string | undefined;
  readonly expiresAtMs: WallMs;
}

export interface KnownBrowserStore {
  knows(tokenHash: string, userId: number, at: WallMs): Promise<boolean>;
  /** Gives how many other browsers of the user had to make room. */
  remember(browser: Remembered, at: WallMs): Promise<number>;
  /** Removes all browsers of the user, or all but one. */
  removeOfUser(userId: number, exceptHash?: string): Promise<void>;
  removeEnded(at: WallMs): Promise<void>;
  /** Counts a code before it is checked and sets how long the next one waits, as for a second factor. */
  beginCode(browser: BrowserOfUser, at: WallMs, waitAfter: (failures: number) => number): Promise<boolean>;
  /** The time until which no code from this browser is checked. */
  codeWaitUntil(browser: BrowserOfUser): Promise<WallMs | undefined>;
  forgiveCodes(browser: BrowserOfUser): Promise<void>;
}

interface BrowserOfUser {
  readonly tokenHash: string;
  readonly userId: number;
}

export function createKnownBrowserStore(db: StoreDb): KnownBrowserStore {
  const own = ({ tokenHash, userId }: BrowserOfUser) =>
    db.updateTable('known_browser').where('token_hash', '=', tokenHash).where('user_id', '=', userId);
  return {
    knows: async (tokenHash, userId, at) => {
      const row = db.selectFrom('known_browser').select('user_id').where('token_hash', '=', tokenHash);
      const known = row.where('user_id', '=', userId).where('expires_at_ms', '>', at);
      return (await known.executeTakeFirst()) !== undefined;
    },
    remember: (browser, at) => db.transaction().execute((transaction) => remember(transaction, browser, at)),
    removeOfUser: async (userId, exceptHash) => {
      const browsers = db.deleteFrom('known_browser').where('user_id', '=', userId);
      await (exceptHash === undefined ? browsers : browsers.where('token_hash', '!=', exceptHash)).execute();
    },
    removeEnded: async (at) => {
      await db.deleteFrom('known_browser').where('expires_at_ms', '<=', at).execute();
    },
    beginCode: async (browser, at, waitAfter) => {
      const counted = await own(browser)
        .set((where) => ({ code_failures: where('code_failures', '+', 1) }))
        .where('code_wait_until_ms', '<=', at)
        .returning('code_failures')
        .executeTakeFirst();
      if (counted === undefined) return false;
      const waitMs = waitAfter(counted.code_failures);
      if (waitMs > 0)
        await own(browser)
          .set({ code_wait_until_ms: at + waitMs })
          .execute();
      return true;
    },
    codeWaitUntil: async ({ tokenHash, userId }) => {
      const row = db.selectFrom('known_browser').select('code_wait_until_ms').where('token_hash', '=', tokenHash);
      const found = await row.where('user_id', '=', userId).executeTakeFirst();
      return found === undefined ? undefined : wallMs(found.code_wait_until_ms);
    },
    forgiveCodes: async (browser) => {
      await own(browser).set({ code_failures: 0, code_wait_until_ms: 0 }).execute();
    },
  };
}

async function remember(db: StoreDb, browser: Remembered, at: WallMs): Promise<number> {
  const { userId, tokenHash, previousHash, expiresAtMs } = browser;
  if (previousHash !== undefined) {
    const before = db
      .updateTable('known_browser')
      .set({ token_hash: tokenHash })
      .where('token_hash', '=', previousHash);
    await before.execute();
  }
  const used = { last_used_at_ms: at, expires_at_ms: expiresAtMs };
  await db
    .insertInto('known_browser')
    .values({ token_hash: tokenHash, user_id: userId, created_at_ms: at, ...used })
    .onConflict((conflict) => conflict.columns(['token_hash', 'user_id']).doUpdateSet(used))
    .execute();
  const others = db.selectFrom('known_browser').selectAll().where('user_id', '=', userId);
  const rows = await others.where('token_hash', '!=', tokenHash).execute();
  const surplus = rows.sort(byWorth).slice(KNOWN_BROWSERS_LIMIT.max - 1);
  if (surplus.length === 0) return 0;
  const hashes = surplus.map((row) => row.token_hash);
  await db.deleteFrom('known_browser').where('user_id', '=', userId).where('token_hash', 'in', hashes).execute();
  return surplus.length;
}

/** Programs that sign in every hour and keep no cookie are new browsers each time: they must not push out the member's own. */
function byWorth(a: Selectable<KnownBrowserTable>, b: Selectable<KnownBrowserTable>): number {
  const cameBack = (row: Selectable<KnownBrowserTable>): number => (row.last_used_at_ms > row.created_at_ms ? 1 : 0);
  return cameBack(b) - cameBack(a) || b.last_used_at_ms - a.last_used_at_ms;
}
