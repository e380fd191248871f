// How the limits of connections to the HTTP port are reached.
import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { expect, onTestFinished } from 'vitest';
import {
  ADDRESS_CONNECTIONS_LIMIT,
  CONNECTION_TIMES,
  CONNECTIONS_LIMIT,
  type ConnectionTimes,
  HEADER_LIMIT,
  HEADERS_TIME_LIMIT,
  limitConnections,
  REQUEST_TIME_LIMIT,
  TLS_TIME_LIMIT,
} from '../../../server/http/kernel/connections.ts';
import { createSelfSigned } from '../../../server/http/tls/selfSigned.ts';
import type { OnLimit } from '../../../server/limits/limit.ts';
import { createTestApp, type TestAppOptions } from '../http/testApp.ts';
import type { LimitCase } from './describeLimits.ts';
import { addressOf, times } from './manyOf.ts';

const PROXY = '203.0.113.1';

/** A connection as the server sees it. */
class FakeConnection extends EventEmitter {
  destroyed = false;
  readonly remoteAddress: string;

  constructor(remoteAddress: string) {
    super();
    this.remoteAddress = remoteAddress;
  }

  destroy(): this {
    if (this.destroyed) return this;
    this.destroyed = true;
    this.emit('close');
    return this;
  }
}

function openPort(onLimit: OnLimit) {
  const server = new EventEmitter();
  limitConnections(server, { isTrustedProxy: (address) => address === PROXY, onLimit });
  return (remoteAddress: string): FakeConnection => {
    const connection = new FakeConnection(remoteAddress);
    server.emit('connection', connection);
    return connection;
  };
}

const countCases: readonly LimitCase[] = [
  {
    limit: ADDRESS_CONNECTIONS_LIMIT,
    open: (onLimit) => {
      const dial = openPort(onLimit);
      const open: FakeConnection[] = [];
      return {
        upTo: () => {
          times(ADDRESS_CONNECTIONS_LIMIT.max, () => open.push(dial('192.0.2.1')));
          times(ADDRESS_CONNECTIONS_LIMIT.max + 1, () => open.push(dial(PROXY)));
          expect(open.filter(({ destroyed }) => destroyed)).toEqual([]);
        },
        beyond: () => {
          expect(dial('192.0.2.1').destroyed).toBe(true);
          expect(open.filter(({ destroyed }) => destroyed)).toEqual([]);
          expect(dial('192.0.2.2').destroyed).toBe(false);
          open[0]?.destroy();
          expect(dial('192.0.2.1').destroyed).toBe(false);
        },
      };
    },
  },
  {
    limit: CONNECTIONS_LIMIT,
    open: (onLimit) => {
      const dial = openPort(onLimit);
      const open: FakeConnection[] = [];
      return {
        upTo: () => {
          times(CONNECTIONS_LIMIT.max, (index) => open.push(dial(addressOf(index))));
          expect(open.filter(({ destroyed }) => destroyed)).toEqual([]);
        },
        beyond: () => {
          expect(dial('192.0.2.1').destroyed).toBe(true);
          expect(open.filter(({ destroyed }) => destroyed)).toEqual([]);
          open[0]?.destroy();
          expect(dial('192.0.2.1').destroyed).toBe(false);
        },
      };
    },
  },
];

/** An app that listens, with a function that says something to it and resolves with all that it answers until it closes. */
async function listen(options: TestAppOptions) {
  const test = await createTestApp({}, options);
  onTestFinished(() => test.close());
  const { port } = new URL(await test.app.listen({ host: '127.0.0.1', port: 0 }));
  const say = async (bytes: string): Promise<string> => {
    const socket = connect(Number(port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    let text = '';
    socket.on('data', (chunk) => {
      text += String(chunk);
    });
    socket.on('error', () => undefined);
    socket.write(bytes);
    await once(socket, 'close');
    return text;
  };
  return { port: Number(port), server: test.app.server, say };
}

const WHOLE = 'GET /healthz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n';
const WITHOUT_BODY =
  'POST /api/user/login HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n';

/** A whole request whose first line and headers have this many bytes. */
const requestOf = (bytes: number): string =>
  WHOLE.replace('host: a', `host: a\r\nx: ${'a'.repeat(bytes - WHOLE.length - 5)}`);

/** A case with a time that nobody has to wait for; the product's own time is checked where it is set. */
function slowCase(
  limit: LimitCase['limit'],
  { short, set, slow }: { readonly short: Partial<ConnectionTimes>; readonly set: SetTime; readonly slow: string },
): LimitCase {
  return {
    limit,
    open: (onLimit) => ({
      upTo: async () => {
        const { server, say } = await listen({ onLimit });
        expect(server[set]).toBe(limit.max);
        expect(await say(WHOLE)).toMatch(/^HTTP\/1\.1 200 /);
      },
      beyond: async () => {
        const { say } = await listen({ onLimit, connectionTimes: { ...short, checkMs: 50 } });
        expect(await say(slow)).toMatch(/^HTTP\/1\.1 408 /);
      },
    }),
  };
}

type SetTime = 'headersTimeout' | 'requestTimeout';

async function handshake(port: number): Promise<void> {
  const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  socket.destroy();
}

const realCases: readonly LimitCase[] = [
  {
    limit: HEADER_LIMIT,
    open: async (onLimit) => {
      const { say } = await listen({ onLimit });
      return {
        upTo: async () => expect(await say(requestOf(HEADER_LIMIT.max))).toMatch(/^HTTP\/1\.1 200 /),
        // The library does not count the separators of the parts toward its own bound.
        beyond: async () => expect(await say(requestOf(HEADER_LIMIT.max + 100))).toMatch(/^HTTP\/1\.1 431 /),
      };
    },
  },
  slowCase(HEADERS_TIME_LIMIT, { short: { headersMs: 200 }, set: 'headersTimeout', slow: WHOLE.slice(0, -2) }),
  slowCase(REQUEST_TIME_LIMIT, {
    // The headers, which are sent at once, must not be late.
    short: { headersMs: 3_000, requestMs: 3_000 },
    set: 'requestTimeout',
    slow: WITHOUT_BODY,
  }),
  {
    limit: TLS_TIME_LIMIT,
    open: (onLimit) => {
      const hour = 3_600_000;
      const tls = createSelfSigned({ hosts: ['localhost'], fromMs: Date.now() - hour, toMs: Date.now() + hour });
      return {
        upTo: async () => {
          expect(CONNECTION_TIMES.handshakeMs).toBe(TLS_TIME_LIMIT.max);
          await handshake((await listen({ tls, onLimit })).port);
        },
        beyond: async () => {
          const { say } = await listen({ tls, onLimit, connectionTimes: { handshakeMs: 200 } });
          await say('');
        },
      };
    },
  },
];

export const connectionCases: readonly LimitCase[] = [...countCases, ...realCases];
