// Events on their way to one viewer, as packets of their own.
import type { WebSocket } from 'ws';
import { type ControlEvent, encodeControlEvent } from '../../shared/protocol/stream/controlMessages.ts';
import { encodeStreamEvent, type StreamEvent } from '../../shared/protocol/stream/streamMessages.ts';
import { Codec, encodePacket, PacketKind } from '../../shared/protocol/stream/streamPacket.ts';
import { mediaUs, wallMs } from '../../shared/protocol/time.ts';
import type { Refusal } from '../sockets/refusal.ts';

/** Says why in an `error` event, then closes: a browser shows nothing of a refused handshake. */
export function refuseSocket(socket: WebSocket, { code, message }: Refusal): void {
  socket.send(streamEventPacket({ type: 'error', code, message }));
  socket.close(1008, code);
}

/** The stream begins all the same. */
export function sendNotice(socket: WebSocket, { code, message }: Refusal): void {
  socket.send(streamEventPacket({ type: 'notice', code, message }));
}

export function streamEventPacket(event: StreamEvent): Uint8Array<ArrayBuffer> {
  return eventPacket(encodeStreamEvent(event));
}

export function sendControlEvent(socket: WebSocket, event: ControlEvent): void {
  if (socket.readyState === socket.OPEN) socket.send(eventPacket(encodeControlEvent(event)));
}

function eventPacket(payload: Uint8Array): Uint8Array<ArrayBuffer> {
  const header = { kind: PacketKind.Event, codec: Codec.None, key: false, discontinuity: false } as const;
  return encodePacket({ ...header, mediaTimeUs: mediaUs(0), deviceTimeMs: wallMs(0) }, payload);
}
