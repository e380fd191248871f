import { createHubPacket, type HubPacket } from '../../../server/media/hubPacket.ts';
import { Codec, PacketKind } from '../../../shared/protocol/stream/streamPacket.ts';
import { mediaUs, wallMs } from '../../../shared/protocol/time.ts';
import { FRAME_MS, GROUP_FRAMES, PAYLOAD_BYTES } from './messages.ts';

const payload = new Uint8Array(PAYLOAD_BYTES).fill(0x5a);
payload.set([0, 0, 0, 1, 0x65]);

/** A camera's picture, made anew as the device side makes it. The first of each channel is a key frame. */
export function benchPacket(frame: number, channel: number, dueMs: number): HubPacket {
  const key = frame === 0 || (frame + channel) % GROUP_FRAMES === 0;
  const header = { kind: PacketKind.Video, codec: Codec.H264, key, discontinuity: false };
  const times = { mediaTimeUs: mediaUs(frame * FRAME_MS * 1_000), deviceTimeMs: wallMs(Math.round(dueMs)) };
  return createHubPacket({ ...header, ...times }, payload);
}
