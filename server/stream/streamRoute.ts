// What the paths below /stream/ that a link opens have in common: the query, the access, and its watch while it lasts.
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { LinkCredential } from '../../shared/protocol/api.ts';
import type { AccessWatch } from './accessWatch.ts';
import { refuseSocket } from './refuseSocket.ts';

export type StreamAccess =
  | { readonly ok: true }
  | { readonly ok: false; readonly code: string; readonly message: string };

/** What a link is to cover. */
export interface LinkedStream extends LinkCredential {
  readonly deviceId: string;
  readonly channel: number;
  readonly kind: 'live' | 'playback' | 'remote';
}

export interface StreamContext {
  readonly mayWatch: (stream: LinkedStream) => Promise<StreamAccess>;
  readonly accessWatch: AccessWatch;
  /** The connection below the WebSocket. */
  readonly connection: Duplex;
}

export interface StreamRoute {
  readonly path: string;
  /** Takes over a socket whose origin is allowed: it is served, or told why not. */
  open(socket: WebSocket, parameters: URLSearchParams, context: StreamContext): Promise<void>;
}

export interface StreamRouteOptions<Query extends LinkedStream> {
  readonly path: string;
  /** Undefined for a query that names too little. */
  readonly parse: (parameters: URLSearchParams) => Query | undefined;
  /** Serves the socket until it closes. */
  readonly serve: (socket: WebSocket, query: Query, connection: Duplex) => void;
  /** Access is no more; the socket has been told. */
  readonly revoked?: (query: Query) => void;
}

export function createStreamRoute<Query extends LinkedStream>(options: StreamRouteOptions<Query>): StreamRoute {
  return {
    path: options.path,
    open: async (socket, parameters, { mayWatch, accessWatch, connection }) => {
      const query = options.parse(parameters);
      if (query === undefined) {
        refuseSocket(socket, { type: 'error', code: 'bad-request', message: 'the query names too little' });
        return;
      }
      const access = await mayWatch(query);
      if (socket.readyState !== socket.OPEN) return;
      if (!access.ok) {
        refuseSocket(socket, { type: 'error', code: access.code, message: access.message });
        return;
      }
      const stopWatching = accessWatch.add(query, ({ code, message }) => {
        refuseSocket(socket, { type: 'error', code, message });
        options.revoked?.(query);
      });
      socket.on('close', stopWatching);
      options.serve(socket, query, connection);
    },
  };
}

/** JT/T 1078 numbers channels in one byte. */
const MAX_CHANNEL = 255;

/** Undefined when the query names no device or no channel. */
export function parseLinkedStream(parameters: URLSearchParams, kind: LinkedStream['kind']): LinkedStream | undefined {
  const deviceId = parameters.get('deviceid') ?? '';
  const channelText = parameters.get('channel') ?? '';
  const channel = /^\d{1,3}$/.test(channelText) ? Number(channelText) : 0;
  if (deviceId === '' || channel < 1 || channel > MAX_CHANNEL) return undefined;
  return {
    deviceId,
    channel,
    username: parameters.get('username') ?? '',
    credential: parameters.get('credential') ?? '',
    kind,
  };
}
