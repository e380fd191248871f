// The media packet of JT/T 1078. Its SIM field has 6 bytes, or 10 from terminals of the 2019 edition; nothing in the
// packet says which, so the width is a parameter here and the splitter finds it out.
import { bytesOfDigits, digitsOf } from '../../jt808/codec/bcd.ts';
import { hasMagic, MAGIC, MAGIC_BYTES } from '../../jt808/codec/streamMagic.ts';

export const DataType = { I: 0, P: 1, B: 2, Audio: 3, Passthrough: 4 } as const;
export type DataType = (typeof DataType)[keyof typeof DataType];

export const SubPackage = { Atomic: 0, First: 1, Last: 2, Middle: 3 } as const;
export type SubPackage = (typeof SubPackage)[keyof typeof SubPackage];

export type SimBytes = 6 | 10;

export interface MediaPacket {
  readonly payloadType: number;
  /** Set on a frame's last packet by most terminals, not by all: `subPackage` decides. */
  readonly marker: boolean;
  readonly sequence: number;
  /** Raw hexadecimal digits, 12 or 20. */
  readonly sim: string;
  readonly channel: number;
  readonly dataType: DataType;
  readonly subPackage: SubPackage;
  /** Absent in passthrough. Epoch milliseconds, or from 0, or never moving: as the terminal likes. */
  readonly timestampMs?: number;
  /** Video only; 0xFFFF says nothing. */
  readonly lastKeyIntervalMs?: number;
  /** Video only; 0xFFFF says nothing. */
  readonly lastFrameIntervalMs?: number;
  /** A view into what was decoded. */
  readonly body: Uint8Array;
}

export type PacketResult =
  | { readonly ok: true; readonly packet: MediaPacket; readonly size: number }
  | { readonly ok: false; readonly reason: 'short' | 'magic' | 'type' };

export const MAX_BODY_BYTES = 0xffff;
/** Version 2, no padding, no extension, one source. */
const FIRST_FLAGS = 0x81;
const SIM_AT = 8;

export type HeaderProbe =
  | { readonly ok: true; readonly headerBytes: number; readonly bodyBytes: number }
  | { readonly ok: false; readonly reason: 'short' | 'type' };

/** How long the packet at `at` would be with a SIM of that width. The magic number is not looked at. */
export function probePacket(bytes: Uint8Array, at: number, simBytes: SimBytes): HeaderProbe {
  const types = bytes[at + SIM_AT + simBytes + 1];
  if (types === undefined) return { ok: false, reason: 'short' };
  const dataType = types >> 4;
  if (dataType > DataType.Passthrough || (types & 0xf) > SubPackage.Middle) return { ok: false, reason: 'type' };
  const headerBytes = headerBytesOf(dataType, simBytes);
  const high = bytes[at + headerBytes - 2];
  const low = bytes[at + headerBytes - 1];
  if (high === undefined || low === undefined) return { ok: false, reason: 'short' };
  return { ok: true, headerBytes, bodyBytes: (high << 8) | low };
}

/** Decodes the packet at the start of `bytes`; what follows it is left alone. */
export function decodePacket(bytes: Uint8Array, simBytes: SimBytes): PacketResult {
  if (bytes.length < MAGIC_BYTES) return { ok: false, reason: 'short' };
  if (!hasMagic(bytes, 0)) return { ok: false, reason: 'magic' };
  const probe = probePacket(bytes, 0, simBytes);
  if (!probe.ok) return probe;
  const size = probe.headerBytes + probe.bodyBytes;
  if (bytes.length < size) return { ok: false, reason: 'short' };

  const view = new DataView(bytes.buffer, bytes.byteOffset, size);
  const channelAt = SIM_AT + simBytes;
  const types = view.getUint8(channelAt + 1);
  const dataType = (types >> 4) as DataType; // the probe has bounded both nibbles
  const markerAndType = view.getUint8(5);
  const packet: MediaPacket = {
    payloadType: markerAndType & 0x7f,
    marker: markerAndType > 0x7f,
    sequence: view.getUint16(6),
    sim: digitsOf(bytes.subarray(SIM_AT, channelAt)),
    channel: view.getUint8(channelAt),
    dataType,
    subPackage: (types & 0xf) as SubPackage,
    ...timesOf(view, channelAt + 2, dataType),
    body: bytes.subarray(probe.headerBytes, size),
  };
  return { ok: true, packet, size };
}

type PacketTimes = Pick<MediaPacket, 'timestampMs' | 'lastKeyIntervalMs' | 'lastFrameIntervalMs'>;

function timesOf(view: DataView, at: number, dataType: DataType): PacketTimes {
  if (dataType === DataType.Passthrough) return {};
  // Beyond 2^53 the time is nonsense whatever its last digits are.
  const timestampMs = view.getUint32(at) * 2 ** 32 + view.getUint32(at + 4);
  if (dataType === DataType.Audio) return { timestampMs };
  return { timestampMs, lastKeyIntervalMs: view.getUint16(at + 8), lastFrameIntervalMs: view.getUint16(at + 10) };
}

/** The packet for the wire; its SIM has as many bytes as `sim` has pairs of digits. */
export function encodePacket(packet: MediaPacket): Uint8Array {
  const sim = bytesOfDigits(packet.sim);
  if (sim.length !== 6 && sim.length !== 10) throw new RangeError(`SIM of ${sim.length} bytes`);
  if (packet.body.length > MAX_BODY_BYTES) throw new RangeError(`body of ${packet.body.length} bytes`);
  const headerBytes = headerBytesOf(packet.dataType, sim.length);
  const bytes = new Uint8Array(headerBytes + packet.body.length);
  const view = new DataView(bytes.buffer);
  const channelAt = SIM_AT + sim.length;
  view.setUint32(0, MAGIC);
  view.setUint8(4, FIRST_FLAGS);
  view.setUint8(5, (packet.marker ? 0x80 : 0) | packet.payloadType);
  view.setUint16(6, packet.sequence);
  bytes.set(sim, SIM_AT);
  view.setUint8(channelAt, packet.channel);
  view.setUint8(channelAt + 1, (packet.dataType << 4) | packet.subPackage);
  setTimes(view, channelAt + 2, packet);
  view.setUint16(headerBytes - 2, packet.body.length);
  bytes.set(packet.body, headerBytes);
  return bytes;
}

function setTimes(view: DataView, at: number, packet: MediaPacket): void {
  if (packet.dataType === DataType.Passthrough) return;
  const timestampMs = packet.timestampMs ?? 0;
  view.setUint32(at, Math.floor(timestampMs / 2 ** 32));
  view.setUint32(at + 4, timestampMs % 2 ** 32);
  if (packet.dataType === DataType.Audio) return;
  view.setUint16(at + 8, packet.lastKeyIntervalMs ?? 0);
  view.setUint16(at + 10, packet.lastFrameIntervalMs ?? 0);
}

/** Passthrough has no times, audio no intervals between frames. */
function headerBytesOf(dataType: number, simBytes: SimBytes): number {
  const common = SIM_AT + simBytes + 4;
  if (dataType === DataType.Passthrough) return common;
  return dataType === DataType.Audio ? common + 8 : common + 12;
}
