import { describe, expect, it } from 'vitest';
import {
  DataType,
  decodePacket,
  encodePacket,
  type MediaPacket,
  probePacket,
  SubPackage,
} from '../../../../../../server/device/jt1078/codec/packet.ts';
import { PayloadType } from '../../../../../../server/device/jt1078/codec/payloadTypes.ts';
import { hexOf, ofHex, sha1, type Vector, vectors } from '../../jt808/codec/vectors.ts';

const media = vectors.filter((vector) => vector.protocol === 'jt1078');
const DATA_TYPES = ['I', 'P', 'B', 'audio', 'passthrough'];
const SUB_PACKAGES = ['atomic', 'first', 'last', 'middle'];
/** The file's names of the codecs that occur in it. */
const CODEC_NAMES: Readonly<Record<string, string>> = { H264: 'H.264', G711A: 'G.711A', G726: 'G.726' };

const published = ({ fields }: Vector): readonly unknown[] =>
  Array.isArray(fields.packets) ? fields.packets : [fields];

function decodeAll(bytes: Uint8Array): { packet: MediaPacket; flags: number; size: number }[] {
  const packets = [];
  for (let rest = bytes; rest.length > 0; ) {
    const result = decodePacket(rest, 6);
    if (!result.ok) throw new Error(result.reason);
    packets.push({ packet: result.packet, flags: rest[4] ?? 0, size: result.size });
    rest = rest.subarray(result.size);
  }
  return packets;
}

const NAMES = new Map<number, string>(Object.entries(PayloadType).map(([name, value]) => [value, name]));

function fieldsOf({ packet, flags, size }: ReturnType<typeof decodeAll>[number]): Record<string, unknown> {
  const { dataType, subPackage, body, payloadType } = packet;
  const codec = NAMES.get(payloadType) ?? String(payloadType);
  return {
    v: flags >> 6,
    p: (flags >> 5) & 1,
    x: (flags >> 4) & 1,
    cc: flags & 0xf,
    m: Number(packet.marker),
    pt: payloadType,
    pt_name: CODEC_NAMES[codec] ?? codec,
    seq: packet.sequence,
    sim_bytes: packet.sim.length / 2,
    sim_bcd: packet.sim,
    channel: packet.channel,
    data_type: dataType,
    data_type_name: DATA_TYPES[dataType],
    subpackage: subPackage,
    subpackage_name: SUB_PACKAGES[subPackage],
    ...(packet.timestampMs !== undefined && { timestamp_ms: packet.timestampMs }),
    ...(packet.lastKeyIntervalMs !== undefined && { last_i_frame_interval_ms: packet.lastKeyIntervalMs }),
    ...(packet.lastFrameIntervalMs !== undefined && { last_frame_interval_ms: packet.lastFrameIntervalMs }),
    header_len: size - body.length,
    body_len: body.length,
    body_head_hex: hexOf(body.subarray(0, 16)),
    body_sha1: sha1(body),
  };
}

/** The file also names NAL units, which are no matter of this codec. */
function withoutNalUnits(fields: unknown): unknown {
  const { h264_nal_types_starting_here: _, ...rest } = fields as Record<string, unknown>;
  return rest;
}

describe('published media packets', () => {
  it('are all there', () => {
    expect(media).toHaveLength(16);
  });

  it.each(media.map((vector) => [vector.name, vector] as const))('%s: has the published values', (_, vector) => {
    expect(decodeAll(ofHex(vector.hex)).map(fieldsOf)).toEqual(published(vector).map(withoutNalUnits));
  });

  it.each(media.map((vector) => [vector.name, vector] as const))('%s: encodes back to the same bytes', (_, vector) => {
    const encoded = decodeAll(ofHex(vector.hex)).map(({ packet }) => hexOf(encodePacket(packet)));
    expect(encoded.join('')).toBe(vector.hex);
  });
});

describe('a media packet', () => {
  const packet: MediaPacket = {
    payloadType: 98,
    marker: true,
    sequence: 65_535,
    sim: '00000000013912345678',
    channel: 4,
    dataType: DataType.I,
    subPackage: SubPackage.Atomic,
    timestampMs: 1_700_000_000_123,
    lastKeyIntervalMs: 0xffff,
    lastFrameIntervalMs: 40,
    body: Uint8Array.of(0, 0, 0, 1, 0x65),
  };
  const audio: MediaPacket = {
    payloadType: 6,
    marker: false,
    sequence: 1,
    sim: packet.sim,
    channel: 4,
    dataType: DataType.Audio,
    subPackage: SubPackage.Atomic,
    timestampMs: 5,
    body: Uint8Array.of(1, 2),
  };

  it('survives a round trip with a SIM of ten bytes', () => {
    const bytes = encodePacket(packet);
    expect(bytes).toHaveLength(34 + 5);
    expect(decodePacket(bytes, 10)).toEqual({ ok: true, packet, size: bytes.length });
  });

  it('has a shorter header for audio, and the shortest for passthrough', () => {
    const passthrough: MediaPacket = { ...audio, dataType: DataType.Passthrough };
    expect(encodePacket(audio)).toHaveLength(30 + 2);
    expect(encodePacket({ ...audio, sim: '013912345678' })).toHaveLength(26 + 2);
    expect(encodePacket(passthrough)).toHaveLength(22 + 2);
    expect(encodePacket({ ...passthrough, sim: '013912345678' })).toHaveLength(18 + 2);
  });

  it('may be empty, and may exceed the 950 bytes of the standard', () => {
    for (const length of [0, 950, 951, 65_535]) {
      const long = { ...packet, body: new Uint8Array(length) };
      expect(decodePacket(encodePacket(long), 10)).toMatchObject({ ok: true, packet: long });
    }
    expect(() => encodePacket({ ...packet, body: new Uint8Array(65_536) })).toThrow(RangeError);
  });

  it('shares its body with what was decoded', () => {
    const bytes = encodePacket(audio);
    const result = decodePacket(bytes, 10);
    expect(result.ok && result.packet.body.buffer).toBe(bytes.buffer);
  });

  it('is not there before its last byte', () => {
    const bytes = encodePacket(packet);
    for (let length = 0; length < bytes.length; length++) {
      expect(decodePacket(bytes.subarray(0, length), 10)).toEqual({ ok: false, reason: 'short' });
    }
  });

  it('is refused without the magic number, or with a type that does not exist', () => {
    const bytes = encodePacket(packet);
    expect(decodePacket(Uint8Array.of(0x20, ...bytes.subarray(1)), 10)).toEqual({ ok: false, reason: 'magic' });
    for (const types of [0x50, 0xf0, 0x04, 0x0f]) {
      bytes[19] = types;
      expect(probePacket(bytes, 0, 10)).toEqual({ ok: false, reason: 'type' });
    }
  });

  it('is not built for a SIM of another width', () => {
    expect(() => encodePacket({ ...packet, sim: '0139123456' })).toThrow(RangeError);
  });
});
