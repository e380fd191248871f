// The WebSocket side of /stream/*: upgrades in, one served or refused socket out.
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { AccessWatch } from './accessWatch.ts';
import { Heartbeat } from './heartbeat.ts';
import type { LinkedStream, StreamAccess, StreamContext, StreamRoute } from './streamRoute.ts';

export interface StreamServerDeps {
  /** By path. */
  readonly routes: readonly StreamRoute[];
  readonly isAllowedOrigin: (request: IncomingMessage) => boolean;
  /** May this link watch this channel now? Unknown device, foreign group and wrong credential are one answer. */
  readonly mayWatch: (stream: LinkedStream) => Promise<StreamAccess>;
  readonly after: (delayMs: number, run: () => void) => () => void;
  /** Told of faults of our own, such as a database that does not answer. */
  readonly onFault: (error: Error) => void;
}

/** Viewers only send a few words of control; anything longer is no viewer. */
const MAX_CLIENT_MESSAGE_BYTES = 4 * 1024;

export interface StreamServer {
  /** Takes an upgrade that is meant for a stream; false when the path is none of ours and the socket is untouched. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** Says goodbye to every viewer; who does not answer soon is cut. */
  close(): Promise<void>;
}

export function createStreamServer(deps: StreamServerDeps): StreamServer {
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MAX_CLIENT_MESSAGE_BYTES,
  });
  const heartbeat = new Heartbeat();
  const accessWatch = new AccessWatch(deps);
  const routes = new Map(deps.routes.map((route) => [route.path, route]));
  return {
    handleUpgrade: (request, socket, head) => {
      const url = new URL(request.url ?? '/', 'http://gateway');
      const route = routes.get(url.pathname);
      if (route === undefined) return false;
      if (!deps.isAllowedOrigin(request)) {
        socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
        return true;
      }
      sockets.handleUpgrade(request, socket, head, (webSocket) => {
        heartbeat.add(webSocket);
        const context: StreamContext = { mayWatch: deps.mayWatch, accessWatch, connection: socket };
        route.open(webSocket, url.searchParams, context).catch((error: unknown) => {
          webSocket.terminate();
          deps.onFault(new Error('a stream could not be opened', { cause: error }));
        });
      });
      return true;
    },
    close: async () => {
      heartbeat.close();
      accessWatch.close();
      sockets.close();
      await Promise.all([...sockets.clients].map(dismiss));
    },
  };
}

const GOODBYE_TIMEOUT_MS = 500;

async function dismiss(client: WebSocket): Promise<void> {
  const cut = setTimeout(() => client.terminate(), GOODBYE_TIMEOUT_MS);
  client.close(1001, 'going away');
  await once(client, 'close');
  clearTimeout(cut);
}
