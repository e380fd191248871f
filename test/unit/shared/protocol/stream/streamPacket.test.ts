import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  encodePacket,
  MAX_PAYLOAD_BYTES,
  PACKET_HEADER_BYTES,
  PacketFlag,
  type PacketHeader,
  readMessage,
  readPacket,
  type StreamPacket,
  setFlag,
} from '../../../../../shared/protocol/stream/streamPacket.ts';
import { mediaUs, wallMs } from '../../../../../shared/protocol/time.ts';

const HEADER: PacketHeader = {
  kind: 1,
  codec: 1,
  key: true,
  discontinuity: false,
  mediaTimeUs: mediaUs(1_234_567_890_123),
  deviceTimeMs: wallMs(1_795_183_385_040),
};

describe('stream packet', () => {
  it('has the documented layout', () => {
    const bytes = encodePacket({ ...HEADER, discontinuity: true }, Uint8Array.from([0xaa, 0xbb]));
    const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
    expect(hex).toBe(`01010103${'00000002'}${'0000011f71fb04cb'}${'000001a1f94499d0'}aabb`);
  });

  it('reads back what was written', () => {
    const header = fc.record({
      kind: fc.constantFrom(1, 2, 3),
      codec: fc.integer({ min: 0, max: 255 }),
      key: fc.boolean(),
      discontinuity: fc.boolean(),
      unseen: fc.boolean(),
      mediaTimeUs: fc.integer({ min: -(2 ** 52), max: 2 ** 52 }).map(mediaUs),
      deviceTimeMs: fc.integer({ min: 0, max: 2 ** 45 }).map(wallMs),
    });
    const encode = (each: Omit<StreamPacket, 'payload'>, payload: Uint8Array) => {
      const bytes = encodePacket(each, payload);
      if (each.unseen) setFlag(bytes, PacketFlag.Unseen);
      return bytes;
    };
    fc.assert(
      fc.property(fc.array(fc.tuple(header, fc.uint8Array({ maxLength: 64 })), { maxLength: 5 }), (packets) => {
        const parts = packets.map(([each, payload]) => encode(each, payload));
        const read = readMessage(Uint8Array.from(parts.flatMap((part) => [...part])));
        expect(read.fault).toBeUndefined();
        expect(read.packets.map(({ payload, ...rest }) => [rest, [...payload]])).toEqual(
          packets.map(([each, payload]) => [each, [...payload]]),
        );
      }),
    );
  });

  it.each([
    ['entry', 8],
    ['recovering', 8 | 32],
    ['leading', 16],
  ] as const)('says of a picture that it is %s', (dependence, flags) => {
    const bytes = encodePacket({ ...HEADER, dependence }, new Uint8Array());
    expect(bytes[3]).toBe(1 | flags);
    expect(readPacket(bytes)).toMatchObject({ packet: { key: true, dependence } });
  });

  it('keeps what stands before a fault', () => {
    const whole = encodePacket(HEADER, new Uint8Array(3));
    const read = readMessage(Uint8Array.from([...whole, ...whole.subarray(0, PACKET_HEADER_BYTES + 1)]));
    expect(read.packets).toHaveLength(1);
    expect(read.fault).toBe('short');
  });

  it('names an unknown version even when little of it is there', () => {
    expect(readPacket(Uint8Array.from([2]))).toEqual({ kind: 'bad', reason: 'version', value: 2 });
  });

  it('believes no length past its bound', () => {
    const bytes = encodePacket(HEADER, new Uint8Array(0));
    new DataView(bytes.buffer).setUint32(4, MAX_PAYLOAD_BYTES + 1);
    expect(readPacket(bytes)).toEqual({ kind: 'bad', reason: 'length', value: MAX_PAYLOAD_BYTES + 1 });
    expect(() => encodePacket(HEADER, new Uint8Array(MAX_PAYLOAD_BYTES + 1))).toThrow(RangeError);
  });

  it('gives a result for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        const read = readMessage(Uint8Array.from(bytes));
        expect(read.packets.length).toBeLessThanOrEqual(Math.floor(bytes.length / PACKET_HEADER_BYTES));
      }),
    );
  });
});
