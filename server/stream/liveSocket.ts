// One viewer's WebSocket on a live channel: packets out, a few control messages in.
import type { WebSocket } from 'ws';
import { parseViewerMessage } from '../../shared/protocol/streamMessages.ts';
import type { ChannelKey } from './channelKey.ts';
import type { Hub, Viewer } from './hub.ts';
import { ViewerOutlet, type ViewerOutletDeps } from './viewerOutlet.ts';

export interface LiveRequest extends ViewerOutletDeps {
  readonly key: ChannelKey;
  readonly wantsAudio: boolean;
}

/** Serves the socket until it closes. The socket's owner is the caller; the subscription is closed here. */
export function serveLiveSocket(socket: WebSocket, request: LiveRequest, hub: Hub): void {
  const outlet = new ViewerOutlet({ ...request, onGroupCut: () => hub.noteViewerLoss(request.key) });
  let wantsVideo = true;
  const viewer: Viewer = {
    deliver: (packet) => {
      if (packet.isVideo ? !wantsVideo : !request.wantsAudio) return;
      if (socket.readyState === socket.OPEN) outlet.deliver(packet);
    },
  };
  const subscription = hub.watch(request.key, viewer);
  hub.traffic.viewers++;
  socket.on('message', (data, isBinary) => {
    const message = isBinary ? undefined : parseViewerMessage(String(data));
    if (message?.type !== 'video' || message.on === wantsVideo) return;
    wantsVideo = message.on;
    if (wantsVideo) subscription.resendGroup();
    else outlet.breakOff();
  });
  socket.on('close', () => {
    subscription.close();
    hub.traffic.viewers--;
    outlet.close();
  });
  // Without a listener a broken socket would take the process down; its close event follows and cleans up.
  socket.on('error', () => socket.terminate());
}
