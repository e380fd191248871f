// One viewer's WebSocket on a recorded channel: packets out as the session sends them, control messages in.
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { encodeStreamEvent, parseViewerMessage, type StreamEvent } from '../../shared/protocol/streamMessages.ts';
import { Codec, encodePacket, PacketKind } from '../../shared/protocol/streamPacket.ts';
import { mediaUs, wallMs } from '../../shared/protocol/time.ts';
import type { FeedSink } from '../recording/playback/channelFeed.ts';
import type { PlaybackSessions } from '../recording/playback/playbackSessions.ts';
import type { LocalPlaybackQuery } from './localPlaybackQuery.ts';

/** Serves the socket until it closes; the session is left here, the socket's owner is the caller. */
export function serveLocalPlaybackSocket(
  socket: WebSocket,
  connection: Duplex,
  query: LocalPlaybackQuery,
  sessions: PlaybackSessions,
): void {
  const sendEvent = (event: StreamEvent): void => {
    if (socket.readyState === socket.OPEN) socket.send(encodeEventPacket(event));
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

function encodeEventPacket(event: StreamEvent): Uint8Array<ArrayBuffer> {
  const header = { kind: PacketKind.Event, codec: Codec.None, key: false, discontinuity: false } as const;
  return encodePacket({ ...header, mediaTimeUs: mediaUs(0), deviceTimeMs: wallMs(0) }, encodeStreamEvent(event));
}
