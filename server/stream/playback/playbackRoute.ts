// A path below /stream/ that serves recordings, as the stream server sees it. The server checks access.
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { StreamGranted } from '../../sockets/accessWatch.ts';
import type { ChannelQuery } from '../channelQuery.ts';

/** What a link must be good for. */
export type StreamKind = 'live' | 'playback' | 'remote';

export interface PlaybackRoute {
  readonly path: string;
  readonly kind: StreamKind;
  /** Undefined for a query that names too little. */
  parse(parameters: URLSearchParams): PlaybackRequest | undefined;
}

interface PlaybackRequest {
  readonly query: ChannelQuery;
  /** Serves the socket until it closes. `connection` is what lies below it. */
  serve(socket: WebSocket, connection: Duplex, granted: StreamGranted): void;
  /** Access was revoked; the socket has already been told. */
  revoked?(): void;
}
