// Every upgrade from its first line on: which are taken, from whom, how many, and how the others are closed.
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { OnFault } from '../../../faults/onFault.ts';
import { type After, runAfter } from '../../../faults/timers.ts';
import { onUpgrade } from '../../../faults/upgrades.ts';
import { createWebSockets, type WebSockets } from '../../../faults/webSockets.ts';
import { addressKey } from '../../../limits/addressKey.ts';
import { KeyedCount } from '../../../limits/keyedCount.ts';
import type { Limit, OnLimit } from '../../../limits/limit.ts';
import type { SocketEndpoint } from '../../../sockets/socketEndpoint.ts';
import { RefusedSockets } from './refusedSockets.ts';
import { parseTarget } from './target.ts';
import { upgradableRequests } from './upgradeRequest.ts';

/**
 * WebSockets of all kinds, in the process: each takes a descriptor and some 20 KB before anything is sent. A further one is answered 503
 * and closed.
 */
export const SOCKETS_LIMIT: Limit = { name: 'upgrades.sockets.process', max: 8_192 };
/**
 * WebSockets of all kinds, of one address (IPv6: one /64): a control room with 256 pages of eight channels. Behind a proxy that is not in
 * `TRUSTED_PROXIES` everybody has this one address. A further one is answered 429 and closed.
 */
export const ADDRESS_SOCKETS_LIMIT: Limit = { name: 'upgrades.sockets.address', max: 2_048 };

export interface UpgradeServerDeps {
  readonly isAllowedOrigin: (request: IncomingMessage) => boolean;
  /** Whom the request comes from, behind trusted proxies too. */
  readonly clientAddress: (request: IncomingMessage) => string;
  readonly runAfter: After;
  readonly onLimit: OnLimit;
  readonly onFault: OnFault;
}

/** What every socket has to be closed in order at the end. */
const GOODBYE_TIMEOUT_MS = 500;
const ANY = 'all';

interface Served {
  readonly endpoint: SocketEndpoint;
  readonly sockets: WebSockets;
}

/** Owns every connection that was upgraded, until it closes. */
export class UpgradeServer {
  readonly #deps: UpgradeServerDeps;
  readonly #served = new Map<string, Served>();
  readonly #refused: RefusedSockets;
  readonly #all: KeyedCount;
  readonly #byAddress: KeyedCount;
  /** Each connection with the WebSocket on it, once its handshake is done. */
  readonly #connections = new Map<Duplex, WebSocket | undefined>();
  #isClosed = false;

  /** What the HTTP server is to make its requests of. */
  readonly requestClass = upgradableRequests((request) => this.#servedAt(request) !== undefined);

  constructor(deps: UpgradeServerDeps) {
    this.#deps = deps;
    this.#refused = new RefusedSockets(deps);
    this.#all = new KeyedCount(SOCKETS_LIMIT, deps.onLimit);
    this.#byAddress = new KeyedCount(ADDRESS_SOCKETS_LIMIT, deps.onLimit);
  }

  add(endpoints: readonly SocketEndpoint[]): void {
    for (const endpoint of endpoints) {
      const sockets = createWebSockets(endpoint.maxMessageBytes, this.#deps.onFault);
      this.#served.set(endpoint.path, { endpoint, sockets });
    }
  }

  /** Takes the upgrades of a server whose requests are of `requestClass`. */
  listenOn(server: Server): void {
    onUpgrade(server, (request, connection, head) => this.#take(request, connection, head), this.#deps.onFault);
  }

  /** Says goodbye on every socket, and cuts what is still open soon after. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const connections = [...this.#connections];
    const closed = connections.map(
      ([connection, socket]) => new Promise((resolve) => (socket ?? connection).once('close', resolve)),
    );
    for (const [connection, socket] of connections) {
      if (socket === undefined) connection.destroy();
      else socket.close(1001, 'going away');
    }
    const cut = (): void => {
      for (const [connection] of connections) connection.destroy();
    };
    const cancel = runAfter(GOODBYE_TIMEOUT_MS, cut, this.#deps.onFault);
    await Promise.all(closed);
    cancel();
  }

  #servedAt({ method, headers, url }: IncomingMessage): Served | undefined {
    if (method !== 'GET' || headers.upgrade?.toLowerCase() !== 'websocket') return undefined;
    return this.#served.get(parseTarget(url ?? '').path);
  }

  #take(request: IncomingMessage, connection: Duplex, head: Buffer): void {
    if (this.#isClosed || connection.destroyed) {
      connection.destroy();
      return;
    }
    this.#connections.set(connection, undefined);
    connection.on('close', () => this.#connections.delete(connection));
    const served = this.#servedAt(request);
    if (served === undefined) this.#refused.refuse(connection, '404 Not Found');
    else if (!this.#deps.isAllowedOrigin(request)) this.#refused.refuse(connection, '403 Forbidden');
    else this.#admit(served, request, connection, head);
  }

  #admit({ endpoint, sockets }: Served, request: IncomingMessage, connection: Duplex, head: Buffer): void {
    const address = this.#deps.clientAddress(request);
    const leaveAll = this.#all.enter(ANY);
    if (leaveAll === undefined) {
      this.#refused.refuse(connection, '503 Service Unavailable');
      return;
    }
    connection.on('close', leaveAll);
    const leaveAddress = this.#byAddress.enter(addressKey(address));
    if (leaveAddress === undefined) {
      this.#refused.refuse(connection, '429 Too Many Requests');
      return;
    }
    connection.on('close', leaveAddress);
    const { parameters } = parseTarget(request.url ?? '');
    sockets.open(request, connection, head, (socket) => {
      this.#connections.set(connection, socket);
      return endpoint.serve({ socket, connection, request, parameters, address });
    });
    // The handshake itself may be wrong, which the library has said.
    if (this.#connections.get(connection) === undefined) this.#refused.closeSoon(connection);
  }
}
