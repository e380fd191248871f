// One viewer's WebSocket on a recorded channel: packets out as the session sends them, control messages in.
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { parseViewerMessage, type StreamEvent } from '../../shared/protocol/streamMessages.ts';
import type { FeedSink } from '../recording/playback/channelFeed.ts';
import type { PlaybackSessions } from '../recording/playback/playbackSessions.ts';
import type { AccessWatch, StreamAccess } from './accessWatch.ts';
import type { ChannelQuery } from './channelQuery.ts';
import { refuseSocket, streamEventPacket } from './events.ts';
import { type LocalPlaybackQuery, parseLocalPlaybackQuery } from './localPlaybackQuery.ts';

export interface LocalPlaybackDeps {
  readonly sessions: PlaybackSessions;
  /** May this link play what is recorded of this channel? */
  readonly mayPlay: (query: ChannelQuery) => Promise<StreamAccess>;
}

export interface LocalPlaybackEntry {
  readonly socket: WebSocket;
  readonly connection: Duplex;
  readonly parameters: URLSearchParams;
}

/** Asks whether the socket may play what it names, now and while it lasts, and serves it or says why not. */
export async function admitLocalPlayback(
  { socket, connection, parameters }: LocalPlaybackEntry,
  { sessions, mayPlay }: LocalPlaybackDeps,
  accessWatch: AccessWatch,
): Promise<void> {
  const query = parseLocalPlaybackQuery(parameters);
  if (query === undefined) {
    refuseSocket(socket, { code: 'bad-request', message: 'deviceid, channel and spbtime are needed' });
    return;
  }
  const { username, credential, deviceId, channel } = query;
  const ask = (): Promise<StreamAccess> => mayPlay({ username, credential, deviceId, channel });
  const access = await ask();
  if (socket.readyState !== socket.OPEN) return;
  if (!access.ok) {
    refuseSocket(socket, access);
    return;
  }
  const question = ['playback', username, credential, deviceId, channel];
  const stopWatching = accessWatch.add(question, ask, (refusal) => refuseSocket(socket, refusal));
  socket.on('close', stopWatching);
  serveLocalPlaybackSocket(socket, connection, { query, sessions });
}

interface Served {
  readonly query: LocalPlaybackQuery;
  readonly sessions: PlaybackSessions;
}

/** Serves the socket until it closes; the session is left here, the socket's owner is the caller. */
function serveLocalPlaybackSocket(socket: WebSocket, connection: Duplex, { query, sessions }: Served): void {
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
  const { deviceId, channel, wantsAudio, startMs } = query;
  const viewer = { track: { deviceId, channel }, wantsAudio, sink, sendEvent };
  const membership = sessions.join(query, startMs, viewer);
  socket.on('message', (data, isBinary) => {
    const message = isBinary ? undefined : parseViewerMessage(String(data));
    if (message !== undefined) membership.handle(message);
  });
  socket.on('close', () => membership.leave());
  // Without a listener a broken socket would take the process down; its close event follows and cleans up.
  socket.on('error', () => socket.terminate());
}
