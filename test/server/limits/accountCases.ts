// How the limits of what is kept for an account are reached.
import { sql } from 'kysely';
import { expect, onTestFinished } from 'vitest';
import { REFUSALS_LIMIT, sweep } from '../../../server/app/sweep.ts';
import { createKnownBrowsers } from '../../../server/auth/knownBrowsers.ts';
import { createSessions } from '../../../server/auth/sessions.ts';
import { KNOWN_BROWSERS_LIMIT } from '../../../server/store/accounts/knownBrowsers.ts';
import { FRAME_TOKENS_LIMIT, SESSIONS_LIMIT } from '../../../server/store/accounts/sessions.ts';
import { createStores } from '../../../server/store/stores.ts';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import { openTestDatabase } from '../store/testDatabase.ts';
import type { LimitCase } from './describeLimits.ts';

const AT = wallMs(1_795_000_000_000);

/** Each look at the clock is a second later than the one before. */
async function openStores() {
  const database = await openTestDatabase('sqlite');
  onTestFinished(() => database.close());
  const stores = createStores(database.db);
  const userId = await stores.users.insert({ username: 'ann', passwordHash: 'h', permissions: [] }, AT);
  const user = await stores.users.find(userId);
  if (user === undefined) throw new Error('gone');
  let nowMs: number = AT;
  const now = (): WallMs => {
    nowMs += 1_000;
    return wallMs(nowMs);
  };
  return { db: database.db, stores, user, now };
}

const VISITOR = { address: '192.0.2.1', userAgent: 'test' };

interface Kept<Key> {
  readonly add: () => Promise<Key>;
  readonly isKept: (key: Key) => Promise<boolean>;
}

/** The first of them makes room, and no other. */
function oldestGoes<Key>({ max }: LimitCase['limit'], { add, isKept }: Kept<Key>) {
  const keys: Key[] = [];
  const kept = async (): Promise<readonly Key[]> => {
    const found: Key[] = [];
    for (const key of keys) if (await isKept(key)) found.push(key);
    return found;
  };
  return {
    upTo: async () => {
      for (let count = 0; count < max; count++) keys.push(await add());
      expect(await kept()).toEqual(keys);
    },
    beyond: async () => {
      keys.push(await add());
      expect(await kept()).toEqual(keys.slice(1));
    },
  };
}

export const accountCases: readonly LimitCase[] = [
  {
    limit: KNOWN_BROWSERS_LIMIT,
    open: async (onLimit) => {
      const { stores, user, now } = await openStores();
      const browsers = createKnownBrowsers({ ...stores, now, onLimit });
      return oldestGoes(KNOWN_BROWSERS_LIMIT, {
        add: () => browsers.remember(undefined, user.id),
        isKept: async (secret) => (await browsers.recognise(secret, user.id)) !== undefined,
      });
    },
  },
  {
    limit: SESSIONS_LIMIT,
    open: async (onLimit) => {
      const { stores, user, now } = await openStores();
      const sessions = createSessions({ ...stores, now, onLimit });
      return oldestGoes(SESSIONS_LIMIT, {
        add: async () => (await sessions.begin(user, VISITOR, false)).session.idHash,
        isKept: async (idHash) => (await stores.sessions.find(idHash)) !== undefined,
      });
    },
  },
  {
    limit: FRAME_TOKENS_LIMIT,
    open: async (onLimit) => {
      const { stores, user, now } = await openStores();
      const sessions = createSessions({ ...stores, now, onLimit });
      const { session } = await sessions.begin(user, VISITOR, false);
      return oldestGoes(FRAME_TOKENS_LIMIT, {
        add: async () => (await sessions.createFrameToken(session)).token,
        isKept: async (token) => (await sessions.findByFrameToken(token)) !== undefined,
      });
    },
  },
  {
    limit: REFUSALS_LIMIT,
    open: async (onLimit) => {
      const { db, stores } = await openStores();
      const kept = async () => {
        const { min, max, count } = db.fn;
        const figures = [min('at_ms').as('first'), max('at_ms').as('last'), count('at_ms').as('rows')] as const;
        return db.selectFrom('audit').select(figures).executeTakeFirst();
      };
      return {
        upTo: async () => {
          await sql`with recursive counted(n) as (select 1 union all select n + 1 from counted where n < ${REFUSALS_LIMIT.max})
            insert into audit (at_ms, actor, action, target, address, detail)
            select n, '', 'session.refused', '', '', '{}' from counted`.execute(db);
          await sweep(stores, AT, onLimit);
          expect(await kept()).toEqual({ first: 1, last: REFUSALS_LIMIT.max, rows: REFUSALS_LIMIT.max });
        },
        beyond: async () => {
          await stores.audit.add({ actor: '', action: 'session.refused', address: '' }, AT);
          await sweep(stores, AT, onLimit);
          expect(await kept()).toEqual({ first: 2, last: AT, rows: REFUSALS_LIMIT.max });
        },
      };
    },
  },
];
