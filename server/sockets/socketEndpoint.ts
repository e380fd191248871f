// A path on which WebSockets are served, for the code that takes the upgrades.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';

/** A WebSocket that has passed the origin check and the limits on connections. */
export interface OpenedSocket {
  readonly socket: WebSocket;
  /** The underlying connection. */
  readonly connection: Duplex;
  readonly request: IncomingMessage;
  /** Query parameters of the requested address. */
  readonly parameters: URLSearchParams;
  /** The client's address, behind trusted proxies too. */
  readonly address: string;
}

export interface SocketEndpoint {
  readonly path: string;
  readonly maxMessageBytes: number;
  /** Resolves once the socket is served or refused; when it rejects, the socket is cut. */
  readonly serve: (opened: OpenedSocket) => Promise<void>;
}
