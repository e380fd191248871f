// Damaged messages through the stream's reader, which is the same for sockets and for files.
import { describe, expect, it } from 'vitest';
import { parseControlEvent, parsePtzMessage } from '../../../../shared/protocol/stream/controlMessages.ts';
import { parseStreamEvent, parseViewerMessage } from '../../../../shared/protocol/stream/streamMessages.ts';
import {
  encodePacket,
  MAX_PAYLOAD_BYTES,
  PACKET_HEADER_BYTES,
  readMessage,
  type StreamPacket,
} from '../../../../shared/protocol/stream/streamPacket.ts';
import { mediaUs, wallMs } from '../../../../shared/protocol/time.ts';
import { damaged, FUZZ_RUNS, FUZZ_TIMEOUT_MS, fuzz, pick, type Random } from '../../../support/fuzz.ts';

const EVENTS = [
  '{"type":"error","code":"link-refused","message":"no"}',
  '{"type":"gap","untilMs":null}',
  '{"type":"clock","positionMs":1,"speed":2,"paused":true}',
  '{"type":"format","codec":34,"sampleRate":8000,"channels":1}',
  '{"type":"failed","code":"offline","message":"away"}',
  '{"type":"opened","sampleRate":8000}',
  '{"type":"move","direction":"left","speed":9}',
  '{"type":"seek","positionMs":5}',
  '{"__proto__":{"type":"ended"}}',
];

function randomPacket(random: Random): Uint8Array<ArrayBuffer> {
  const kind = 1 + random(4);
  const payload =
    kind === 3 ? new TextEncoder().encode(pick(EVENTS, random)) : new Uint8Array(random(200)).fill(random(256));
  const times = {
    mediaTimeUs: mediaUs((random(2) - 1) * random(2 ** 31) * 1_000),
    deviceTimeMs: wallMs(random(2 ** 31) * 700),
  };
  return encodePacket(
    { kind, codec: random(40), key: random(2) === 0, discontinuity: random(2) === 0, ...times },
    payload,
  );
}

/** What was read lies in the message, one packet behind the other. */
function check(message: Uint8Array, packets: readonly StreamPacket[], fault: string | undefined): void {
  let at = message.byteOffset;
  for (const { payload, mediaTimeUs, deviceTimeMs } of packets) {
    if (payload.buffer !== message.buffer || payload.byteOffset !== at + PACKET_HEADER_BYTES)
      throw new Error('misplaced');
    if (payload.byteLength > MAX_PAYLOAD_BYTES) throw new Error('a payload over its bound');
    if (!Number.isInteger(mediaTimeUs) || !Number.isInteger(deviceTimeMs)) throw new Error('a time that is none');
    at = payload.byteOffset + payload.byteLength;
    parseStreamEvent(payload);
    parseControlEvent(payload);
  }
  if (fault === undefined && at !== message.byteOffset + message.byteLength) throw new Error('bytes left over');
}

describe('the reader of stream packets', () => {
  it('gives packets and a reason for any message', { timeout: FUZZ_TIMEOUT_MS }, () => {
    let packets = 0;
    let faults = 0;
    fuzz((random) => {
      const parts = Array.from({ length: 1 + random(3) }, () => randomPacket(random));
      const whole = Uint8Array.from(parts.flatMap((part) => [...part]));
      const message = random(4) === 0 ? whole : damaged(whole, random);
      const read = readMessage(message);
      check(message, read.packets, read.fault);
      packets += read.packets.length;
      if (read.fault !== undefined) faults++;
    });
    expect(packets).toBeGreaterThan(FUZZ_RUNS / 2);
    expect(faults).toBeGreaterThan(FUZZ_RUNS / 10);
  });

  it('reads back what was written, whatever it is', { timeout: FUZZ_TIMEOUT_MS }, () => {
    fuzz((random) => {
      const bytes = randomPacket(random);
      const { packets, fault } = readMessage(bytes);
      const [packet] = packets;
      if (packet === undefined || fault !== undefined || packets.length !== 1) throw new Error('not read');
      const again = encodePacket(packet, packet.payload);
      if (!Buffer.from(again).equals(bytes)) throw new Error('read otherwise');
    });
  });

  it('never fails over the words of a viewer or a gateway', { timeout: FUZZ_TIMEOUT_MS }, () => {
    fuzz((random) => {
      const text = new TextDecoder().decode(damaged(new TextEncoder().encode(pick(EVENTS, random)), random));
      parseViewerMessage(text);
      parsePtzMessage(text);
    });
  });
});
