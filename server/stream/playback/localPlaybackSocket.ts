// One viewer's WebSocket on a recorded channel: packets out as the session sends them, control messages in.
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { StreamPath } from '../../../shared/protocol/api.ts';
import { parseViewerMessage, type StreamEvent } from '../../../shared/protocol/stream/streamMessages.ts';
import type { FeedSink } from '../../recording/playback/channelFeed.ts';
import type { PlaybackSessions } from '../../recording/playback/playbackSessions.ts';
import { streamEventPacket } from '../events.ts';
import { type LocalPlaybackQuery, parseLocalPlaybackQuery } from './localPlaybackQuery.ts';
import type { PlaybackRoute } from './playbackRoute.ts';

/** The path of local playback: its sockets join the sessions. */
export function localPlaybackRoute(sessions: PlaybackSessions): PlaybackRoute {
  return {
    path: StreamPath.LocalPlayback,
    kind: 'playback',
    parse: (parameters) => {
      const query = parseLocalPlaybackQuery(parameters);
      if (query === undefined) return undefined;
      return {
        query,
        serve: (socket, connection, { archiveId }) => {
          if (archiveId === undefined) throw new Error('a device was opened without the archive of its recordings');
          serveLocalPlaybackSocket(socket, connection, { query, archiveId, sessions });
        },
      };
    },
  };
}

interface Served {
  readonly query: LocalPlaybackQuery;
  readonly archiveId: string;
  readonly sessions: PlaybackSessions;
}

/** Serves the socket until it closes; the session is left here, the socket's owner is the caller. */
function serveLocalPlaybackSocket(socket: WebSocket, connection: Duplex, { query, archiveId, sessions }: Served): void {
  const sendEvent = (event: StreamEvent): void => {
    if (socket.readyState === socket.OPEN) socket.send(streamEventPacket(event));
  };
  const sink: FeedSink = {
    send: (packets) => {
      if (socket.readyState !== socket.OPEN) return;
      // What is due at one moment goes to the system in one call.
      connection.cork();
      for (const packet of packets) socket.send(packet);
      connection.uncork();
    },
    sendGap: (untilMs) => sendEvent({ type: 'gap', untilMs }),
    queuedBytes: () => connection.writableLength,
  };
  const { channel, wantsAudio, startMs } = query;
  const viewer = { track: { archiveId, channel }, wantsAudio, sink, sendEvent };
  const membership = sessions.join(query, startMs, viewer);
  socket.on('message', (data, isBinary) => {
    const message = isBinary ? undefined : parseViewerMessage(String(data));
    if (message !== undefined) membership.handle(message);
  });
  socket.on('close', () => membership.leave());
}
