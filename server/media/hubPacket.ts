import {
  byteLengthOf,
  hasFlag,
  PACKET_HEADER_BYTES,
  PacketFlag,
  type PacketHeader,
  PacketKind,
  type PacketTimes,
  readTimes,
  setDeviceTime,
  setFlag,
  setMediaTime,
  writePacket,
} from '../../shared/protocol/stream/streamPacket.ts';
import { frameHeaderBytes, writeFrameHeader } from './webSocketFrame.ts';

/** A packet on its way through the gateway: encoded once where it enters, then passed on. Immutable. */
export interface HubPacket {
  readonly isVideo: boolean;
  readonly isKey: boolean;
  /** A format event, which later viewers need too. */
  readonly isFormat?: true | undefined;
  /** The packet alone: what a segment file takes. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The packet as a whole WebSocket message, the same one for every viewer. */
  readonly frame: Uint8Array<ArrayBuffer>;
}

/** What a packet is beside its bytes. */
type PacketFacts = Pick<HubPacket, 'isVideo' | 'isKey' | 'isFormat'>;

/**
 * Reserves room for the WebSocket header in front of the packet and writes it when the first viewer needs it; a recorder
 * never does.
 */
class EncodedPacket implements HubPacket {
  readonly isVideo: boolean;
  readonly isKey: boolean;
  readonly isFormat: true | undefined;
  readonly bytes: Uint8Array<ArrayBuffer>;
  #frame: Uint8Array<ArrayBuffer> | undefined;

  constructor({ isVideo, isKey, isFormat }: PacketFacts, packetBytes: number) {
    this.isVideo = isVideo;
    this.isKey = isKey;
    this.isFormat = isFormat;
    const start = frameHeaderBytes(packetBytes);
    this.bytes = new Uint8Array(new ArrayBuffer(start + packetBytes), start);
  }

  get frame(): Uint8Array<ArrayBuffer> {
    if (this.#frame === undefined) {
      this.#frame = new Uint8Array(this.bytes.buffer);
      writeFrameHeader(this.#frame, this.bytes.byteLength);
    }
    return this.#frame;
  }
}

/** `payload` in parts, which are copied once, into the packet. */
export function createHubPacket(header: PacketHeader, ...payload: readonly Uint8Array[]): HubPacket {
  const isVideo = header.kind === PacketKind.Video;
  return encode(header, payload, { isVideo, isKey: isVideo && header.key });
}

/** A `format` event. */
export function createFormatPacket(header: PacketHeader, payload: Uint8Array): HubPacket {
  return encode(header, [payload], { isVideo: false, isKey: false, isFormat: true });
}

function encode(header: PacketHeader, payload: readonly Uint8Array[], facts: PacketFacts): HubPacket {
  const packet = new EncodedPacket(facts, PACKET_HEADER_BYTES + byteLengthOf(payload));
  writePacket(packet.bytes, header, payload);
  return packet;
}

/** A copy with the discontinuity flag, for a viewer that missed what came before. */
export function withDiscontinuity(packet: HubPacket): HubPacket {
  return withFlag(packet, PacketFlag.Discontinuity);
}

/** A copy for a viewer that only needs the packet for decoding what follows. */
export function withUnseen(packet: HubPacket): HubPacket {
  return withFlag(packet, PacketFlag.Unseen);
}

function withFlag(packet: HubPacket, flag: PacketFlag): HubPacket {
  const copy = new EncodedPacket(packet, packet.bytes.byteLength);
  copy.bytes.set(packet.bytes);
  setFlag(copy.bytes, flag);
  return copy;
}

export function timesOf({ bytes }: HubPacket): PacketTimes {
  return readTimes(bytes);
}

export function isDiscontinuous({ bytes }: HubPacket): boolean {
  return hasFlag(bytes, PacketFlag.Discontinuity);
}

/** Whether gradual refresh begins with it. */
export function isRecovering({ bytes }: HubPacket): boolean {
  return hasFlag(bytes, PacketFlag.Recovering);
}

/** Writes other times into a packet that nobody else has seen yet. */
export function restamp({ bytes }: HubPacket, { mediaTimeUs, deviceTimeMs }: PacketTimes): void {
  setMediaTime(bytes, mediaTimeUs);
  setDeviceTime(bytes, deviceTimeMs);
}
