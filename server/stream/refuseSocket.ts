import type { WebSocket } from 'ws';
import { encodeStreamEvent, type StreamEvent } from '../../shared/protocol/streamMessages.ts';
import { Codec, encodePacket, PacketKind } from '../../shared/protocol/streamPacket.ts';
import { mediaUs, wallMs } from '../../shared/protocol/time.ts';

/** RFC 6455: what is asked is against the rules here. */
const POLICY_VIOLATION = 1008;

/** Says why in an `error` event, then closes: a browser shows nothing of a refused handshake. */
export function refuseSocket(socket: WebSocket, event: StreamEvent & { readonly type: 'error' }): void {
  socket.on('error', () => socket.terminate());
  socket.send(encodeEventPacket(event));
  socket.close(POLICY_VIOLATION, event.code);
}

/** An event as a stream packet. */
export function encodeEventPacket(event: StreamEvent): Uint8Array<ArrayBuffer> {
  const header = { kind: PacketKind.Event, codec: Codec.None, key: false, discontinuity: false } as const;
  return encodePacket({ ...header, mediaTimeUs: mediaUs(0), deviceTimeMs: wallMs(0) }, encodeStreamEvent(event));
}
