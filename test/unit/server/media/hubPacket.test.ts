import { describe, expect, it } from 'vitest';
import { createHubPacket, restamp, timesOf, withDiscontinuity } from '../../../../server/media/hubPacket.ts';
import { Codec, PacketKind, readPacket } from '../../../../shared/protocol/stream/streamPacket.ts';
import { mediaUs, wallMs } from '../../../../shared/protocol/time.ts';

const HEADER = {
  kind: PacketKind.Video,
  codec: Codec.H264,
  key: true,
  discontinuity: false,
  mediaTimeUs: mediaUs(40_000),
  deviceTimeMs: wallMs(1_700_000_000_000),
};
/** RFC 6455: a whole binary message, its length in the second byte, or in the two behind it. */
const FINAL_BINARY = 0x82;
const PACKET_HEADER = 24;

describe('a packet on its way through the gateway', () => {
  it('is put together from the parts of its payload', () => {
    const { bytes, isKey } = createHubPacket(HEADER, Uint8Array.of(1, 2), new Uint8Array(), Uint8Array.of(3));
    const read = readPacket(bytes);
    expect(read.kind === 'packet' && [...read.packet.payload]).toEqual([1, 2, 3]);
    expect(isKey).toBe(true);
  });

  it.each([
    [1, [FINAL_BINARY, PACKET_HEADER + 1]],
    [200, [FINAL_BINARY, 126, 0, PACKET_HEADER + 200]],
  ])('of %i bytes becomes a message only when a viewer asks for one', (payloadBytes, frameHeader) => {
    const packet = createHubPacket(HEADER, new Uint8Array(payloadBytes).fill(7));
    const room = new Uint8Array(packet.bytes.buffer, 0, packet.bytes.byteOffset);
    expect([...room]).toEqual(frameHeader.map(() => 0));
    const { frame } = packet;
    expect([...frame.subarray(0, frameHeader.length)]).toEqual(frameHeader);
    expect(frame.subarray(frameHeader.length)).toEqual(packet.bytes);
    expect(packet.frame).toBe(frame);
  });

  it('is copied for the one viewer that missed what came before', () => {
    const packet = createHubPacket(HEADER, Uint8Array.of(9));
    const marked = readPacket(withDiscontinuity(packet).bytes);
    expect(marked.kind === 'packet' && marked.packet).toMatchObject({ discontinuity: true, key: true });
    const own = readPacket(packet.bytes);
    expect(own.kind === 'packet' && own.packet.discontinuity).toBe(false);
  });

  it('takes other times in whole units', () => {
    const packet = createHubPacket(HEADER, Uint8Array.of(9));
    restamp(packet, { mediaTimeUs: mediaUs(-3_000_000.4), deviceTimeMs: wallMs(12.6) });
    expect(timesOf(packet)).toEqual({ mediaTimeUs: -3_000_000, deviceTimeMs: 13 });
  });
});
