import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digitsOfTime, timeOfDigits } from '../../../../server/device/jt808/codec/bcd.ts';
import { MessageId } from '../../../../server/device/jt808/codec/codes.ts';
import { encodeFrame, type FrameEvent, FrameSplitter } from '../../../../server/device/jt808/codec/frame.ts';
import { terminalNumber } from '../../../../server/device/jt808/codec/header.ts';
import {
  decodeBody,
  decodeMessage,
  encodeBody,
  encodeMessages,
  type MessageBody,
} from '../../../../server/device/jt808/codec/message.ts';
import { PartAssembler } from '../../../../server/device/jt808/codec/parts.ts';
import { type AssemblerEvent, FrameAssembler } from '../../../../server/device/jt1078/codec/assembler.ts';
import {
  DataType,
  encodePacket as encodeMediaPacket,
  type MediaPacket,
  SubPackage,
} from '../../../../server/device/jt1078/codec/packet.ts';
import { type MediaEvent, MediaSplitter } from '../../../../server/device/jt1078/codec/splitter.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { runs } from '../../../support/runs.ts';
import { chunkSizes, chunksOf, concat } from './chunks.ts';

const edition = fc.constantFrom('2013' as const, '2019' as const);
const byte = fc.integer({ min: 0, max: 255 });
const word = fc.integer({ min: 0, max: 0xffff });
const ids = Object.values(MessageId);

describe('frames', () => {
  const content = fc.uint8Array({ minLength: 12, maxLength: 1044 });

  it('come back whatever they hold and however they are cut', () => {
    fc.assert(
      fc.property(fc.array(content, { maxLength: 5 }), chunkSizes, (contents, sizes) => {
        const splitter = new FrameSplitter();
        const events = chunksOf(
          concat(contents.map((bytes) => encodeFrame(bytes.subarray(0, 12), bytes.subarray(12)))),
          sizes,
        ).flatMap((chunk) => splitter.push(chunk));
        expect(events).toEqual(contents.map((bytes): FrameEvent => ({ kind: 'frame', bytes })));
      }),
    );
  });

  it('of any bytes are read the same however they are cut', () => {
    const noise = fc.array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(0x7e, 0x7d, 1, 2) }, byte), {
      maxLength: 600,
    });
    fc.assert(
      fc.property(noise, chunkSizes, (bytes, sizes) => {
        const splitter = new FrameSplitter();
        const whole = new FrameSplitter().push(Uint8Array.from(bytes));
        expect(chunksOf(Uint8Array.from(bytes), sizes).flatMap((chunk) => splitter.push(chunk))).toEqual(whole);
      }),
    );
  });

  it('with one bit wrong are never taken at their length', () => {
    fc.assert(
      fc.property(content, fc.nat(), fc.integer({ min: 0, max: 7 }), (bytes, at, bit) => {
        const wire = encodeFrame(bytes);
        const position = 1 + (at % (wire.length - 2));
        wire[position] = (wire[position] ?? 0) ^ (1 << bit);
        const frames = new FrameSplitter().push(wire).filter((event) => event.kind === 'frame');
        // A bit that makes or breaks a delimiter or an escape changes the length, and may leave the check code right:
        // the header's length field is there for those.
        expect(frames.filter((event) => event.bytes.length === bytes.length)).toEqual([]);
      }),
    );
  });
});

describe('bodies', () => {
  it('of any bytes decode to a body or a reason, and a body encodes to one that stays as it is', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ids), edition, fc.uint8Array({ maxLength: 300 }), (id, from, bytes) => {
        const result = decodeBody(id, from, bytes);
        if (!result.ok) {
          expect(result.reason).not.toBe('');
          return;
        }
        // Text that is no GBK and times that are none change once, when they are written; never a second time.
        const written = decodeBody(id, from, encodeBody(result.body, from));
        if (!written.ok) throw new Error(`${id}: ${written.reason}`);
        const again = decodeBody(id, from, encodeBody(written.body, from));
        expect(again).toEqual({ ok: true, body: written.body, trailingBytes: 0 });
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('of any length are cut into packages and joined again, in any order of the packages behind the first', () => {
    const order = fc.infiniteStream(fc.nat());
    fc.assert(
      fc.property(edition, word, fc.uint8Array({ maxLength: 6000 }), order, (to, serial, data, random) => {
        const body: MessageBody = { kind: 'compressedUp', data };
        const fields = {
          edition: to,
          protocolVersion: to === '2019' ? 1 : 0,
          terminal: terminalNumber('1', to),
          serial,
        };
        const [first, ...others] = encodeMessages(fields, body);
        if (first === undefined) throw new Error('no frame');
        const keyed = others.map((frame) => ({ frame, key: random.next().value }));
        const frames = [first, ...keyed.sort((a, b) => a.key - b.key).map(({ frame }) => frame)];
        const [event] = new PartReader().read(frames);
        expect(event).toEqual(body);
      }),
    );
  });

  class PartReader {
    readonly #splitter = new FrameSplitter();
    readonly #assembler = new PartAssembler(() => 0);

    /** The whole bodies that the frames make. */
    read(frames: readonly Uint8Array[]): MessageBody[] {
      return frames.flatMap((frame) => this.#splitter.push(frame)).flatMap((event) => this.#take(event));
    }

    #take(event: FrameEvent): MessageBody[] {
      if (event.kind !== 'frame') return [];
      const result = decodeMessage(event.bytes);
      if (!result.ok) throw new Error(result.reason);
      const { header, body } = result.message;
      if (body.kind !== 'part') return [body];
      const joined = this.#assembler.add(header, body.bytes);
      if (joined.kind !== 'complete') return [];
      const whole = decodeBody(joined.messageId, joined.edition, joined.bytes);
      return whole.ok ? [whole.body] : [];
    }
  }
});

describe('times', () => {
  it('come back to the second', () => {
    const seconds = fc.integer({ min: Date.UTC(2000, 0, 2) / 1000, max: Date.UTC(2099, 11, 30) / 1000 });
    fc.assert(
      fc.property(seconds, fc.constantFrom(0, 8 * 3_600_000), (second, offsetMs) => {
        const time = wallMs(second * 1000);
        expect(timeOfDigits(digitsOfTime(time, offsetMs), offsetMs)).toBe(time);
      }),
    );
  });
});

describe('media packets', () => {
  const mediaPacket = (simDigits: number): fc.Arbitrary<MediaPacket> =>
    fc
      .record({
        payloadType: fc.integer({ min: 0, max: 127 }),
        marker: fc.boolean(),
        sequence: word,
        channel: byte,
        dataType: fc.constantFrom(...Object.values(DataType)),
        subPackage: fc.constantFrom(...Object.values(SubPackage)),
        timestampMs: fc.maxSafeNat(),
        lastKeyIntervalMs: word,
        lastFrameIntervalMs: word,
        body: fc.uint8Array({ maxLength: 400 }),
      })
      .map(({ timestampMs, lastKeyIntervalMs, lastFrameIntervalMs, ...rest }) => ({
        ...rest,
        sim: '13912345678'.padStart(simDigits, '0'),
        ...(rest.dataType !== DataType.Passthrough && { timestampMs }),
        ...(rest.dataType < DataType.Audio && { lastKeyIntervalMs, lastFrameIntervalMs }),
      }));
  const packets = fc.constantFrom(12, 20).chain((digits) => fc.array(mediaPacket(digits), { maxLength: 8 }));

  it('come back whatever they hold and however they are cut', () => {
    fc.assert(
      fc.property(packets, chunkSizes, (sent, sizes) => {
        const splitter = new MediaSplitter({ knownTerminal: '13912345678' });
        const events = chunksOf(concat(sent.map(encodeMediaPacket)), sizes).flatMap((chunk) => splitter.push(chunk));
        expect(events).toEqual(sent.map((packet): MediaEvent => ({ kind: 'packet', packet })));
      }),
    );
  });

  it('behind noise are read the same however they are cut, with and without a known terminal', () => {
    const noise = fc.array(fc.oneof(fc.constantFrom(0x30, 0x31, 0x63, 0x64), byte), { maxLength: 60 });
    const pieces = fc.array(fc.tuple(noise, packets), { maxLength: 3 });
    fc.assert(
      fc.property(pieces, chunkSizes, fc.boolean(), (parts, sizes, isKnown) => {
        const bytes = concat(parts.flatMap(([junk, sent]) => [Uint8Array.from(junk), ...sent.map(encodeMediaPacket)]));
        const read = (chunks: readonly Uint8Array[]) => {
          const splitter = new MediaSplitter(isKnown ? { knownTerminal: '13912345678' } : {});
          const events = [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()];
          const skipped = events.reduce((sum, event) => sum + (event.kind === 'fault' ? event.skippedBytes : 0), 0);
          return { skipped, packets: events.filter((event) => event.kind === 'packet') };
        };
        expect(read(chunksOf(bytes, sizes))).toEqual(read([bytes]));
      }),
    );
  });

  it('of frames that are cut and mixed become the frames again', () => {
    const frame = fc.record({
      isAudio: fc.boolean(),
      channel: fc.integer({ min: 1, max: 3 }),
      pieces: fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 6 }),
    });
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 12 }), fc.infiniteStream(fc.nat()), word, (frames, random, start) => {
        const sent = interleaved(frames.map(packetsOfFrame), random, start);
        const assembler = new FrameAssembler();
        const events = sent.flatMap((each) => assembler.push(each));
        const told = events.map((event: AssemblerEvent) =>
          event.kind === 'frame' && !event.lost ? Buffer.from(event.bytes).toString('hex') : event.kind,
        );
        const expected = frames.map(({ pieces }) => Buffer.concat(pieces).toString('hex'));
        expect(told.toSorted()).toEqual(expected.toSorted());
      }),
    );
  });

  interface SentFrame {
    readonly isAudio: boolean;
    readonly channel: number;
    readonly pieces: readonly Uint8Array[];
  }

  function packetsOfFrame({ isAudio, channel, pieces }: SentFrame): MediaPacket[] {
    return pieces.map((body, index) => ({
      payloadType: isAudio ? 6 : 98,
      marker: index === pieces.length - 1,
      sequence: 0,
      sim: '013912345678',
      channel,
      dataType: isAudio ? DataType.Audio : DataType.P,
      subPackage:
        pieces.length === 1
          ? SubPackage.Atomic
          : index === 0
            ? SubPackage.First
            : index === pieces.length - 1
              ? SubPackage.Last
              : SubPackage.Middle,
      timestampMs: 0,
      body,
    }));
  }

  /** Frames of one track stay in order; tracks are mixed, and one count runs through all. */
  function interleaved(frames: MediaPacket[][], random: fc.Stream<number>, start: number): MediaPacket[] {
    const tracks = new Map<string, MediaPacket[]>();
    for (const each of frames.flat()) {
      const name = `${each.channel}/${each.dataType}`;
      tracks.set(name, [...(tracks.get(name) ?? []), each]);
    }
    const sent: MediaPacket[] = [];
    for (let open = [...tracks.values()]; open.length > 0; open = open.filter((track) => track.length > 0)) {
      const next = open[random.next().value % open.length]?.shift();
      if (next !== undefined) sent.push({ ...next, sequence: (start + sent.length) & 0xffff });
    }
    return sent;
  }
});
