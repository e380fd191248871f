import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeStreamEvent } from '../../../../shared/protocol/stream/streamMessages.ts';
import { PacketKind } from '../../../../shared/protocol/stream/streamPacket.ts';
import { routeMessage } from '../../../../workers/stream/routeMessage.ts';
import { message, packet } from '../packets.ts';

const ended = packet({ kind: PacketKind.Event, payload: encodeStreamEvent({ type: 'ended' }) });

describe('routeMessage', () => {
  it('says where each access unit lies in the buffer, in order', () => {
    const buffer = message(packet({ payload: [1, 2, 3], key: true }), packet({ payload: [4, 5], mediaTimeUs: 40_000 }));
    const { units, packets } = routeMessage(buffer);
    expect(packets).toBe(2);
    expect(units.map((unit) => [...new Uint8Array(buffer, unit.byteOffset, unit.byteLength)])).toEqual([
      [1, 2, 3],
      [4, 5],
    ]);
    expect(units.map(({ key, mediaTimeUs }) => ({ key, mediaTimeUs }))).toEqual([
      { key: true, mediaTimeUs: 0 },
      { key: false, mediaTimeUs: 40_000 },
    ]);
  });

  it('parts events from video in one message', () => {
    const { units, events } = routeMessage(message(packet({ payload: [1] }), ended, packet({ payload: [2] })));
    expect(units).toHaveLength(2);
    expect(events).toEqual([{ type: 'ended' }]);
  });

  it('parts sound from the rest, as copies, and counts kinds that it does not know', () => {
    const buffer = message(packet({ kind: PacketKind.Audio, payload: [1] }), packet({ kind: 77, payload: [2] }));
    const { frames, ...rest } = routeMessage(buffer);
    expect(rest).toEqual({ units: [], events: [], controls: [], packets: 2, fault: undefined });
    expect(frames.map(({ bytes }) => [...bytes])).toEqual([[1]]);
    expect(frames[0]?.bytes.buffer).not.toBe(buffer);
  });

  it('skips an event of an unknown type', () => {
    const odd = packet({ kind: PacketKind.Event, payload: new TextEncoder().encode('{"type":"weather"}') });
    expect(routeMessage(message(odd)).events).toEqual([]);
  });

  it('keeps what stands before a torn packet', () => {
    const whole = packet({ payload: [1] });
    const { units, fault } = routeMessage(message(whole, whole.subarray(0, 20)));
    expect(units).toHaveLength(1);
    expect(fault).toBe('short');
  });

  it('gives a result for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const { units } = routeMessage(message(bytes));
        for (const unit of units) expect(unit.byteOffset + unit.byteLength).toBeLessThanOrEqual(bytes.length);
      }),
    );
  });
});
