// One viewer's WebSocket on a live channel: packets out, a few control messages in.
import type { WebSocket } from 'ws';
import { parseViewerMessage } from '../../../shared/protocol/stream/streamMessages.ts';
import type { Limit } from '../../limits/limit.ts';
import { TokenBucket } from '../../limits/tokenBucket.ts';
import type { ChannelKey } from '../../media/channelKey.ts';
import type { Hub, Viewer } from '../../media/hub.ts';
import { ViewerSender, type ViewerSenderDeps } from '../viewerSender.ts';

export interface LiveRequest extends ViewerSenderDeps {
  readonly key: ChannelKey;
  readonly wantsAudio: boolean;
  readonly now: () => number;
}

/**
 * Times per second that the video of a live stream is turned on again; up to 10 at once. A page comes back into sight now and then, and
 * each time its pictures since the last key frame are sent again, which is megabytes for a message of some bytes. Beyond it video resumes
 * with the next key frame.
 */
export const RESENDS_LIMIT: Limit = { name: 'stream.resent-groups.socket', max: 1 };
const RESENDS_BURST = 10;

/** Serves the socket until it closes. The socket's owner is the caller; the subscription is closed here. */
export function serveLiveSocket(socket: WebSocket, request: LiveRequest, hub: Hub): void {
  const sender = new ViewerSender({ ...request, onGroupCut: () => hub.noteViewerLoss(request.key) });
  const resends = new TokenBucket({ burst: RESENDS_BURST, perSecond: RESENDS_LIMIT.max }, request.now());
  let wantsVideo = true;
  const viewer: Viewer = {
    deliver: (packet) => {
      if (packet.isVideo ? !wantsVideo : !request.wantsAudio) return;
      if (socket.readyState === socket.OPEN) sender.deliver(packet);
    },
  };
  const subscription = hub.watch(request.key, viewer);
  hub.traffic.viewers++;
  socket.on('message', (data, isBinary) => {
    const message = isBinary ? undefined : parseViewerMessage(String(data));
    if (message?.type !== 'video' || message.on === wantsVideo) return;
    wantsVideo = message.on;
    if (!wantsVideo) sender.breakOff();
    else if (resends.take(request.now())) subscription.resendGroup();
    // Pictures come with the next key frame.
    else request.onLimit?.(RESENDS_LIMIT);
  });
  socket.on('close', () => {
    subscription.close();
    hub.traffic.viewers--;
    sender.close();
  });
}
