import { createFormatPacket, createHubPacket, type HubPacket } from '../../../../server/media/hubPacket.ts';
import { encodeStreamEvent } from '../../../../shared/protocol/stream/streamMessages.ts';
import { Codec, PacketKind } from '../../../../shared/protocol/stream/streamPacket.ts';
import { mediaUs, wallMs } from '../../../../shared/protocol/time.ts';

/** A packet of a kind, its payload zeros. */
export function packetOf(kind: 'key' | 'delta' | 'audio', payloadBytes = 10): HubPacket {
  const isAudio = kind === 'audio';
  const header = {
    kind: isAudio ? PacketKind.Audio : PacketKind.Video,
    codec: isAudio ? Codec.G711A : Codec.H264,
    key: kind === 'key',
    discontinuity: false,
    mediaTimeUs: mediaUs(0),
    deviceTimeMs: wallMs(0),
  };
  return createHubPacket(header, new Uint8Array(payloadBytes));
}

export function formatPacket(): HubPacket {
  const event = encodeStreamEvent({ type: 'format', codec: Codec.G711A, sampleRate: 8_000, channels: 1 });
  const flags = { key: false, discontinuity: false, mediaTimeUs: mediaUs(0), deviceTimeMs: wallMs(0) };
  return createFormatPacket({ kind: PacketKind.Event, codec: Codec.None, ...flags }, event);
}
