import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AccessUnits } from '../../../../../server/sync/readers/accessUnits.ts';
import { AdtsFrames } from '../../../../../server/sync/readers/adtsFrames.ts';
import { readHevcPictureUs } from '../../../../../server/sync/readers/hevcTiming.ts';
import { readPictureSets, toAnnexB } from '../../../../../server/sync/readers/mp4Pictures.ts';
import { adtsHeader, readAudioConfig } from '../../../../../server/sync/readers/mp4Sound.ts';
import { PackParser } from '../../../../../server/sync/readers/packParser.ts';
import { pictureUsOf } from '../../../../../server/sync/readers/pictureRate.ts';
import { recognise } from '../../../../../server/sync/readers/recognise.ts';
import { UnitSplitter } from '../../../../../server/sync/readers/unitSplitter.ts';
import { splitNalUnits } from '../../../../../shared/protocol/codec/video/nalUnits.ts';
import { clipFile } from '../../../../support/sync/deviceFiles.ts';

const h264 = new Uint8Array(readFileSync(clipFile('cabinSub')).subarray(0, 200_000));
const h265 = new Uint8Array(readFileSync(clipFile('side')).subarray(0, 200_000));

/** The same bytes in pieces of any size. */
const cuts = fc.array(fc.integer({ min: 1, max: 20_000 }), { minLength: 1, maxLength: 20 });
function pieces(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    parts.push(bytes.subarray(at, at + size));
    at += size;
  }
  return parts;
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe('the units of a byte stream', () => {
  it('are the same however it is cut', () => {
    const whole = splitNalUnits(h264).map(({ bytes }) => hex(bytes));
    fc.assert(
      fc.property(cuts, (sizes) => {
        const splitter = new UnitSplitter();
        const units = [...pieces(h264, sizes).flatMap((piece) => splitter.push(piece)), ...splitter.end()];
        expect(units.map(({ bytes }) => hex(bytes).replace(/(?:00)+$/, ''))).toEqual(
          whole.map((unit) => unit.replace(/(?:00)+$/, '')),
        );
      }),
      { numRuns: 20 },
    );
  });

  it('have the time of the piece that they begin in', () => {
    const unit = (type: number): number[] => [0, 0, 0, 1, type, 0xff, 0xff];
    const splitter = new UnitSplitter();
    const units = [
      ...splitter.push(Uint8Array.from([...unit(9), ...unit(1), 0, 0]), 10),
      ...splitter.push(Uint8Array.from([1, 9, 0xff, ...unit(1)]), 20),
      ...splitter.push(Uint8Array.from(unit(9)), 30),
      ...splitter.end(),
    ];
    expect(units.map(({ timeUs }) => timeUs)).toEqual([10, undefined, undefined, 20, 30]);
  });

  it.each([
    ['h264', h264],
    ['h265', h265],
  ] as const)('make pictures of %s, each with one first slice', (codec, bytes) => {
    const splitter = new UnitSplitter();
    const pictures = new AccessUnits(codec);
    const found = [...splitter.push(bytes), ...splitter.end()].flatMap((unit) => pictures.push(unit) ?? []);
    const delimiter = codec === 'h264' ? 9 : 35;
    const typeOf = ([header = 0]: Uint8Array): number => (codec === 'h264' ? header & 0x1f : (header >> 1) & 0x3f);
    const delimiters = splitNalUnits(bytes).filter((unit) => typeOf(unit.bytes) === delimiter).length;
    expect(delimiters).toBeGreaterThan(10);
    expect(found).toHaveLength(delimiters - 1);
  });

  it('tell how fast pictures follow', () => {
    expect(pictureUsOf('h264', h264)).toBe(40_000);
    expect(pictureUsOf('h265', h265)).toBe(40_000);
    expect(pictureUsOf('h264', h265)).toBeUndefined();
  });
});

describe('kinds of files', () => {
  it('are told by their content', () => {
    expect(recognise(h264)).toEqual({ kind: 'h264', offset: 0 });
    expect(recognise(h265)).toEqual({ kind: 'h265', offset: 0 });
    expect(recognise(Buffer.from('....ftypmp42'))).toEqual({ kind: 'mp4', offset: 0 });
    expect(recognise(Buffer.from('000001ba44', 'hex'))).toEqual({ kind: 'mpeg-ps', offset: 0 });
    expect(recognise(Buffer.concat([Buffer.from('IMKH'.repeat(10)), Buffer.from('000001ba44', 'hex')]))).toEqual({
      kind: 'mpeg-ps',
      offset: 40,
    });
  });

  it('are none for any bytes, without a fault', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 2_000 }), (bytes) => void recognise(bytes)));
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void readHevcPictureUs(bytes)));
  });
});

const pts = [0x21, 0x00, 0x01, 0x00, 0x01];
const pack = [0, 0, 1, 0xba, 0x44, 0, 4, 0, 4, 1, 1, 0x86, 0x66, 0xf8];
const pes = (id: number, body: readonly number[]): number[] => {
  const length = 3 + pts.length + body.length;
  return [0, 0, 1, id, length >> 8, length & 0xff, 0x80, 0x80, pts.length, ...pts, ...body];
};

describe('program streams', () => {
  const map = [0, 0, 1, 0xbc, 0, 18, 0xe0, 0xff, 0, 0, 0, 8, 0x24, 0xe0, 0, 0, 0x90, 0xc0, 0, 0, 0, 0, 0, 0];
  const stream = Uint8Array.from([
    ...pack,
    ...map,
    ...pes(0xe0, [1, 2, 3]),
    ...pes(0xc0, [4]),
    ...pack,
    ...pes(0xe0, [5]),
  ]);

  it('are read by their map, however they are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 9 }), (sizes) => {
        const parser = new PackParser();
        const parts = [...pieces(stream, sizes).flatMap((piece) => parser.push(piece)), ...parser.end()];
        expect(parts.map(({ streamId, streamType, bytes }) => [streamId, streamType, [...bytes]])).toEqual([
          [0xe0, 0x24, [1, 2, 3]],
          [0xc0, 0x90, [4]],
          [0xe0, 0x24, [5]],
        ]);
      }),
    );
  });

  it('go on at the next pack behind a length that lies', () => {
    const lying = [0, 0, 1, 0xe0, 0x7f, 0xff, 0x80, 0, 0, 9];
    const filling = Array.from({ length: 40_000 }, () => 7);
    const parser = new PackParser();
    const bytes = Uint8Array.from([
      ...pack,
      ...lying,
      ...pack,
      ...pes(0xe0, [5]),
      ...filling,
      ...pack,
      ...pes(0xe0, [6]),
    ]);
    const parts = [...parser.push(bytes), ...parser.end()];
    expect(parts.map(({ bytes: body, isBehindLoss }) => [[...body], isBehindLoss])).toContainEqual([[6], true]);
  });
});

describe('damage in a program stream', () => {
  const streams = [...pack, ...pes(0xe0, [1]), ...pes(0xc0, [2])];
  const marksOf = (bytes: readonly number[]) => {
    const parser = new PackParser();
    return [...parser.push(Uint8Array.from(bytes)), ...parser.end()].map(({ streamId, bytes: body, isBehindLoss }) => [
      streamId,
      [...body],
      isBehindLoss,
    ]);
  };

  it('is known to each stream, also when the packet behind it is of another', () => {
    const lying = [0, 0, 1, 0xe0, 0, 5, 0x80, 0, 0, 9, 9, 9, 9, 9];
    const behind = [...pes(0xc0, [3]), ...pes(0xc0, [4]), ...pes(0xe0, [5]), ...pes(0xe0, [6])];
    expect(marksOf([...streams, ...pack, ...lying, ...pack, ...behind])).toEqual([
      [0xe0, [1], false],
      [0xc0, [2], false],
      [0xc0, [3], true],
      [0xc0, [4], false],
      [0xe0, [5], true],
      [0xe0, [6], false],
    ]);
  });

  it('in the head of a packet is known to its stream', () => {
    const headless = [0, 0, 1, 0xe0, 0, 3, 0x80, 0, 9];
    expect(marksOf([...streams, ...headless, ...pes(0xc0, [3]), ...pes(0xe0, [4]), ...pack])).toEqual([
      [0xe0, [1], false],
      [0xc0, [2], false],
      [0xc0, [3], false],
      [0xe0, [4], true],
    ]);
  });
});

describe('pictures and sound of MP4', () => {
  it('leave out what a length that lies leads to', () => {
    const sample = Uint8Array.from([0, 0, 0, 2, 0x65, 1, 0, 0, 9, 9, 1]);
    expect([...toAnnexB(sample, 4)]).toEqual([0, 0, 0, 1, 0x65, 1]);
  });

  it('are total', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.integer({ min: 1, max: 4 }), (bytes, length) => {
        toAnnexB(bytes, length);
        readPictureSets('h264', bytes);
        readPictureSets('h265', bytes);
        readAudioConfig(bytes);
      }),
    );
  });

  it('have headers that readers of the stream find again', () => {
    const config = readAudioConfig(Uint8Array.of(0x14, 0x08));
    if (config === undefined) throw new Error('no configuration');
    const body = new Uint8Array(100).fill(0x11);
    const frame = Buffer.concat([adtsHeader(config, body.length), body]);
    const frames = new AdtsFrames();
    const found = [...frames.push(frame.subarray(0, 50)), ...frames.push(Buffer.concat([frame.subarray(50), frame]))];
    expect(found.map(({ sampleRate, channels, samples }) => [sampleRate, channels, samples.length])).toEqual([
      [16_000, 1, 107],
      [16_000, 1, 107],
    ]);
  });
});
