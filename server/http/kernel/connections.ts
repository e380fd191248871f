// Limits of connections that have not requested anything yet: how many there are, and how long they may take.
import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type { OnFault } from '../../faults/onFault.ts';
import { createRunAfter } from '../../faults/timers.ts';
import { addressKey } from '../../limits/addressKey.ts';
import { KeyedCount } from '../../limits/keyedCount.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import { Refused } from './envelope.ts';
import { RefusedSockets } from './upgrades/refusedSockets.ts';

/**
 * Connections from one address (IPv6: one /64), WebSockets included: a control room behind one address needs room for requests beside them.
 * The limit does not apply to trusted proxies. A further one is closed unread.
 */
export const ADDRESS_CONNECTIONS_LIMIT: Limit = { name: 'http.connections.address', max: 3_072 };
/** Connections to the HTTP port and to `HTTP_PORT`, WebSockets included. A further one is closed unread. */
export const CONNECTIONS_LIMIT: Limit = { name: 'http.connections', max: 8_192 };
/** Size of the first line and the headers of a request: Node's own bound. The answer is 431, and the connection is closed. */
export const HEADER_LIMIT: Limit = { name: 'http.header.bytes', max: 16_384 };

export interface ConnectionTimes {
  /** Time from the connection, or the previous request, to the end of the headers. */
  readonly headersMs: number;
  /** Time to the end of the request. A client that takes longer only holds a connection. */
  readonly requestMs: number;
  /** Time for a TLS handshake. */
  readonly handshakeMs: number;
  /** How often clients that take longer are looked for. */
  readonly checkMs: number;
}

/** Time until the headers of a request have arrived, also for silent connections. The answer is 408, and the connection is closed. */
export const HEADERS_TIME_LIMIT: Limit = { name: 'http.headers.ms', max: 15_000 };
/** Time until the whole request has arrived. The answer is 408, and the connection is closed. */
export const REQUEST_TIME_LIMIT: Limit = { name: 'http.request.ms', max: 60_000 };
/** Time for a TLS handshake. The connection is closed. */
export const TLS_TIME_LIMIT: Limit = { name: 'http.handshake.ms', max: 10_000 };
export const CONNECTION_TIMES: ConnectionTimes = {
  headersMs: HEADERS_TIME_LIMIT.max,
  requestMs: REQUEST_TIME_LIMIT.max,
  handshakeMs: TLS_TIME_LIMIT.max,
  checkMs: 5_000,
};

export interface ConnectionGuard {
  /** Whether many clients come from this address, told apart by what it forwards. */
  readonly isTrustedProxy: (address: string) => boolean;
  readonly onLimit: OnLimit;
}

/** Watches the connections of a server. */
export type LimitConnections = (server: EventEmitter) => void;

/**
 * Closes connections beyond the limits on arrival, before a byte of them is read. The returned function does the same for another server,
 * whose connections count with these.
 */
export function limitConnections(server: EventEmitter, guard: ConnectionGuard): LimitConnections {
  const counts: Counts = {
    all: new KeyedCount(CONNECTIONS_LIMIT, guard.onLimit),
    ofAddress: new KeyedCount(ADDRESS_CONNECTIONS_LIMIT, guard.onLimit),
  };
  const watch: LimitConnections = (each) => watchConnections(each, counts, guard);
  watch(server);
  return watch;
}

interface Counts {
  readonly all: KeyedCount;
  readonly ofAddress: KeyedCount;
}

function watchConnections(
  server: EventEmitter,
  { all, ofAddress }: Counts,
  { isTrustedProxy, onLimit }: ConnectionGuard,
): void {
  // On a TLS server, this event comes before the handshake, which costs most.
  server.on('connection', (socket: Socket) => {
    socket.on('error', ignore);
    const address = socket.remoteAddress ?? '';
    const leave = [all.enter('')];
    if (!isTrustedProxy(address)) leave.push(ofAddress.enter(addressKey(address)));
    socket.once('close', () => {
      for (const each of leave) each?.();
    });
    if (leave.includes(undefined)) socket.destroy();
  });
  server.on('tlsClientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ERR_TLS_HANDSHAKE_TIMEOUT') onLimit(TLS_TIME_LIMIT);
    socket.destroy();
  });
}

// The owner of the connection gets the fault, too; nothing more can be done for a connection that is closing.
function ignore(): void {}

export interface ClientErrorDeps {
  readonly onLimit: OnLimit;
  readonly onFault: OnFault;
}

/**
 * Answers data that isn't a request, or takes too long to become one, in the format of all other answers, and ends the connection. A
 * client that is still sending reads the answer first.
 */
export function clientErrorHandler({
  onLimit,
  onFault,
}: ClientErrorDeps): (error: NodeJS.ErrnoException, socket: Socket) => void {
  const refused = new RefusedSockets({ runAfter: createRunAfter(onFault), onLimit });
  const answered = new WeakSet<Socket>();
  return (error, socket) => {
    // Data after an error isn't a request either.
    if (answered.has(socket)) return;
    answered.add(socket);
    if (error.code === 'HPE_HEADER_OVERFLOW') onLimit(HEADER_LIMIT);
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
      onLimit(hasHeaders(socket) ? REQUEST_TIME_LIMIT : HEADERS_TIME_LIMIT);
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    socket.end(answerTo(error));
    refused.closeSoon(socket);
  };
}

function answerTo(error: NodeJS.ErrnoException): string {
  const { code, message } = Refused.badRequest;
  const body = JSON.stringify({ error: true, code, message });
  const head = ['content-type: application/json; charset=utf-8', 'cache-control: no-store', 'connection: close'];
  const lines = [`HTTP/1.1 ${statusOf(error)}`, ...head, `content-length: ${Buffer.byteLength(body)}`];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** Whether the headers have come and the body has not. */
function hasHeaders(socket: Socket & { readonly _httpMessage?: unknown }): boolean {
  return socket._httpMessage !== undefined && socket._httpMessage !== null;
}

function statusOf({ code }: NodeJS.ErrnoException): string {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return '408 Request Timeout';
  return code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
}
