import { Codec, encodePacket, PacketKind } from '../../../shared/protocol/stream/streamPacket.ts';
import { mediaUs, wallMs } from '../../../shared/protocol/time.ts';

export interface TestPacket {
  readonly kind?: number;
  readonly payload: readonly number[] | Uint8Array;
  readonly key?: boolean;
  readonly mediaTimeUs?: number;
}

export function packet({ kind = PacketKind.Video, payload, key = false, mediaTimeUs = 0 }: TestPacket): Uint8Array {
  const header = {
    kind,
    codec: kind === PacketKind.Video ? Codec.H264 : Codec.None,
    key,
    discontinuity: false,
    mediaTimeUs: mediaUs(mediaTimeUs),
    deviceTimeMs: wallMs(1_700_000_000_000),
  };
  return encodePacket(header, Uint8Array.from(payload));
}

/** Packets as one WebSocket message gives them: one buffer of exactly their bytes. */
export function message(...packets: readonly Uint8Array[]): ArrayBuffer {
  return Uint8Array.from(packets.flatMap((bytes) => [...bytes])).buffer;
}
