// Frames and packets of the vectors, damaged at random and fed to the codecs: nothing throws, nothing hangs, nothing grows.
import { describe, expect, it } from 'vitest';
import { MessageId } from '../../../../server/device/jt808/codec/codes.ts';
import { encodeFrame, FrameSplitter } from '../../../../server/device/jt808/codec/frame.ts';
import { decodeHeader } from '../../../../server/device/jt808/codec/header.ts';
import {
  decodeBody,
  decodeMessage,
  encodeBody,
  type MessageBody,
} from '../../../../server/device/jt808/codec/message.ts';
import { PartAssembler } from '../../../../server/device/jt808/codec/parts.ts';
import { positionDetails } from '../../../../server/device/jt808/codec/positionItems.ts';
import { FrameAssembler } from '../../../../server/device/jt1078/codec/assembler.ts';
import { DataType, encodePacket, SubPackage } from '../../../../server/device/jt1078/codec/packet.ts';
import { MediaSplitter } from '../../../../server/device/jt1078/codec/splitter.ts';
import { damaged, FUZZ_RUNS, FUZZ_TIMEOUT_MS, fuzz, heldBytes, pick, type Random } from '../../../support/fuzz.ts';
import { hexOf, negativeSafetyVectors, negativeVectors, ofHex, safetyVectors, vectors } from './jt808/codec/vectors.ts';

function inChunks(bytes: Uint8Array, random: Random, push: (chunk: Uint8Array) => void): void {
  const isByByte = random(4) === 0;
  for (let at = 0; at < bytes.length; ) {
    const size = isByByte ? 1 : 1 + random(200);
    push(bytes.slice(at, at + size));
    at += size;
  }
}

const signalling = [...vectors, ...negativeVectors, ...safetyVectors, ...negativeSafetyVectors]
  .filter(({ protocol }) => protocol === 'jt808')
  .map(({ hex }) => ofHex(hex));
const media = [...vectors, ...negativeVectors]
  .filter(({ protocol }) => protocol === 'jt1078')
  .map(({ hex }) => ofHex(hex));
const contents = signalling.flatMap((bytes) =>
  new FrameSplitter().push(bytes).flatMap((event) => (event.kind === 'frame' ? [event.bytes] : [])),
);
const ids = Object.values(MessageId);

/** A body can be sent on, and what is sent reads the same from then on. */
function checkBody(body: MessageBody, edition: '2013' | '2019'): void {
  if (body.kind === 'part' || body.kind === 'encrypted' || body.kind === 'unknown') return;
  if (body.kind === 'position') positionDetails(body.items, body.status);
  const id = MessageId[body.kind];
  const written = decodeBody(id, edition, encodeBody(body, edition));
  if (!written.ok) throw new Error(`${body.kind} does not read what it wrote: ${written.reason}`);
  const bytes = encodeBody(written.body, edition);
  const again = decodeBody(id, edition, bytes);
  if (!again.ok || hexOf(encodeBody(again.body, edition)) !== hexOf(bytes))
    throw new Error(`${body.kind} is not stable`);
}

describe('damaged signalling', () => {
  it('ends in messages and reasons, whatever the stream was before', { timeout: FUZZ_TIMEOUT_MS }, () => {
    let nowMs = 0;
    const splitter = new FrameSplitter();
    const assembler = new PartAssembler(() => nowMs, { maxBytes: 100_000 });
    let messages = 0;
    fuzz((random) => {
      nowMs += random(3000);
      const bytes =
        random(3) === 0
          ? damaged(pick(signalling, random), random)
          : encodeFrame(damaged(pick(contents, random), random));
      inChunks(bytes, random, (chunk) => {
        for (const event of splitter.push(chunk)) {
          if (event.kind !== 'frame') continue;
          const result = decodeMessage(event.bytes, { trustFrameLength: random(2) === 0 });
          if (!result.ok) continue;
          messages++;
          const { header, body } = result.message;
          checkBody(body, header.edition);
          if (body.kind !== 'part') continue;
          const joined = assembler.add(header, body.bytes);
          if (joined.kind === 'complete') decodeBody(joined.messageId, joined.edition, joined.bytes);
        }
      });
      assembler.due();
    });
    expect(messages).toBeGreaterThan(FUZZ_RUNS / 20);
  });

  it('of every message, in either edition, is a body or a reason', { timeout: FUZZ_TIMEOUT_MS }, () => {
    let bodies = 0;
    fuzz((random) => {
      const content = pick(contents, random);
      const split = decodeHeader(content, { trustFrameLength: true });
      const body = damaged(split.ok ? split.body : content, random);
      // Half of the time the body is read as what it was, else as any other message.
      const id = split.ok && random(2) === 0 ? split.header.messageId : pick(ids, random);
      for (const edition of ['2013', '2019'] as const) {
        const result = decodeBody(id, edition, body);
        if (!result.ok) continue;
        bodies++;
        checkBody(result.body, edition);
      }
    });
    expect(bodies).toBeGreaterThan(FUZZ_RUNS / 2);
  });
});

describe('damaged media', () => {
  it('ends in packets, frames and faults, whatever the stream was before', { timeout: FUZZ_TIMEOUT_MS }, () => {
    // A damaged length swallows what follows; a low limit lets more of it be read.
    const options = [{ maxBodyBytes: 2000 }, { maxBodyBytes: 2000, knownTerminal: '11234567810' }, {}];
    let splitter = new MediaSplitter(options[0]);
    const assembler = new FrameAssembler({ maxFrameBytes: 20_000, maxOpenBytes: 60_000 });
    let packets = 0;
    fuzz((random) => {
      if (random(50) === 0) {
        for (const event of splitter.end()) if (event.kind === 'packet') assembler.push(event.packet);
        splitter = new MediaSplitter(pick(options, random));
      }
      const whole = pick(media, random);
      const bytes = random(2) === 0 ? whole : damaged(whole, random);
      inChunks(bytes, random, (chunk) => {
        for (const event of splitter.push(chunk)) {
          if (event.kind !== 'packet') continue;
          packets++;
          for (const frame of assembler.push(event.packet)) {
            if (frame.kind === 'frame' && frame.bytes.length > 20_000) throw new Error('a frame over its limit');
          }
        }
      });
    });
    expect(packets).toBeGreaterThan(FUZZ_RUNS / 4);
  });
});

describe('what never ends', () => {
  it('is refused: packages of one message without a last', () => {
    const assembler = new PartAssembler(() => 0, { maxBytes: 1_000_000 });
    const content = contents
      .map((bytes) => decodeHeader(bytes))
      .find((result) => result.ok && result.header.part !== undefined);
    if (content?.ok !== true) throw new Error('no package');
    const kinds = new Map<string, number>();
    for (let number = 1; number < 65_535; number++) {
      const header = { ...content.header, serial: number, part: { total: 65_535, number } };
      const { kind } = assembler.add(header, content.body);
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
    expect(kinds.get('stored')).toBeLessThan(1_000_000 / content.body.length);
    expect(kinds.get('complete')).toBeUndefined();
  });

  it('is dropped: packets of frames without a last, in all channels', () => {
    const assembler = new FrameAssembler();
    const before = heldBytes();
    const sim = '013912345678';
    const body = new Uint8Array(60_000);
    let dropped = 0;
    for (let turn = 0; turn < 20; turn++) {
      for (let channel = 0; channel < 256; channel++) {
        const subPackage = turn === 0 ? SubPackage.First : SubPackage.Middle;
        const sequence = (turn * 256 + channel) & 0xffff;
        const packet = {
          payloadType: 98,
          marker: false,
          sequence,
          sim,
          channel,
          dataType: DataType.P,
          subPackage,
          body,
        };
        dropped += assembler.push(packet).filter((event) => event.kind === 'dropped').length;
      }
    }
    expect(dropped).toBeGreaterThan(0);
    expect(heldBytes() - before).toBeLessThan(64 * 1024 * 1024);
  });

  it('is passed over: magic numbers and nothing else', () => {
    const splitter = new MediaSplitter();
    const magic = ofHex('30316364'.repeat(10_000));
    let skipped = 0;
    for (let turn = 0; turn < 20; turn++) {
      for (const event of splitter.push(magic.slice())) skipped += event.kind === 'fault' ? event.skippedBytes : 0;
    }
    expect(skipped).toBeGreaterThan(20 * magic.length - 10_000);
  });

  it('is waited for without a copy: a body that comes byte by byte', () => {
    const packet = encodePacket({
      payloadType: 98,
      marker: true,
      sequence: 1,
      sim: '013912345678',
      channel: 1,
      dataType: DataType.P,
      subPackage: SubPackage.Atomic,
      timestampMs: 1_700_000_000_000,
      body: new Uint8Array(65_535),
    });
    const splitter = new MediaSplitter({ knownTerminal: '13912345678' });
    const events = Array.from(packet, (byte) => splitter.push(Uint8Array.of(byte))).flat();
    expect(events).toHaveLength(1);
  });
});
