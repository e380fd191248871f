import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { containListeners } from './contain.ts';
import { faultOf, type OnFault } from './onFault.ts';

/** What a peer gets to answer our goodbye in before its connection is cut. */
const GOODBYE_TIMEOUT_MS = 2_000;

export interface WebSockets {
  /**
   * Answers the handshake. `serve` gets the socket with its `error` listener: a peer may send a frame that breaks the
   * protocol in the same packet as its handshake. When the handshake is refused, `serve` is not called, and the refusal has been
   * written.
   */
  open(request: IncomingMessage, connection: Duplex, head: Buffer, serve: (socket: WebSocket) => Promise<void>): void;
}

export function createWebSockets(maxMessageBytes: number, onFault: OnFault): WebSockets {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: maxMessageBytes,
    closeTimeout: GOODBYE_TIMEOUT_MS,
  } as ConstructorParameters<typeof WebSocketServer>[0]);
  server.on('error', onFault);
  return {
    open: (request, connection, head, serve) => {
      server.handleUpgrade(request, connection, head, (socket) => {
        guardWebSocket(socket, onFault);
        serve(socket).catch((cause: unknown) => {
          socket.terminate();
          onFault(faultOf('a WebSocket could not be served', cause));
        });
      });
    },
  };
}

/** The library has written why, as far as the connection takes it; `close` follows and cleans up. */
function guardWebSocket(socket: WebSocket, onFault: OnFault): void {
  socket.on('error', () => socket.terminate());
  containListeners(socket, onFault, () => socket.terminate());
}
