import { EventEmitter } from 'node:events';
import { IncomingMessage, type Server } from 'node:http';
import { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { REFUSED_SOCKETS_LIMIT, RefusedSockets } from '../../../server/http/upgrades/refusedSockets.ts';
import { ADDRESS_SOCKETS_LIMIT, SOCKETS_LIMIT, UpgradeServer } from '../../../server/http/upgrades/upgradeServer.ts';
import type { OnLimit } from '../../../server/limits/limit.ts';
import { CREDENTIAL_SOCKETS_LIMIT, SESSION_SOCKETS_LIMIT, StreamLimits } from '../../../server/stream/streamLimits.ts';
import type { LimitCase } from './describeLimits.ts';

const never = (): (() => void) => () => undefined;
const onFault = (error: Error): never => {
  throw error;
};

/** A connection whose other end takes everything and says nothing. */
function silentConnection(): Duplex {
  return new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
}

function upgradeRequest(): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.method = 'GET';
  request.url = '/stream/test';
  Object.assign(request.headers, {
    ...{ upgrade: 'websocket', connection: 'upgrade', 'sec-websocket-version': '13' },
    'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
  });
  return request;
}

/** Opens so many WebSockets, each from the address that it is given, and gives how many were served. */
function openSockets(count: number, addressOf: (index: number) => string, onLimit: OnLimit): number {
  let served = 0;
  let index = 0;
  const upgrades = new UpgradeServer({
    ...{ isAllowedOrigin: () => true, clientAddress: () => addressOf(index), after: never, onLimit, onFault },
  });
  const serve = async (): Promise<void> => void served++;
  upgrades.add([{ path: '/stream/test', maxMessageBytes: 100, serve }]);
  const server = new EventEmitter();
  upgrades.listenOn(server as Server);
  for (; index < count; index++) server.emit('upgrade', upgradeRequest(), silentConnection(), Buffer.alloc(0));
  return served;
}

function expectServed(served: number, most: number): void {
  if (served !== most) throw new Error(`${served} sockets were served, not ${most}`);
}

const socketOf = (): WebSocket => new EventEmitter() as WebSocket;

export const SOCKET_CASES: readonly LimitCase[] = [
  {
    limit: SOCKETS_LIMIT,
    reach: (onLimit) => {
      const served = openSockets(SOCKETS_LIMIT.max + 1, (index) => `10.0.${index >> 8}.${index & 255}`, onLimit);
      expectServed(served, SOCKETS_LIMIT.max);
    },
  },
  {
    limit: ADDRESS_SOCKETS_LIMIT,
    reach: (onLimit) => {
      // A subscriber's IPv6 addresses are one.
      const served = openSockets(ADDRESS_SOCKETS_LIMIT.max + 1, (index) => `2001:db8::${index.toString(16)}`, onLimit);
      expectServed(served, ADDRESS_SOCKETS_LIMIT.max);
    },
  },
  {
    limit: REFUSED_SOCKETS_LIMIT,
    reach: (onLimit) => {
      const refused = new RefusedSockets({ after: never, onLimit });
      const first = silentConnection();
      refused.refuse(first, '403 Forbidden');
      for (let more = 0; more < REFUSED_SOCKETS_LIMIT.max; more++) refused.refuse(silentConnection(), '403 Forbidden');
      if (!first.destroyed) throw new Error('the oldest is still open');
    },
  },
  {
    limit: CREDENTIAL_SOCKETS_LIMIT,
    reach: (onLimit) => {
      const limits = new StreamLimits(onLimit);
      const enter = (credential: string) => limits.enterByCredential(socketOf(), credential);
      const refusals = Array.from({ length: CREDENTIAL_SOCKETS_LIMIT.max + 1 }, () => enter('one'));
      expectServed(refusals.filter((refusal) => refusal === undefined).length, CREDENTIAL_SOCKETS_LIMIT.max);
      if (enter('another') !== undefined) throw new Error('another link is refused too');
    },
  },
  {
    limit: SESSION_SOCKETS_LIMIT,
    reach: (onLimit) => {
      const limits = new StreamLimits(onLimit);
      const sockets = Array.from({ length: SESSION_SOCKETS_LIMIT.max + 1 }, socketOf);
      const refusals = sockets.map((socket) => limits.enterBySession(socket, 'one'));
      expectServed(refusals.filter((refusal) => refusal === undefined).length, SESSION_SOCKETS_LIMIT.max);
      sockets[0]?.emit('close');
      if (limits.enterBySession(socketOf(), 'one') !== undefined) throw new Error('a place that was left is not free');
    },
  },
];
