import { encodePacket, PacketFlag, type PacketHeader, PacketKind } from '../../shared/protocol/streamPacket.ts';

/** A packet on its way through the gateway: encoded once where it enters, then only handed on. Nobody writes to `bytes`. */
export interface HubPacket {
  readonly isVideo: boolean;
  readonly isKey: boolean;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export function createHubPacket(header: PacketHeader, payload: Uint8Array): HubPacket {
  const isVideo = header.kind === PacketKind.Video;
  return { isVideo, isKey: isVideo && header.key, bytes: encodePacket(header, payload) };
}

const FLAGS_OFFSET = 3;

/** The same packet with its discontinuity flag set, for the one viewer that missed what came before. */
export function withDiscontinuity(packet: HubPacket): HubPacket {
  const bytes = packet.bytes.slice();
  bytes[FLAGS_OFFSET] = (bytes[FLAGS_OFFSET] ?? 0) | PacketFlag.Discontinuity;
  return { ...packet, bytes };
}
