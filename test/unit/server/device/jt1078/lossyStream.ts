// A camera with sound as a terminal sends it, packet by packet, and what a bad line leaves of it.

import { FrameAssembler } from '../../../../../server/device/jt1078/codec/assembler.ts';
import { DataType, type MediaPacket, SubPackage } from '../../../../../server/device/jt1078/codec/packet.ts';
import { PayloadType } from '../../../../../server/device/jt1078/codec/payloadTypes.ts';
import { Packetiser } from '../../../../../server/device/jt1078/packetiser.ts';
import { joinNalUnits } from '../../../../../server/media/h264/annexB.ts';
import { Codec, PacketKind, readPacket } from '../../../../../shared/protocol/stream/streamPacket.ts';

export interface StreamShape {
  readonly pictures: number;
  readonly groupPictures: number;
  /** The packets that share a count. */
  readonly counting: 'connection' | 'channel' | 'track';
  readonly channels: readonly number[];
  /** Sound comes between the packets of a picture, not only between pictures. */
  readonly isMixed: boolean;
  readonly firstSequence?: number;
}

/** A packet and the picture that it is a part of; undefined for sound. */
export interface SentPacket {
  readonly packet: MediaPacket;
  readonly picture: number | undefined;
}

export type Random = () => number;

export const PICTURE_MS = 40;
const BODY_BYTES = 950;
const START_MS = Date.UTC(2026, 10, 21, 12);
const SPS = Uint8Array.of(0x67, 0x4d, 0x40, 0x1e, 0x9a);
/** No byte is zero, and no two packets of a picture are alike. */
const FILLING_PERIOD = 251;
const FILLING = Uint8Array.from({ length: 20_000 }, (_, at) => 1 + ((at * 7) % FILLING_PERIOD));
const PPS = Uint8Array.of(0x68, 0xee, 0x3c, 0x80);

/** The same numbers for the same seed, from 0 to below 1. */
export function createRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A picture's slice: its number, and filling that depends on it. */
function slice(number: number, isKey: boolean, bytes: number): Uint8Array {
  const from = number % FILLING_PERIOD;
  const made = FILLING.slice(from, from + Math.max(bytes, 8));
  made[0] = isKey ? 0x65 : 0x41;
  made[1] = 0x88; // first_mb_in_slice 0, slice_type 7
  new DataView(made.buffer).setUint32(2, number | 0x8040_0000); // pic_parameter_set_id 0
  return made;
}

function accessUnit(number: number, isKey: boolean, bytes: number): Uint8Array {
  const units = isKey ? [SPS, PPS, slice(number, true, bytes)] : [slice(number, false, bytes)];
  return joinNalUnits(units.map((each) => ({ type: 0, bytes: each })));
}

export function createStream(shape: StreamShape, random: Random): SentPacket[] {
  const unnumbered: SentPacket[] = [];
  for (let number = 0; number < shape.pictures; number++) {
    for (const channel of shape.channels) {
      const video = picturePackets(number, channel, { shape, random });
      const sound = { packet: soundPacket(number, channel), picture: undefined };
      const at = shape.isMixed ? Math.floor(random() * (video.length + 1)) : video.length;
      unnumbered.push(...video.slice(0, at), sound, ...video.slice(at));
    }
  }
  return numbered(unnumbered, shape);
}

function numbered(sent: readonly SentPacket[], { counting, firstSequence = 0 }: StreamShape): SentPacket[] {
  const counts = new Map<string, number>();
  return sent.map(({ packet, picture }) => {
    const track = `${packet.channel}/${packet.dataType === DataType.Audio}`;
    const key = counting === 'connection' ? '' : counting === 'channel' ? `${packet.channel}` : track;
    const sequence = counts.get(key) ?? firstSequence;
    counts.set(key, (sequence + 1) & 0xffff);
    return { packet: { ...packet, sequence }, picture };
  });
}

function picturePackets(
  number: number,
  channel: number,
  { shape, random }: { readonly shape: StreamShape; readonly random: Random },
): SentPacket[] {
  const isKey = number % shape.groupPictures === 0;
  const bytes = accessUnit(number, isKey, isKey ? 8_000 + random() * 8_000 : 200 + random() * 3_000);
  const count = Math.ceil(bytes.length / BODY_BYTES);
  return Array.from({ length: count }, (_, index) => ({
    picture: number,
    packet: {
      payloadType: PayloadType.H264,
      marker: index === count - 1,
      sequence: 0,
      sim: '013800000001',
      channel,
      dataType: isKey ? DataType.I : DataType.P,
      subPackage: subPackageOf(index, count),
      timestampMs: START_MS + number * PICTURE_MS,
      lastKeyIntervalMs: (number % shape.groupPictures) * PICTURE_MS,
      lastFrameIntervalMs: number === 0 ? 0 : PICTURE_MS,
      body: bytes.subarray(index * BODY_BYTES, (index + 1) * BODY_BYTES),
    },
  }));
}

function subPackageOf(index: number, count: number): SubPackage {
  if (count === 1) return SubPackage.Atomic;
  if (index === 0) return SubPackage.First;
  return index === count - 1 ? SubPackage.Last : SubPackage.Middle;
}

function soundPacket(number: number, channel: number): MediaPacket {
  return {
    payloadType: PayloadType.G711A,
    marker: true,
    sequence: 0,
    sim: '013800000001',
    channel,
    dataType: DataType.Audio,
    subPackage: SubPackage.Atomic,
    timestampMs: START_MS + number * PICTURE_MS,
    body: new Uint8Array(320).fill(0xd5),
  };
}

/** The pictures of a channel that are whole, and whose group is whole up to them. */
export function intactPictures(
  sent: readonly SentPacket[],
  arrived: ReadonlySet<SentPacket>,
  channel: number,
): number[] {
  const pictures = new Map<number, { isKey: boolean; isWhole: boolean }>();
  for (const each of sent) {
    if (each.picture === undefined || each.packet.channel !== channel) continue;
    const known = pictures.get(each.picture) ?? { isKey: each.packet.dataType === DataType.I, isWhole: true };
    known.isWhole &&= arrived.has(each);
    pictures.set(each.picture, known);
  }
  let isBroken = false;
  return [...pictures].flatMap(([number, { isKey, isWhole }]) => {
    isBroken = (isBroken && !isKey) || !isWhole;
    return isBroken ? [] : [number];
  });
}

export interface ShownPicture {
  readonly number: number;
  readonly isKey: boolean;
  readonly isFlagged: boolean;
  readonly isDamaged: boolean;
  readonly mediaMs: number;
}

/** Takes packets through the gateway, and gives the pictures of the channel that come out. */
export function receive(
  packets: readonly MediaPacket[],
  bytesOf: Map<number, Uint8Array>,
  channel: number,
): ShownPicture[] {
  const assembler = new FrameAssembler();
  const packetiser = new Packetiser();
  const shown: ShownPicture[] = [];
  for (const packet of packets) {
    for (const event of assembler.push(packet)) {
      if (event.kind !== 'frame' || event.channel !== channel) continue;
      for (const { bytes } of packetiser.push(event, event.timestampMs - START_MS)) {
        const read = readPacket(bytes);
        if (read.kind !== 'packet' || read.packet.kind !== PacketKind.Video || read.packet.codec !== Codec.H264)
          continue;
        const { payload, key, discontinuity, mediaTimeUs } = read.packet;
        const number = numberIn(payload);
        const sentBytes = bytesOf.get(number);
        const isDamaged = sentBytes === undefined || !endsAlike(payload, sentBytes);
        shown.push({ number, isKey: key, isFlagged: discontinuity, isDamaged, mediaMs: mediaTimeUs / 1000 });
      }
    }
  }
  return shown;
}

/** The whole access units as they were sent, by picture. */
export function sentPictures(sent: readonly SentPacket[], channel: number): Map<number, Uint8Array> {
  const parts = new Map<number, Uint8Array[]>();
  for (const { packet, picture } of sent) {
    if (picture !== undefined && packet.channel === channel)
      parts.set(picture, [...(parts.get(picture) ?? []), packet.body]);
  }
  return new Map([...parts].map(([number, each]) => [number, Uint8Array.from(Buffer.concat(each))]));
}

function numberIn(payload: Uint8Array): number {
  for (let at = 0; at + 10 < payload.length; at++) {
    const isStart = payload[at] === 0 && payload[at + 1] === 0 && payload[at + 2] === 1;
    const type = payload[at + 3];
    if (!isStart || (type !== 0x65 && type !== 0x41)) continue;
    return new DataView(payload.buffer, payload.byteOffset).getUint32(at + 5) & 0xffff;
  }
  return -1;
}

/** Parameter sets are rewritten; the slice behind them is not. */
function endsAlike(payload: Uint8Array, sent: Uint8Array): boolean {
  const bytes = Math.min(payload.length, sent.length) - 24;
  return Math.abs(payload.length - sent.length) < 24 && Buffer.from(payload.slice(-bytes)).equals(sent.slice(-bytes));
}
