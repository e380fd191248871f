// A path on which WebSockets are served, as whoever takes the upgrades sees it.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';

/** A WebSocket that was let in, by its origin and by the limits on connections. */
export interface OpenedSocket {
  readonly socket: WebSocket;
  /** The connection below it. */
  readonly connection: Duplex;
  readonly request: IncomingMessage;
  /** Of the address that was asked for. */
  readonly parameters: URLSearchParams;
  /** Whom it comes from, behind trusted proxies too. */
  readonly address: string;
}

export interface SocketEndpoint {
  readonly path: string;
  readonly maxMessageBytes: number;
  /** Resolves once the socket is served or refused; when it rejects, the socket is cut. */
  readonly serve: (opened: OpenedSocket) => Promise<void>;
}
