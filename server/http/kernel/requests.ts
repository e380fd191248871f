// Requests that wait for their answer: HTTP/1.1 lets a client write the next one without waiting (RFC 9112, 9.3.2).
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressKey } from '../../limits/addressKey.ts';
import { KeyedCount } from '../../limits/keyedCount.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { ConnectionGuard } from './connections.ts';

/**
 * Unfinished requests on one connection. Browsers and proxies wait for each answer; this is for clients that pipeline requests. The
 * connection is closed.
 */
export const CONNECTION_REQUESTS_LIMIT: Limit = { name: 'http.requests.connection', max: 8 };
/**
 * Unfinished requests from one address: a request whose body does not come counts for a minute, and one address must not take all places.
 * The limit does not apply to trusted proxies. A further one is answered 429 `slow-down`, and its connection is closed.
 */
export const ADDRESS_REQUESTS_LIMIT: Limit = { name: 'http.requests.address', max: 2_048 };
/**
 * Unfinished requests of all connections, downloads included. Each holds its request and its answer, and may have a statement wait for the
 * database. A further one is answered 503 `slow-down`, and its connection is closed.
 */
export const REQUESTS_LIMIT: Limit = { name: 'http.requests', max: 6_144 };

/** What gives each open request's places back. */
type Open = Set<() => void>;

/** Passes requests on to `answer` while there is room for them. */
export function limitRequests(answer: RequestListener, { isTrustedProxy, onLimit }: ConnectionGuard): RequestListener {
  const all = new KeyedCount(REQUESTS_LIMIT, onLimit);
  const ofAddress = new KeyedCount(ADDRESS_REQUESTS_LIMIT, onLimit);
  const openOf = trackConnections(onLimit);
  return (request, response) => {
    const open = openOf(request.socket);
    if (open === undefined) return;
    const leaveAll = all.enter('');
    const address = request.socket.remoteAddress ?? '';
    const leaveAddress = isTrustedProxy(address) ? noPlace : ofAddress.enter(addressKey(address));
    leaveWhenOver(open, response, () => {
      leaveAll?.();
      leaveAddress?.();
    });
    if (leaveAll === undefined) refuse(response, 503);
    else if (leaveAddress === undefined) refuse(response, 429);
    else answer(request, response);
  };
}

function noPlace(): void {}

/** Gives the open requests of a connection, or undefined for a connection that has been cut, for having too many. */
function trackConnections(onLimit: OnLimit): (socket: Socket) => Open | undefined {
  const connections = new WeakMap<Socket, Open>();
  return (socket) => {
    // The parser continues with data that came in one piece with the request that cost the connection.
    if (socket.destroyed) return undefined;
    const open = connections.get(socket) ?? new Set();
    if (open.size >= CONNECTION_REQUESTS_LIMIT.max) {
      onLimit(CONNECTION_REQUESTS_LIMIT);
      socket.destroy();
      return undefined;
    }
    if (!connections.has(socket)) {
      connections.set(socket, open);
      socket.once('close', () => {
        for (const leave of open) leave();
      });
    }
    return open;
  };
}

/** An answer that waits behind another when its connection closes never emits `close`: the connection's own gives its places back. */
function leaveWhenOver(open: Open, response: ServerResponse<IncomingMessage>, leave: () => void): void {
  open.add(leave);
  response.once('close', () => {
    open.delete(leave);
    leave();
  });
}

function refuse(response: ServerResponse<IncomingMessage>, status: 429 | 503): void {
  const body = JSON.stringify({
    error: true,
    code: 'slow-down',
    message: 'Too many attempts. Wait a moment and try again.',
  });
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    connection: 'close',
  };
  response.writeHead(status, headers).end(body);
}
