import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type FragmentSample,
  fragmentHead,
  type SampleRun,
} from '../../../../../../server/recording/export/mp4/fragment.ts';
import { fragmentIndex } from '../../../../../../server/recording/export/mp4/fragmentIndex.ts';
import { boxAt, readBoxes, readSamples, viewOf } from '../../../../../support/media/boxes.ts';

const KEY = 0x0200_0000;
const DELTA = 0x0101_0000;

const sample = (over: Partial<FragmentSample> = {}): FragmentSample => {
  return { bytes: 10, duration: 3_600, offset: 0, isKey: false, ...over };
};

/** The fragment with data behind its head: each byte says whose sample it is. */
function withData(runs: readonly SampleRun[], sequenceNumber = 1): Uint8Array {
  const head = fragmentHead(sequenceNumber, runs);
  const data = runs.flatMap(({ trackId, samples }) =>
    samples.flatMap(({ bytes }, at) => Array(bytes).fill((trackId * 100 + at) % 256)),
  );
  return Uint8Array.from([...head, ...data]);
}

function runOf(samples: readonly FragmentSample[]) {
  const file = withData([{ trackId: 1, decodeTime: 0, samples }]);
  const { body } = boxAt(readBoxes(file), 'moof', 'traf', 'trun');
  return {
    flags: viewOf(body).getUint32(0) & 0xff_ffff,
    version: body[0],
    bytes: body.length,
    samples: readSamples(file),
  };
}

describe('a fragment', () => {
  it('says once what all pictures share: a key frame, and others of the same duration', () => {
    const { flags, bytes, samples } = runOf([sample({ isKey: true, bytes: 90 }), sample(), sample({ bytes: 12 })]);
    // Data offset, first sample's flags, sizes.
    expect(flags).toBe(0x1 | 0x4 | 0x200);
    expect(bytes).toBe(4 + 4 + 4 + 4 + 3 * 4);
    expect(samples.map((each) => [each.flags, each.duration, each.bytes.length])).toEqual([
      [KEY, 3_600, 90],
      [DELTA, 3_600, 10],
      [DELTA, 3_600, 12],
    ]);
  });

  it('says of each picture which is a key frame where there are several', () => {
    const { flags, samples } = runOf([true, false, true, false].map((isKey) => sample({ isKey })));
    expect(flags).toBe(0x1 | 0x400);
    expect(samples.map((each) => each.flags)).toEqual([KEY, DELTA, KEY, DELTA]);
  });

  it('says when pictures are shown, before they are decoded too, where that is another moment', () => {
    const { flags, version, samples } = runOf([
      sample({ isKey: true, offset: 3_600 }),
      sample({ offset: -7 }),
      sample(),
    ]);
    expect(flags & 0x800).toBe(0x800);
    expect(version).toBe(1);
    expect(samples.map(({ offset }) => offset)).toEqual([3_600, -7, 0]);
  });

  it('finds the bytes of each of its tracks, and leaves out one without samples', () => {
    const samples = [sample({ isKey: true, bytes: 3 }), sample({ bytes: 2 })];
    const sound = [sample({ isKey: true, bytes: 4, duration: 960 })];
    const file = withData([
      { trackId: 1, decodeTime: 2 ** 33, samples },
      { trackId: 2, decodeTime: 48_000, samples: sound },
      { trackId: 3, decodeTime: 0, samples: [] },
    ]);
    expect(readBoxes(file).map(({ type }) => type)).toEqual(['moof', 'mdat']);
    expect(readSamples(file).map(({ trackId, decodeTime, bytes }) => [trackId, decodeTime, [...bytes]])).toEqual([
      [1, 2 ** 33, [100, 100, 100]],
      [1, 2 ** 33 + 3_600, [101, 101]],
      [2, 48_000, [200, 200, 200, 200]],
    ]);
  });

  it('has its number', () => {
    const { body } = boxAt(
      readBoxes(withData([{ trackId: 1, decodeTime: 0, samples: [sample()] }], 77)),
      'moof',
      'mfhd',
    );
    expect(viewOf(body).getUint32(4)).toBe(77);
  });

  it('gives back any samples', () => {
    const any = fc.record({
      bytes: fc.integer({ min: 0, max: 40 }),
      duration: fc.oneof(fc.constant(3_600), fc.integer({ min: 1, max: 0xffff_ffff })),
      offset: fc.oneof(fc.constant(0), fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
      isKey: fc.boolean(),
    });
    const runs = fc.tuple(fc.array(any, { maxLength: 30 }), fc.array(any, { maxLength: 30 }), fc.nat(2 ** 45));
    fc.assert(
      fc.property(runs, ([pictures, sound, decodeTime]) => {
        const tracks = [
          { trackId: 1, decodeTime, samples: pictures },
          { trackId: 2, decodeTime: 5, samples: sound },
        ];
        const read = readSamples(withData(tracks));
        const expected = tracks.flatMap(({ trackId, samples }) =>
          samples.map(({ bytes, duration, offset, isKey }, at) => {
            const data = Array<number>(bytes).fill((trackId * 100 + at) % 256);
            return { trackId, duration, offset, flags: isKey ? KEY : DELTA, data };
          }),
        );
        expect(
          read.map(({ trackId, duration, offset, flags, bytes }) => ({
            trackId,
            duration,
            offset,
            flags,
            data: [...bytes],
          })),
        ).toEqual(expected);
        expect(read[0]?.decodeTime).toBe(pictures.length > 0 ? decodeTime : sound.length > 0 ? 5 : undefined);
      }),
    );
  });
});

describe('the index at a file’s end', () => {
  it('says where fragments begin, and how far back it begins itself', () => {
    const points = [
      { time: 0, moofOffset: 900 },
      { time: 2 ** 33, moofOffset: 2 ** 34 + 1 },
    ];
    const bytes = fragmentIndex(1, points);
    const [mfra] = readBoxes(bytes);
    expect(mfra?.size).toBe(bytes.length);
    const { body } = boxAt(readBoxes(bytes), 'mfra', 'tfra');
    const view = viewOf(body);
    expect([view.getUint32(0), view.getUint32(4), view.getUint32(8), view.getUint32(12)]).toEqual([
      0x0100_0000, 1, 0, 2,
    ]);
    expect([view.getBigUint64(16 + 19), view.getBigUint64(24 + 19)]).toEqual([2n ** 33n, 2n ** 34n + 1n]);
    expect([...body.subarray(32 + 19)]).toEqual([1, 1, 1]);
    expect(viewOf(bytes).getUint32(bytes.length - 4)).toBe(bytes.length);
  });
});
