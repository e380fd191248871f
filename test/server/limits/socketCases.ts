// How the limits of WebSockets, of refused upgrades, and of streams by link and by session are reached.
import { EventEmitter } from 'node:events';
import { IncomingMessage, type Server } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'vitest';
import { SESSION_SOCKETS_LIMIT as UPDATES_SOCKETS_LIMIT } from '../../../server/fleet/updates/updatesServer.ts';
import { REFUSED_SOCKETS_LIMIT, RefusedSockets } from '../../../server/http/kernel/upgrades/refusedSockets.ts';
import {
  ADDRESS_SOCKETS_LIMIT,
  SOCKETS_LIMIT,
  UpgradeServer,
} from '../../../server/http/kernel/upgrades/upgradeServer.ts';
import { CREDENTIAL_SOCKETS_LIMIT, SESSION_SOCKETS_LIMIT } from '../../../server/stream/streamLimits.ts';
import { LIVE_UPDATES_PATH } from '../../../shared/protocol/api/liveUpdates.ts';
import { StreamPath } from '../../../shared/protocol/api.ts';
import { ManualTimers } from '../../support/fakes/manualTimers.ts';
import { settled } from '../../unit/server/device/jt808/fakeTerminal.ts';
import type { LimitCase } from './describeLimits.ts';
import { addressOf, times } from './manyOf.ts';
import { FakeConnection, type FakeWebSocket, openStreams } from './streamScene.ts';

const onFault = (error: Error): never => {
  throw error;
};

function upgradeRequest(): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.method = 'GET';
  request.url = '/stream/test';
  Object.assign(request.headers, {
    upgrade: 'websocket',
    connection: 'upgrade',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
  });
  return request;
}

const statusOf = ({ written }: FakeConnection): string => /^HTTP\/1\.1 (\d+)/.exec(String(written[0]))?.[1] ?? '';

/** Upgrades by number, each from the address that it is given. */
function upgradeCase(limit: LimitCase['limit'], status: string, from: (index: number) => string): LimitCase {
  return {
    limit,
    open: (onLimit) => {
      const timers = new ManualTimers();
      let address = '';
      const upgrades = new UpgradeServer({
        isAllowedOrigin: () => true,
        clientAddress: () => address,
        runAfter: timers.runAfter,
        onLimit,
        onFault,
      });
      upgrades.add([{ path: '/stream/test', maxMessageBytes: 100, serve: async () => undefined }]);
      const server = new EventEmitter();
      upgrades.listenOn(server as Server);
      const opened: FakeConnection[] = [];
      const open = (index: number): FakeConnection => {
        const connection = new FakeConnection();
        opened.push(connection);
        address = from(index);
        server.emit('upgrade', upgradeRequest(), connection, Buffer.alloc(0));
        return connection;
      };
      return {
        upTo: () => {
          times(limit.max, (index) => expect(statusOf(open(index))).toBe('101'));
        },
        beyond: async () => {
          const refused = open(limit.max);
          expect(statusOf(refused)).toBe(status);
          timers.advance(1_000);
          expect(opened.filter(({ destroyed }) => destroyed)).toEqual([refused]);
          opened[0]?.destroy();
          await settled();
          expect(statusOf(open(0))).toBe('101');
        },
      };
    },
  };
}

const refusedCase: LimitCase = {
  limit: REFUSED_SOCKETS_LIMIT,
  open: (onLimit) => {
    const refused = new RefusedSockets({ runAfter: new ManualTimers().runAfter, onLimit });
    const connections: FakeConnection[] = [];
    const refuse = (): void => {
      const connection = new FakeConnection();
      connections.push(connection);
      refused.refuse(connection, '403 Forbidden');
    };
    return {
      upTo: () => {
        times(REFUSED_SOCKETS_LIMIT.max, refuse);
        expect(connections.filter(({ destroyed }) => destroyed)).toEqual([]);
      },
      beyond: () => {
        refuse();
        expect(connections.filter(({ destroyed }) => destroyed)).toEqual([connections[0]]);
        expect(statusOf(connections.at(-1) ?? new FakeConnection())).toBe('403');
      },
    };
  },
};

interface Shared {
  readonly path: string;
  readonly reason: string;
  readonly credentialOf: (index: number) => string;
}

/** Sockets that share a link or a session. */
function sharedCase(limit: LimitCase['limit'], { path, reason, credentialOf }: Shared): LimitCase {
  return {
    limit,
    open: (onLimit) => {
      const { open } = openStreams(onLimit);
      const sockets: FakeWebSocket[] = [];
      const come = async (index: number): Promise<FakeWebSocket> => {
        const { socket } = await open(path, credentialOf(index));
        socket.say('{"type":"watch","topics":[]}');
        await settled();
        return socket;
      };
      return {
        upTo: async () => {
          for (let index = 0; index < limit.max; index++) sockets.push(await come(index));
          expect(sockets.filter(({ closedWith }) => closedWith !== undefined)).toEqual([]);
        },
        beyond: async () => {
          const refused = await come(limit.max);
          expect(refused.closedWith).toEqual({ status: 1008, reason });
          expect(refused.sent, 'it is told').toBe(1);
          sockets[0]?.leave();
          expect((await come(0)).closedWith).toBeUndefined();
        },
      };
    },
  };
}

export const socketCases: readonly LimitCase[] = [
  upgradeCase(SOCKETS_LIMIT, '503', addressOf),
  // A subscriber's IPv6 addresses are one.
  upgradeCase(ADDRESS_SOCKETS_LIMIT, '429', (index) => `2001:db8::${index.toString(16)}`),
  refusedCase,
  sharedCase(CREDENTIAL_SOCKETS_LIMIT, {
    path: StreamPath.Live,
    reason: 'too-many-streams',
    credentialOf: () => 'one',
  }),
  sharedCase(SESSION_SOCKETS_LIMIT, { path: StreamPath.Live, reason: 'too-many-streams', credentialOf: String }),
  sharedCase(UPDATES_SOCKETS_LIMIT, { path: LIVE_UPDATES_PATH, reason: 'slow-down', credentialOf: () => 'one' }),
];
