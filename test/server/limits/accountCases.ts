// Brings about the limits of HTTP and sign-in.
import { EventEmitter } from 'node:events';
import { sql } from 'kysely';
import { onTestFinished } from 'vitest';
import { createKnownBrowsers } from '../../../server/auth/knownBrowsers.ts';
import { createSessions } from '../../../server/auth/sessions.ts';
import { TURNS_LIMIT } from '../../../server/auth/signInQueue.ts';
import {
  ADDRESS_LIMIT,
  CHECKS_LIMIT,
  LANE_ACCOUNT_LIMIT,
  LANE_LIMIT,
  LANES_LIMIT,
  PAIR_LIMIT,
  REMEMBERED_LIMIT,
  SignInThrottle,
  STRANGERS_LIMIT,
} from '../../../server/auth/signInThrottle.ts';
import { BODY_LIMIT } from '../../../server/http/app.ts';
import {
  ADDRESS_CONNECTIONS_LIMIT,
  CONNECTIONS_LIMIT,
  clientErrorHandler,
  HEADER_LIMIT,
  HEADERS_TIME_LIMIT,
  limitConnections,
  REQUEST_TIME_LIMIT,
  TLS_TIME_LIMIT,
} from '../../../server/http/connections.ts';
import { IMPORT_ROWS_LIMIT } from '../../../server/http/devicegroup/import/readFile.ts';
import { IMPORT_BYTES_LIMIT } from '../../../server/http/devicegroup/import/routes.ts';
import { LIST_ROWS_LIMIT } from '../../../server/http/listQuery.ts';
import { REFUSALS_LIMIT, sweep } from '../../../server/http/sweep.ts';
import { NAMED_PROXIES_LIMIT } from '../../../server/http/untrustedProxies.ts';
import type { OnLimit } from '../../../server/limits/limit.ts';
import { KNOWN_BROWSERS_LIMIT } from '../../../server/store/knownBrowsers.ts';
import { MISSING_TRANSLATIONS_LIMIT } from '../../../server/store/missingTranslations.ts';
import { FRAME_TOKENS_LIMIT, SESSIONS_LIMIT } from '../../../server/store/sessions.ts';
import { SIGN_IN_STEPS_LIMIT } from '../../../server/store/signInSteps.ts';
import { createStores } from '../../../server/store/stores.ts';
import { ALL_PERMISSIONS } from '../../../shared/protocol/permissions.ts';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import { createTestApp, PASSWORD, type TestApp } from '../http/testApp.ts';
import { openTestDatabase } from '../store/testDatabase.ts';
import type { LimitCase } from './describeLimits.ts';

const AT = wallMs(1_795_000_000_000);
const now = (): WallMs => AT;

/** A throttle whose checks never end. */
function stuckThrottle(onLimit: OnLimit) {
  const throttle = new SignInThrottle({ now: () => 0, after: () => () => {}, onLimit });
  return (account: string, address: string, lane?: string) =>
    void throttle.attempt({ account, address, lane }, () => new Promise<{ readonly right: boolean }>(() => {}));
}

const times = (count: number, run: (index: number) => void): void => {
  for (let index = 0; index < count; index++) run(index);
};

const signInCases: readonly LimitCase[] = [
  {
    limit: CHECKS_LIMIT,
    reach: (onLimit) => {
      const attempt = stuckThrottle(onLimit);
      times(CHECKS_LIMIT.max + 1, (index) => attempt(`name${index}`, `192.0.2.${index}`));
    },
  },
  {
    limit: PAIR_LIMIT,
    reach: (onLimit) => {
      const attempt = stuckThrottle(onLimit);
      times(PAIR_LIMIT.max + 1, () => attempt('ann', '192.0.2.1'));
    },
  },
  {
    limit: ADDRESS_LIMIT,
    reach: (onLimit) => {
      const attempt = stuckThrottle(onLimit);
      times(ADDRESS_LIMIT.max + 1, (index) => attempt(`name${index}`, '192.0.2.1'));
    },
  },
  {
    limit: LANE_LIMIT,
    reach: (onLimit) => {
      const attempt = stuckThrottle(onLimit);
      times(LANE_LIMIT.max + 1, () => attempt('ann', '192.0.2.1', 'browser A'));
    },
  },
  {
    limit: LANE_ACCOUNT_LIMIT,
    reach: (onLimit) => {
      const attempt = stuckThrottle(onLimit);
      times(LANE_ACCOUNT_LIMIT.max + 1, (index) => attempt('ann', '192.0.2.1', `browser ${index}`));
    },
  },
  {
    limit: LANES_LIMIT,
    reach: (onLimit) => {
      const attempt = stuckThrottle(onLimit);
      const count = LANES_LIMIT.max + CHECKS_LIMIT.max + 1;
      times(count, (index) => attempt(`name${index % 20}`, '192.0.2.1', `browser ${index}`));
    },
  },
  {
    limit: STRANGERS_LIMIT,
    reach: (onLimit) => {
      const attempt = stuckThrottle(onLimit);
      times(STRANGERS_LIMIT.max + CHECKS_LIMIT.max + 1, (index) => attempt('ann', `10.0.${index >> 8}.${index & 255}`));
    },
  },
  {
    limit: TURNS_LIMIT,
    reach: async (onLimit) => {
      const throttle = new SignInThrottle({ now: () => 0, after: () => () => {}, onLimit });
      for (let index = 0; index <= TURNS_LIMIT.max; index++) {
        const attempt = { account: `name${index}`, address: `10.0.${index >> 8}.${index & 255}` };
        await throttle.attempt(attempt, async () => ({ right: false }));
      }
    },
  },
  {
    limit: REMEMBERED_LIMIT,
    reach: async (onLimit) => {
      let at = 0;
      const throttle = new SignInThrottle({ now: () => at, after: () => () => {}, onLimit });
      for (let index = 0; index <= REMEMBERED_LIMIT.max; index++) {
        at += 10_000;
        const attempt = { account: `name${index}`, address: '192.0.2.1' };
        await throttle.attempt(attempt, async () => ({ right: false }));
      }
    },
  },
];

/** An app, closed when the test has finished, whose limits are told on. */
async function appFor(onLimit: OnLimit, run: (test: TestApp, cookie: string) => Promise<void>): Promise<void> {
  const test = await createTestApp();
  onTestFinished(() => test.close());
  await test.addUser('root', ALL_PERMISSIONS);
  await run(test, await test.signIn('root'));
  for (const name of test.limits) onLimit({ name, max: 0 });
}

const httpCases: readonly LimitCase[] = [
  {
    limit: BODY_LIMIT,
    reach: (onLimit) =>
      appFor(onLimit, async (test) => {
        const body = { username: 'a', password: 'x'.repeat(BODY_LIMIT.max) };
        await test.request({ method: 'POST', url: '/api/user/login', body });
      }),
  },
  {
    limit: IMPORT_BYTES_LIMIT,
    reach: (onLimit) =>
      appFor(onLimit, async (test, cookie) => {
        const headers = { cookie, 'content-type': 'text/csv' };
        const payload = Buffer.alloc(IMPORT_BYTES_LIMIT.max + 1, 'a');
        await test.request({ method: 'POST', url: '/api/devicegroup/import/check', headers, payload });
      }),
  },
  {
    limit: IMPORT_ROWS_LIMIT,
    reach: (onLimit) =>
      appFor(onLimit, async (test, cookie) => {
        const headers = { cookie, 'content-type': 'text/csv' };
        const payload = `deviceid\r\n${'D\r\n'.repeat(IMPORT_ROWS_LIMIT.max + 1)}`;
        await test.request({ method: 'POST', url: '/api/devicegroup/import/check', headers, payload });
      }),
  },
  {
    limit: LIST_ROWS_LIMIT,
    reach: (onLimit) =>
      appFor(onLimit, async (test, cookie) => {
        const url = `/api/audit/entries?limit=${LIST_ROWS_LIMIT.max + 1}`;
        await test.request({ url, headers: { cookie } });
      }),
  },
  {
    limit: NAMED_PROXIES_LIMIT,
    reach: (onLimit) =>
      appFor(onLimit, async (test) => {
        const request = { method: 'POST', url: '/api/user/login', body: {} } as const;
        const headers = { 'x-forwarded-for': '192.0.2.1' };
        for (let host = 0; host <= NAMED_PROXIES_LIMIT.max; host++) {
          await test.request({ ...request, headers, remoteAddress: `198.51.100.${host}` });
        }
      }),
  },
  {
    limit: MISSING_TRANSLATIONS_LIMIT,
    reach: (onLimit) =>
      appFor(onLimit, async (test, cookie) => {
        for (let at = 0; at <= MISSING_TRANSLATIONS_LIMIT.max; at += 200) {
          const body = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`key ${at + index}`, '']));
          await test.request({ method: 'POST', url: '/locales/add/en/Common', headers: { cookie }, body });
        }
      }),
  },
  {
    limit: SIGN_IN_STEPS_LIMIT,
    reach: (onLimit) =>
      appFor(onLimit, async (test) => {
        await test.stores.settings.set('second_factor', 'required');
        const body = { username: 'root', password: PASSWORD };
        for (let step = 0; step <= SIGN_IN_STEPS_LIMIT.max; step++) {
          await test.request({ method: 'POST', url: '/api/user/login', body });
        }
      }),
  },
];

/** A connection as the server sees it. */
function fakeSocket(remoteAddress: string) {
  const socket = Object.assign(new EventEmitter(), { remoteAddress, writable: false, destroy: () => socket });
  return socket;
}

function floodOf(count: number, addressOf: (index: number) => string, onLimit: OnLimit): void {
  const server = new EventEmitter();
  limitConnections(server, { isTrustedProxy: () => false, onLimit });
  times(count, (index) => server.emit('connection', fakeSocket(addressOf(index))));
}

function clientError(code: string, onLimit: OnLimit, socket: object = fakeSocket('192.0.2.1')): void {
  clientErrorHandler(onLimit)(Object.assign(new Error(code), { code }), socket as never);
}

const connectionCases: readonly LimitCase[] = [
  {
    limit: ADDRESS_CONNECTIONS_LIMIT,
    reach: (onLimit) => floodOf(ADDRESS_CONNECTIONS_LIMIT.max + 1, () => '192.0.2.1', onLimit),
  },
  {
    limit: CONNECTIONS_LIMIT,
    reach: (onLimit) => floodOf(CONNECTIONS_LIMIT.max + 1, (index) => `10.0.${index >> 8}.${index & 255}`, onLimit),
  },
  { limit: HEADER_LIMIT, reach: (onLimit) => clientError('HPE_HEADER_OVERFLOW', onLimit) },
  { limit: HEADERS_TIME_LIMIT, reach: (onLimit) => clientError('ERR_HTTP_REQUEST_TIMEOUT', onLimit) },
  {
    limit: REQUEST_TIME_LIMIT,
    reach: (onLimit) => {
      const socket = Object.assign(fakeSocket('192.0.2.1'), { _httpMessage: {} });
      clientError('ERR_HTTP_REQUEST_TIMEOUT', onLimit, socket);
    },
  },
  {
    limit: TLS_TIME_LIMIT,
    reach: (onLimit) => {
      const server = new EventEmitter();
      limitConnections(server, { isTrustedProxy: () => false, onLimit });
      const error = Object.assign(new Error('slow'), { code: 'ERR_TLS_HANDSHAKE_TIMEOUT' });
      server.emit('tlsClientError', error, fakeSocket('192.0.2.1'));
    },
  },
];

async function openStores() {
  const database = await openTestDatabase('sqlite');
  onTestFinished(() => database.close());
  const stores = createStores(database.db);
  const userId = await stores.users.insert({ username: 'ann', passwordHash: 'h', permissions: [] }, AT);
  const user = await stores.users.find(userId);
  if (user === undefined) throw new Error('gone');
  return { db: database.db, stores, user };
}

const VISITOR = { address: '192.0.2.1', userAgent: 'test' };

const accountCases: readonly LimitCase[] = [
  {
    limit: KNOWN_BROWSERS_LIMIT,
    reach: async (onLimit) => {
      const { stores, user } = await openStores();
      const browsers = createKnownBrowsers({ ...stores, now, onLimit });
      for (let count = 0; count <= KNOWN_BROWSERS_LIMIT.max; count++) await browsers.remember(undefined, user.id);
    },
  },
  {
    limit: SESSIONS_LIMIT,
    reach: async (onLimit) => {
      const { stores, user } = await openStores();
      const sessions = createSessions({ ...stores, now, onLimit });
      for (let count = 0; count <= SESSIONS_LIMIT.max; count++) await sessions.begin(user, VISITOR, false);
    },
  },
  {
    limit: FRAME_TOKENS_LIMIT,
    reach: async (onLimit) => {
      const { stores, user } = await openStores();
      const sessions = createSessions({ ...stores, now, onLimit });
      const { session } = await sessions.begin(user, VISITOR, false);
      for (let count = 0; count <= FRAME_TOKENS_LIMIT.max; count++) await sessions.createFrameToken(session);
    },
  },
  {
    limit: REFUSALS_LIMIT,
    reach: async (onLimit) => {
      const { db, stores } = await openStores();
      await sql`with recursive counted(n) as (select 1 union all select n + 1 from counted where n <= ${REFUSALS_LIMIT.max})
        insert into audit (at_ms, actor, action, target, address, detail)
        select n, '', 'session.refused', '', '', '{}' from counted`.execute(db);
      await sweep(stores, AT, onLimit);
    },
  },
];

export const httpAndSignInCases: readonly LimitCase[] = [
  ...connectionCases,
  ...httpCases,
  ...signInCases,
  ...accountCases,
];
