import {
  PACKET_HEADER_BYTES,
  PacketFlag,
  type PacketHeader,
  PacketKind,
  setDiscontinuity,
  setUnseen,
  writePacket,
} from '../../shared/protocol/stream/streamPacket.ts';
import { type MediaUs, mediaUs, type WallMs, wallMs } from '../../shared/protocol/time.ts';
import { frameHeaderBytes, writeFrameHeader } from './webSocketFrame.ts';

/** A packet on its way through the gateway: encoded once where it enters, then only handed on. Nobody writes to it. */
export interface HubPacket {
  readonly isVideo: boolean;
  readonly isKey: boolean;
  /** Says what the sound behind it is: who comes later needs it too. */
  readonly isFormat?: true;
  /** The packet alone: what a segment file takes. A view into `frame`. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The packet as a whole WebSocket message, the same one for every viewer. */
  readonly frame: Uint8Array<ArrayBuffer>;
}

export function createHubPacket(header: PacketHeader, payload: Uint8Array): HubPacket {
  const packetBytes = PACKET_HEADER_BYTES + payload.byteLength;
  const start = frameHeaderBytes(packetBytes);
  const frame = new Uint8Array(start + packetBytes);
  const bytes = frame.subarray(start);
  writeFrameHeader(frame, packetBytes);
  writePacket(bytes, header, payload);
  const isVideo = header.kind === PacketKind.Video;
  return { isVideo, isKey: isVideo && header.key, bytes, frame };
}

/** A `format` event. */
export function createFormatPacket(header: PacketHeader, payload: Uint8Array): HubPacket {
  return { ...createHubPacket(header, payload), isFormat: true };
}

const FLAGS_OFFSET = 3;

/** The same packet with its discontinuity flag set, for the one viewer that missed what came before. */
export function withDiscontinuity(packet: HubPacket): HubPacket {
  const copy = copyOf(packet);
  setDiscontinuity(copy.bytes);
  return copy;
}

/** The same packet for a viewer that needs it only for what follows. */
export function withUnseen(packet: HubPacket): HubPacket {
  const copy = copyOf(packet);
  setUnseen(copy.bytes);
  return copy;
}

function copyOf(packet: HubPacket): HubPacket {
  const frame = packet.frame.slice();
  return { ...packet, frame, bytes: frame.subarray(frame.byteLength - packet.bytes.byteLength) };
}

const MEDIA_TIME_OFFSET = 8;
const DEVICE_TIME_OFFSET = 16;

export interface PacketTimes {
  readonly mediaTimeUs: MediaUs;
  readonly deviceTimeMs: WallMs;
}

export function timesOf({ bytes }: HubPacket): PacketTimes {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    mediaTimeUs: mediaUs(Number(view.getBigInt64(MEDIA_TIME_OFFSET))),
    deviceTimeMs: wallMs(Number(view.getBigInt64(DEVICE_TIME_OFFSET))),
  };
}

export function isDiscontinuous({ bytes }: HubPacket): boolean {
  return ((bytes[FLAGS_OFFSET] ?? 0) & PacketFlag.Discontinuity) !== 0;
}

/** Writes other times into a packet that nobody else has seen yet. */
export function restamp({ bytes }: HubPacket, { mediaTimeUs, deviceTimeMs }: PacketTimes): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  view.setBigInt64(MEDIA_TIME_OFFSET, BigInt(Math.round(mediaTimeUs)));
  view.setBigInt64(DEVICE_TIME_OFFSET, BigInt(Math.round(deviceTimeMs)));
}
