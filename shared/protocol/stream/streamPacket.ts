// The stream packet, version 1: the one format between the device's edge, the disk and the screen.
// Layout and rules: docs/stream-format.md.
import type { MediaUs, WallMs } from '../time.ts';

export const STREAM_VERSION = 1;
export const PACKET_HEADER_BYTES = 24;
const Offset = { Version: 0, Kind: 1, Codec: 2, Flags: 3, PayloadBytes: 4, MediaTime: 8, DeviceTime: 16 } as const;
/** A length above this is damage, not a picture: 4 MiB is far past any key frame a terminal can send. */
export const MAX_PAYLOAD_BYTES = 4 * 1024 * 1024;

export const PacketKind = { Video: 1, Audio: 2, Event: 3 } as const;
export type PacketKind = (typeof PacketKind)[keyof typeof PacketKind];

export const Codec = {
  None: 0,
  H264: 1,
  H265: 2,
  Av1: 3,
  Pcm16: 33,
  G711A: 34,
  G711U: 35,
  Aac: 36,
  Opus: 37,
  ImaAdpcm: 38,
  G726: 39,
} as const;
export type Codec = (typeof Codec)[keyof typeof Codec];

/**
 * Discontinuity: something before the packet is missing, or the clock jumped. Unseen: only what follows needs its picture. Entry,
 * Leading and Recovering: see Dependence. Recovering comes with Entry: a reader that doesn't know it finds that decoding can't begin
 * there, and waits for the next key frame.
 */
export const PacketFlag = { Key: 1, Discontinuity: 2, Unseen: 4, Entry: 8, Leading: 16, Recovering: 32 } as const;
export type PacketFlag = (typeof PacketFlag)[keyof typeof PacketFlag];

/**
 * How a picture depends on what came before its group. Entry: a key frame that is no clean cut, such as an I picture that is no IDR.
 * It needs nothing from before it, but leading pictures behind it do. Recovering: a key frame from which gradual refresh begins. It refers
 * to pictures before it; a decoder that lacks them can begin there, and its pictures are right once as many frames have followed as the
 * key frame's recovery point message says. Leading: it is shown before its group's key frame and refers to the group before; nothing
 * behind it needs it. A decoder that did not get the group before can't decode it.
 */
export type Dependence = 'entry' | 'recovering' | 'leading';

const DEPENDENCE_FLAGS: Readonly<Record<Dependence, number>> = {
  entry: PacketFlag.Entry,
  recovering: PacketFlag.Entry | PacketFlag.Recovering,
  leading: PacketFlag.Leading,
};

export interface PacketHeader {
  /** A value of PacketKind; a reader skips the kinds that it does not know. */
  readonly kind: number;
  /** A value of Codec; 0 for events. */
  readonly codec: number;
  readonly key: boolean;
  /** Something before this packet is missing, or the clock jumped. */
  readonly discontinuity: boolean;
  /** Left out: the picture depends on nothing from before its group. */
  readonly dependence?: Dependence | undefined;
  /** Presentation time. Packets come in decoding order. */
  readonly mediaTimeUs: MediaUs;
  /** The device's own clock; 0 when unknown. */
  readonly deviceTimeMs: WallMs;
}

export interface StreamPacket extends PacketHeader {
  /** Only what follows needs it: its picture is not to be shown. */
  readonly unseen: boolean;
  /** A view into the buffer that was read, never a copy. */
  readonly payload: Uint8Array<ArrayBuffer>;
}

/** A header and its payload as one new buffer, ready for a socket or a file. */
export function encodePacket(header: PacketHeader, payload: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(PACKET_HEADER_BYTES + payload.byteLength);
  writePacket(bytes, header, [payload]);
  return bytes;
}

/** Writes header and payload, which is given in parts, to the start of `target`, which has room for exactly them. */
export function writePacket(target: Uint8Array, header: PacketHeader, payload: readonly Uint8Array[]): void {
  const payloadBytes = byteLengthOf(payload);
  if (payloadBytes > MAX_PAYLOAD_BYTES) throw new RangeError(`payload of ${payloadBytes} bytes`);
  const view = viewOf(target);
  view.setUint8(Offset.Version, STREAM_VERSION);
  view.setUint8(Offset.Kind, header.kind);
  view.setUint8(Offset.Codec, header.codec);
  view.setUint8(
    Offset.Flags,
    (header.key ? PacketFlag.Key : 0) |
      (header.discontinuity ? PacketFlag.Discontinuity : 0) |
      (header.dependence === undefined ? 0 : DEPENDENCE_FLAGS[header.dependence]),
  );
  view.setUint32(Offset.PayloadBytes, payloadBytes);
  setInt64(view, Offset.MediaTime, header.mediaTimeUs);
  setInt64(view, Offset.DeviceTime, header.deviceTimeMs);
  let offset = PACKET_HEADER_BYTES;
  for (const part of payload) {
    target.set(part, offset);
    offset += part.byteLength;
  }
}

export function byteLengthOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((total, part) => total + part.byteLength, 0);
}

export type PacketTimes = Pick<PacketHeader, 'mediaTimeUs' | 'deviceTimeMs'>;

/** The times of an encoded packet. */
export function readTimes(bytes: Uint8Array): PacketTimes {
  const view = viewOf(bytes);
  return {
    mediaTimeUs: getInt64(view, Offset.MediaTime) as MediaUs,
    deviceTimeMs: getInt64(view, Offset.DeviceTime) as WallMs,
  };
}

/** Puts another media time into an encoded packet. */
export function setMediaTime(bytes: Uint8Array, mediaTimeUs: MediaUs): void {
  setInt64(viewOf(bytes), Offset.MediaTime, Math.round(mediaTimeUs));
}

/** Puts another time of the device into an encoded packet. */
export function setDeviceTime(bytes: Uint8Array, deviceTimeMs: WallMs): void {
  setInt64(viewOf(bytes), Offset.DeviceTime, Math.round(deviceTimeMs));
}

/** Marks an encoded packet. */
export function setFlag(bytes: Uint8Array, flag: PacketFlag): void {
  bytes[Offset.Flags] = (bytes[Offset.Flags] ?? 0) | flag;
}

/** Whether an encoded packet bears the mark. */
export function hasFlag(bytes: Uint8Array, flag: PacketFlag): boolean {
  return ((bytes[Offset.Flags] ?? 0) & flag) !== 0;
}

export type PacketRead =
  | { readonly kind: 'packet'; readonly packet: StreamPacket; readonly nextOffset: number }
  /** The bytes end inside a packet: a reader of files waits for more, a reader of messages has a broken message. */
  | { readonly kind: 'short' }
  | { readonly kind: 'bad'; readonly reason: 'version' | 'length'; readonly value: number };

/** Reads the packet that begins at `offset`. Total: any bytes give one of the three results. */
export function readPacket(bytes: Uint8Array<ArrayBuffer>, offset = 0): PacketRead {
  if (offset >= bytes.byteLength) return { kind: 'short' };
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset, bytes.byteLength - offset);
  const version = view.getUint8(Offset.Version);
  if (version !== STREAM_VERSION) return { kind: 'bad', reason: 'version', value: version };
  if (view.byteLength < PACKET_HEADER_BYTES) return { kind: 'short' };
  const length = view.getUint32(Offset.PayloadBytes);
  if (length > MAX_PAYLOAD_BYTES) return { kind: 'bad', reason: 'length', value: length };
  if (view.byteLength < PACKET_HEADER_BYTES + length) return { kind: 'short' };
  const start = offset + PACKET_HEADER_BYTES;
  const flags = view.getUint8(Offset.Flags);
  const packet: StreamPacket = {
    kind: view.getUint8(Offset.Kind),
    codec: view.getUint8(Offset.Codec),
    key: (flags & PacketFlag.Key) !== 0,
    discontinuity: (flags & PacketFlag.Discontinuity) !== 0,
    unseen: (flags & PacketFlag.Unseen) !== 0,
    dependence: dependenceIn(flags),
    mediaTimeUs: getInt64(view, Offset.MediaTime) as MediaUs,
    deviceTimeMs: getInt64(view, Offset.DeviceTime) as WallMs,
    payload: bytes.subarray(start, start + length),
  };
  return { kind: 'packet', packet, nextOffset: start + length };
}

function dependenceIn(flags: number): Dependence | undefined {
  if ((flags & PacketFlag.Leading) !== 0) return 'leading';
  if ((flags & PacketFlag.Recovering) !== 0) return 'recovering';
  return (flags & PacketFlag.Entry) === 0 ? undefined : 'entry';
}

export interface MessageRead {
  readonly packets: readonly StreamPacket[];
  /** Why the message's tail was dropped; undefined when all of it was read. */
  readonly fault?: 'version' | 'length' | 'short';
}

/** Splits one WebSocket message into its packets. What stands before a fault is kept. */
export function readMessage(bytes: Uint8Array<ArrayBuffer>): MessageRead {
  const packets: StreamPacket[] = [];
  let offset = 0;
  while (offset < bytes.byteLength) {
    const read = readPacket(bytes, offset);
    if (read.kind === 'short') return { packets, fault: 'short' };
    if (read.kind === 'bad') return { packets, fault: read.reason };
    packets.push(read.packet);
    offset = read.nextOffset;
  }
  return { packets };
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

// Two 32-bit halves instead of BigInt: this runs for every frame, and 2^53 microseconds are 285 years.
function setInt64(view: DataView, offset: number, value: number): void {
  const high = Math.floor(value / 2 ** 32);
  view.setInt32(offset, high);
  view.setUint32(offset + 4, value - high * 2 ** 32);
}

function getInt64(view: DataView, offset: number): number {
  return view.getInt32(offset) * 2 ** 32 + view.getUint32(offset + 4);
}
