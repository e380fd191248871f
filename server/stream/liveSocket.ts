// One viewer's WebSocket on a live channel: packets out, a few control messages in.
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { StreamPath } from '../../shared/protocol/api.ts';
import { parseViewerMessage } from '../../shared/protocol/streamMessages.ts';
import type { ChannelKey } from './channelKey.ts';
import type { Hub, Viewer } from './hub.ts';
import { type HubPacket, withDiscontinuity } from './hubPacket.ts';
import { parseLiveQuery } from './liveQuery.ts';
import { createStreamRoute, type StreamRoute } from './streamRoute.ts';
import { ViewerQueue } from './viewerQueue.ts';

export interface LiveRequest {
  /**
   * The connection below the WebSocket. Packets are framed once for all viewers and written here; every write is a
   * whole frame, so they and the library's own pings and goodbyes do not mix.
   */
  readonly connection: Duplex;
  readonly key: ChannelKey;
  readonly wantsAudio: boolean;
}

export function liveRoute(hub: Hub): StreamRoute {
  return createStreamRoute({
    path: StreamPath.Live,
    parse: parseLiveQuery,
    serve: (socket, { deviceId, channel, quality, wantsAudio }, connection) =>
      serveLiveSocket(socket, { connection, key: { deviceId, channel, quality }, wantsAudio }, hub),
  });
}

/** Serves the socket until it closes. The socket's owner is the caller; the subscription is closed here. */
export function serveLiveSocket(socket: WebSocket, request: LiveRequest, hub: Hub): void {
  const queue = new ViewerQueue();
  let wantsVideo = true;
  const viewer: Viewer = {
    deliver: (packet) => {
      if (packet.isVideo ? !wantsVideo : !request.wantsAudio) return;
      if (socket.readyState === socket.OPEN) sendAdmitted(request.connection, packet, queue);
    },
  };
  const subscription = hub.watch(request.key, viewer);
  socket.on('message', (data, isBinary) => {
    if (isBinary) return;
    const message = parseViewerMessage(String(data));
    if (message?.type === 'video') wantsVideo = message.on;
  });
  socket.on('close', () => subscription.close());
  // Without a listener a broken socket would take the process down; its close event follows and cleans up.
  socket.on('error', () => socket.terminate());
}

function sendAdmitted(connection: Duplex, packet: HubPacket, queue: ViewerQueue): void {
  const admission = queue.admit(packet, connection.writableLength);
  switch (admission) {
    case 'drop':
      return;
    case 'send':
      connection.write(packet.frame);
      return;
    case 'send-after-gap':
      connection.write(withDiscontinuity(packet).frame);
      return;
  }
}
