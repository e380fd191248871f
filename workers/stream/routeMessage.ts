// Sorts the packets of one WebSocket message: video to the video worker, sound to the audio worker, events to the page. Pure.
import { type ControlEvent, parseControlEvent } from '../../shared/protocol/stream/controlMessages.ts';
import { parseStreamEvent, type StreamEvent } from '../../shared/protocol/stream/streamMessages.ts';
import {
  type MessageRead,
  PacketKind,
  readMessage,
  type StreamPacket,
} from '../../shared/protocol/stream/streamPacket.ts';
import type { AudioFrame } from '../audio/messages.ts';
import type { VideoUnit } from '../video/messages.ts';

export interface RoutedMessage {
  /** Where the access units lie in the message's buffer, in decoding order. */
  readonly units: readonly VideoUnit[];
  /** Copies, since the message's buffer leaves with the video. */
  readonly frames: readonly AudioFrame[];
  readonly events: readonly StreamEvent[];
  readonly controls: readonly ControlEvent[];
  readonly packets: number;
  readonly fault: MessageRead['fault'];
}

/**
 * Total. Events are read out here, since the whole buffer, however many packets it holds, moves on to the video worker
 * in one transfer.
 */
export function routeMessage(buffer: ArrayBuffer): RoutedMessage {
  const { packets, fault } = readMessage(new Uint8Array(buffer));
  const units: VideoUnit[] = [];
  const frames: AudioFrame[] = [];
  const events: StreamEvent[] = [];
  const controls: ControlEvent[] = [];
  for (const packet of packets) {
    if (packet.kind === PacketKind.Video) units.push(toUnit(packet));
    if (packet.kind === PacketKind.Audio) frames.push(toFrame(packet));
    if (packet.kind !== PacketKind.Event) continue;
    const event = parseStreamEvent(packet.payload);
    const control = event === undefined ? parseControlEvent(packet.payload) : undefined;
    if (event !== undefined) events.push(event);
    if (control !== undefined) controls.push(control);
  }
  return { units, frames, events, controls, packets: packets.length, fault };
}

function toFrame({ payload, codec, discontinuity, mediaTimeUs }: StreamPacket): AudioFrame {
  return { codec, discontinuity, mediaTimeUs, bytes: payload.slice() };
}

function toUnit(packet: StreamPacket): VideoUnit {
  const { payload, codec, key, discontinuity, unseen, dependence, mediaTimeUs, deviceTimeMs } = packet;
  const { byteOffset, byteLength } = payload;
  return { byteOffset, byteLength, codec, key, discontinuity, unseen, dependence, mediaTimeUs, deviceTimeMs };
}
