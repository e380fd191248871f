// What decoders make of the entry is tested in test/server/device/openGroups.test.ts.
import { describe, expect, it } from 'vitest';
import { removeEscapes } from '../../../../../../shared/protocol/codec/video/escapes.ts';
import { H264Entry } from '../../../../../../shared/protocol/codec/video/h264Entry.ts';
import { splitNalUnits } from '../../../../../../shared/protocol/codec/video/nalUnits.ts';
import { parsePps } from '../../../../../../shared/protocol/codec/video/pps.ts';
import { readSliceHeader, type SliceHeader } from '../../../../../../shared/protocol/codec/video/sliceHeader.ts';
import { parseSps } from '../../../../../../shared/protocol/codec/video/sps.ts';
import {
  accessUnit,
  pictureSet,
  recoveryPoint,
  type SliceFields,
  SliceType,
  sequenceSet,
  sliceOf,
} from '../../../../../support/media/slices.ts';

const RELEASE_SHORT = 1;
const RELEASE_LONG = 2;
const MAKE_LONG = 3;
const RELEASE_ALL = 5;

const entryAt = (fields: Partial<SliceFields> = {}, isArithmetic = true): Uint8Array<ArrayBuffer> =>
  accessUnit(
    sequenceSet(),
    pictureSet(isArithmetic),
    recoveryPoint(0),
    sliceOf({ type: SliceType.I, frameNumber: 14, order: 50, isArithmetic, ...fields }),
  );
const pictureAt = (fields: Partial<SliceFields>): Uint8Array<ArrayBuffer> =>
  accessUnit(sliceOf({ type: SliceType.P, frameNumber: 15, order: 52, ...fields }));

function headerIn(unit: Uint8Array | undefined, isArithmetic = true): SliceHeader | undefined {
  const slice = splitNalUnits(unit ?? new Uint8Array()).at(-1);
  const [sps, pps] = [parseSps(sequenceSet()), parsePps(pictureSet(isArithmetic))];
  if (slice === undefined || sps === undefined || pps === undefined) return undefined;
  return readSliceHeader(removeEscapes(slice.bytes), { sps, pps });
}

/** The marking of references in each picture after an entry at 14. */
function markingsOf(pictures: readonly Partial<SliceFields>[]) {
  const entry = new H264Entry();
  entry.next(entryAt());
  return pictures.map((fields) =>
    headerIn(entry.next(pictureAt(fields)))?.marking?.markings?.map(({ kind, values }) => [kind, ...values]),
  );
}

describe('H264Entry', () => {
  it.each([true, false])('makes the entry an IDR picture that is counted as the first (CABAC: %s)', (isArithmetic) => {
    // The data has a start code, which is escaped at one place and may come about at another.
    const data = [0x12, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x77, 0x80];
    const rewritten = new H264Entry(3).next(entryAt({ isArithmetic, data }, isArithmetic));
    const units = splitNalUnits(rewritten ?? new Uint8Array());
    expect(units.map(({ type }) => type)).toEqual([7, 8, 6, 5]);
    // This is what an encoder would have written, except for the number of IDR pictures.
    const expected = sliceOf({ type: SliceType.I, frameNumber: 0, order: 0, nalType: 5, isArithmetic, data });
    const withNumber = new H264Entry(0).next(entryAt({ isArithmetic, data }, isArithmetic));
    expect([...(splitNalUnits(withNumber ?? new Uint8Array()).at(-1)?.bytes ?? [])]).toEqual([...expected]);
    expect(units.at(-1)?.bytes).not.toEqual(expected);
  });

  it('allows for the numbers of leading pictures that are left out', () => {
    const [set] = splitNalUnits(new H264Entry().next(entryAt()) ?? new Uint8Array());
    const at = parseSps(sequenceSet())?.gapsFlagAt ?? 0;
    const bit = (unit: Uint8Array | undefined) =>
      ((removeEscapes(unit ?? new Uint8Array())[at >> 3] ?? 0) >> (7 - (at & 7))) & 1;
    expect([bit(sequenceSet()), bit(set?.bytes)]).toEqual([0, 1]);
    expect(parseSps(set?.bytes ?? new Uint8Array())).toEqual(parseSps(sequenceSet()));
  });

  it('counts the pictures behind it from the entry on, across the ends of both counts', () => {
    const entry = new H264Entry();
    entry.next(entryAt());
    const headers = [
      { frameNumber: 15, order: 58 },
      { frameNumber: 0, order: 2 },
      { frameNumber: 1, order: 0, isReference: false, type: SliceType.B },
    ].map((fields) => headerIn(entry.next(pictureAt(fields))));
    expect(headers.map((header) => [header?.frameNumber, header?.order])).toEqual([
      [1, 8],
      [2, 16],
      [3, 14],
    ]);
  });

  it.each([true, false])('keeps the data of a picture whose header becomes shorter (CABAC: %s)', (isArithmetic) => {
    const data = [0x00, 0x00, 0x01, 0x9c, 0x00, 0x00, 0x02, 0x33, 0x80];
    const entry = new H264Entry();
    entry.next(entryAt({ isArithmetic }, isArithmetic));
    const fields = { isArithmetic, data, markings: [[RELEASE_SHORT, 4]] };
    const expected = { type: SliceType.P, frameNumber: 1, order: 2, isArithmetic, data, markings: [] };
    expect(entry.next(pictureAt(fields))).toEqual(accessUnit(sliceOf(expected)));
  });

  it('releases no reference from before the entry, and every other one', () => {
    const markings = [
      [RELEASE_SHORT, 0], // the entry itself
      [RELEASE_SHORT, 1], // the picture before it
      [RELEASE_SHORT, 3],
    ];
    expect(markingsOf([{ markings }])).toEqual([[[RELEASE_SHORT, 0]]]);
    expect(markingsOf([{ markings: [[RELEASE_SHORT, 2]] }])).toEqual([[]]);
    expect(markingsOf([{}])).toEqual([undefined]);
  });

  it('knows references from behind the entry when the count has begun again', () => {
    const numbers = Array.from({ length: 20 }, (_, at) => ({ frameNumber: (15 + at) % 16, order: 0 }));
    const last = { frameNumber: 3, order: 0, markings: [[RELEASE_SHORT, 14]] };
    expect(markingsOf([...numbers, last]).at(-1)).toEqual([[RELEASE_SHORT, 14]]);
  });

  it('keeps to long-term references that were made behind the entry', () => {
    const made = { markings: [[MAKE_LONG, 0, 1]] };
    const released = {
      frameNumber: 0,
      markings: [
        [RELEASE_LONG, 1],
        [RELEASE_LONG, 0],
      ],
    };
    expect(markingsOf([made, released])).toEqual([[[MAKE_LONG, 0, 1]], [[RELEASE_LONG, 1]]]);
  });

  it('keeps no long-term reference of a number that no decoder has', () => {
    const markings = (index: number) => [{ markings: [[MAKE_LONG, 0, index]] }, { markings: [[RELEASE_LONG, index]] }];
    expect(markingsOf(markings(15))[1]).toEqual([[RELEASE_LONG, 15]]);
    expect(markingsOf(markings(16))[1]).toEqual([]);
  });

  it('counts as the camera does from a picture on at which that begins anew', () => {
    const entry = new H264Entry();
    entry.next(entryAt());
    entry.next(pictureAt({ markings: [[RELEASE_ALL]] }));
    const header = headerIn(entry.next(pictureAt({ frameNumber: 1, order: 2, markings: [[RELEASE_SHORT, 0]] })));
    expect(header).toMatchObject({ frameNumber: 1, order: 2, marking: { markings: [{ kind: 1, values: [0] }] } });
  });

  it.each([
    ['a picture that refers to others', { type: SliceType.P }],
    ['a picture that nothing refers to', { isReference: false }],
    ['a partition', { nalType: 2 }],
    ['a picture that stays for long', { markings: [[6, 0]] }],
  ])('does not begin with %s', (_, fields) => {
    expect(new H264Entry().next(entryAt(fields))).toBeUndefined();
  });

  it('gives nothing for damage, and goes on behind it', () => {
    const entry = new H264Entry();
    entry.next(entryAt());
    expect(entry.next(accessUnit(Uint8Array.of(0x41, 0x00)))).toBeUndefined();
    expect(entry.next(accessUnit(Uint8Array.of(0x41, 0x9b, 0x4f)))).toBeUndefined();
    expect(headerIn(entry.next(pictureAt({})))?.frameNumber).toBe(1);
  });
});

describe('H264Entry, where gradual refresh begins', () => {
  const REFERENCES = 4;
  const recoveringAt = (fields: Partial<SliceFields> = {}, isArithmetic = true): Uint8Array<ArrayBuffer> =>
    accessUnit(
      sequenceSet(),
      pictureSet(isArithmetic),
      recoveryPoint(20),
      sliceOf({ type: SliceType.P, frameNumber: 14, order: 50, isArithmetic, ...fields }),
    );
  const typesIn = (bytes: Uint8Array | undefined) => splitNalUnits(bytes ?? new Uint8Array()).map(({ type }) => type);

  it('has grey pictures in front, one for each reference that a decoder holds, of which the first is an IDR picture', () => {
    const entry = new H264Entry(3, 'recovering');
    const own = entry.next(recoveringAt());
    const standIns = entry.takeStandIns();
    expect(standIns.map(typesIn)).toEqual([[7, 8, 8, 5], [1], [1], [1]]);
    expect(typesIn(own)).toEqual([6, 1]);
    expect(entry.takeStandIns()).toEqual([]);
    // A byte for each of 20 by 12 macroblocks, and headers.
    expect(standIns[0]?.length).toBeLessThan(20 * 12 + 80);
    expect(standIns[1]?.length).toBeLessThan(20);
  });

  it('counts on behind the grey pictures', () => {
    const entry = new H264Entry(0, 'recovering');
    const pictures = [
      recoveringAt(),
      pictureAt({ frameNumber: 15, order: 58 }),
      pictureAt({ frameNumber: 0, order: 2 }),
    ];
    const headers = pictures.map((bytes) => headerIn(entry.next(bytes)));
    expect(headers.map((header) => [header?.frameNumber, header?.order])).toEqual([
      [REFERENCES, 2 * REFERENCES],
      [REFERENCES + 1, 2 * REFERENCES + 8],
      [REFERENCES + 2, 2 * REFERENCES + 16],
    ]);
  });

  it('releases grey pictures in place of those that the camera names, and none that there isn’t', () => {
    const entry = new H264Entry(0, 'recovering');
    const markings = [
      [RELEASE_SHORT, 0],
      [RELEASE_SHORT, 3],
      [RELEASE_SHORT, 4],
    ];
    const [own] = [recoveringAt({ markings })].map((bytes) => headerIn(entry.next(bytes)));
    expect(own?.marking?.markings?.map(({ values }) => values)).toEqual([[0], [3]]);
    // Where nothing is left to release, the oldest makes room.
    const next = headerIn(entry.next(pictureAt({ markings: [[RELEASE_LONG, 0]] })));
    expect(next?.marking?.markings).toBeUndefined();
  });

  it('takes a picture set number that the camera makes no use of', () => {
    const numbers = (bytes: Uint8Array | undefined) =>
      splitNalUnits(bytes ?? new Uint8Array()).flatMap((unit) => parsePps(unit.bytes)?.id ?? []);
    const entry = new H264Entry(0, 'recovering');
    entry.next(recoveringAt());
    expect(numbers(entry.takeStandIns()[0])).toEqual([0, 255]);
  });

  it.each([
    ['a picture that nothing refers to', { isReference: false }],
    ['a picture that stays for long', { markings: [[6, 0]] }],
    ['an IDR picture', { nalType: 5 }],
  ])('does not begin with %s', (_, fields) => {
    const entry = new H264Entry(0, 'recovering');
    expect(entry.next(recoveringAt(fields))).toBeUndefined();
    expect(entry.takeStandIns()).toEqual([]);
  });
});
