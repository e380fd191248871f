// One page's WebSocket on the playback of a terminal's recording.
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { StreamPath } from '../../../shared/protocol/api.ts';
import { parseViewerMessage } from '../../../shared/protocol/stream/streamMessages.ts';
import { type ChannelQuery, parseChannelQuery } from '../channelQuery.ts';
import { refuseSocket } from '../events.ts';
import type { PlaybackRoute } from '../playback/playbackRoute.ts';
import type { RemotePlayback } from './remotePlayback.ts';
import { eventPacket, type RemoteViewer } from './remoteSession.ts';

export interface RemoteQuery extends ChannelQuery {
  readonly streamId: number;
  readonly wantsAudio: boolean;
}

const STREAM_ID_LIMIT = 100_000_000;
/** Unsent data of a page at which its recording has to wait. Nothing is dropped. */
const MAX_UNSENT_BYTES = 512 * 1024;

export function remoteRoute(playback: RemotePlayback): PlaybackRoute {
  return {
    path: StreamPath.RemotePlayback,
    kind: 'remote',
    parse: (parameters) => {
      const query = parseRemoteQuery(parameters);
      if (query === undefined) return undefined;
      return {
        query,
        serve: (socket, connection) => serveRemoteSocket(socket, query, { connection, playback }),
        revoked: () => playback.end(query),
      };
    },
  };
}

/** Undefined when it names no device, no channel or no stream. */
export function parseRemoteQuery(parameters: URLSearchParams): RemoteQuery | undefined {
  const channel = parseChannelQuery(parameters);
  const text = parameters.get('streamid') ?? '';
  const streamId = /^\d+$/.test(text) ? Number(text) : 0;
  if (channel === undefined || streamId < 1 || streamId >= STREAM_ID_LIMIT) return undefined;
  return { ...channel, streamId, wantsAudio: parameters.get('audio') === '1' };
}

interface RemoteSocketDeps {
  readonly connection: Duplex;
  readonly playback: RemotePlayback;
}

function serveRemoteSocket(socket: WebSocket, query: RemoteQuery, { connection, playback }: RemoteSocketDeps): void {
  const viewer: RemoteViewer = {
    wantsAudio: query.wantsAudio,
    send: ({ frame }) => {
      if (socket.readyState === socket.OPEN) connection.write(frame);
    },
    isBlocked: () => connection.writableLength > MAX_UNSENT_BYTES,
    over: (end) => {
      if (end.kind === 'ended') close(socket, connection);
      else refuseSocket(socket, end);
    },
  };
  const attachment = playback.attach(query, viewer);
  if (attachment.kind === 'over') {
    viewer.over(attachment.end);
    return;
  }
  socket.on('message', (data, isBinary) => {
    const message = isBinary ? undefined : parseViewerMessage(String(data));
    if (message !== undefined) attachment.session.handle(message);
  });
  socket.on('close', () => attachment.leave());
}

function close(socket: WebSocket, connection: Duplex): void {
  if (socket.readyState === socket.OPEN) connection.write(eventPacket({ type: 'ended' }).frame);
  socket.close(1000, 'ended');
}
