import { describe, expect, it } from 'vitest';
import { joinNalUnits } from '../../../../../server/media/h264/annexB.ts';
import { H264Normaliser } from '../../../../../server/media/h264/normaliser.ts';
import { ReorderWatch } from '../../../../../server/media/h264/reorderWatch.ts';
import { splitNalUnits } from '../../../../../shared/protocol/codec/video/nalUnits.ts';
import {
  accessUnit,
  pictureSet,
  recoveryPoint,
  type SliceFields,
  SliceType,
  sequenceSet,
  sliceOf,
} from '../../../../support/media/slices.ts';

const SPS = [0x67, 0x4d, 0x40, 0x1e, 0x9a];
const PPS = [0x68, 0xee, 0x3c, 0x80];
const IDR = [0x65, 0x88, 0x84, 0x21];
const DELTA = [0x41, 0x9a, 0x02];
const DELIMITER = [0x09, 0xf0];
const SPS_1 = [0x67, 0x4d, 0x40, 0x1e, 0x56]; // seq_parameter_set_id 1
const PPS_1 = [0x68, 0x5e, 0x3c, 0x80]; // pic_parameter_set_id 1, seq_parameter_set_id 0
const PPS_OF_SPS_1 = [0x68, 0x4a, 0x3c, 0x80]; // pic_parameter_set_id 1, seq_parameter_set_id 1
const IDR_WITH_PPS_1 = [0x65, 0x88, 0x44, 0x21];
const DELTA_WITH_PPS_1 = [0x41, 0x99, 0x02];

const stream = (...units: number[][]): Uint8Array =>
  joinNalUnits(units.map((unit) => ({ type: 0, bytes: Uint8Array.from(unit) })));
const unitsOf = (parts: readonly Uint8Array[] | undefined): number[][] =>
  splitNalUnits(Buffer.concat(parts ?? [])).map(({ bytes }) => [...bytes]);
const typesOf = (parts: readonly Uint8Array[] | undefined): number[] | undefined =>
  parts && splitNalUnits(Buffer.concat(parts)).map((unit) => unit.type);

describe('splitNalUnits', () => {
  it('finds units behind three- and four-byte start codes and drops filling zeros', () => {
    const bytes = Uint8Array.from([0, 0, 1, ...DELTA, 0, 0, 0, 1, ...IDR, 0, 0]);
    expect(splitNalUnits(bytes).map((unit) => [...unit.bytes])).toEqual([DELTA, IDR]);
  });

  it.each([[[]], [[0, 0]], [[0, 0, 1]], [[1, 2, 3]], [[0, 0, 0, 0, 1]]])('finds nothing in %j', (bytes) => {
    expect(splitNalUnits(Uint8Array.from(bytes))).toEqual([]);
  });
});

describe('H264Normaliser', () => {
  it('copies no picture, and keeps no picture alive for the sake of its parameter sets', () => {
    const accessUnit = stream(SPS, PPS, IDR);
    const normaliser = new H264Normaliser();
    const first = normaliser.push(accessUnit)?.parts ?? [];
    expect(first.at(-1)?.buffer).toBe(accessUnit.buffer);
    const later = normaliser.push(stream(IDR))?.parts ?? [];
    const sets = later.slice(0, -1);
    expect(sets.map(({ buffer }) => buffer === accessUnit.buffer)).toEqual(sets.map(() => false));
  });

  it('keeps the parameter sets in front of a key frame and drops the delimiter', () => {
    const unit = new H264Normaliser().push(stream(DELIMITER, SPS, PPS, IDR));
    expect(unit?.isKey).toBe(true);
    expect(typesOf(unit?.parts)).toEqual([7, 8, 5]);
  });

  it('puts the last parameter sets before a key frame that comes without', () => {
    const normaliser = new H264Normaliser();
    expect(normaliser.push(stream(SPS, PPS))).toBeUndefined();
    expect(typesOf(normaliser.push(stream(IDR))?.parts)).toEqual([7, 8, 5]);
    expect(typesOf(normaliser.push(stream(IDR))?.parts)).toEqual([7, 8, 5]);
  });

  it('passes no key frame on before its parameter sets are known', () => {
    expect(new H264Normaliser().push(stream(IDR))).toBeUndefined();
  });

  it('drops unused picture parameter sets of the sequence before', () => {
    const normaliser = new H264Normaliser();
    normaliser.push(stream(SPS, PPS, PPS_1, IDR));
    const otherSps = [...SPS.slice(0, 3), 0x28, 0x91];
    const unit = normaliser.push(stream(otherSps, PPS, IDR));
    const sets = splitNalUnits(Buffer.concat(unit?.parts ?? []));
    expect(sets.map((each) => each.type)).toEqual([7, 8, 5]);
    expect([...(sets[0]?.bytes ?? [])]).toEqual(otherSps);
  });

  it('keeps several picture parameter sets by their number', () => {
    const normaliser = new H264Normaliser();
    normaliser.push(stream(SPS, PPS, PPS_1));
    expect(typesOf(normaliser.push(stream(PPS, IDR))?.parts)).toEqual([7, 8, 8, 5]);
  });

  it('puts the sequence that a key frame uses in front of it, of several that the camera sends', () => {
    const normaliser = new H264Normaliser();
    const unit = normaliser.push(stream(DELIMITER, SPS, PPS, SPS_1, PPS_OF_SPS_1, IDR));
    expect(unitsOf(unit?.parts)).toEqual([SPS, PPS, IDR]);
    const other = normaliser.push(stream(DELIMITER, SPS, PPS, SPS_1, PPS_OF_SPS_1, IDR_WITH_PPS_1));
    expect(unitsOf(other?.parts)).toEqual([SPS_1, PPS_OF_SPS_1, IDR_WITH_PPS_1]);
  });

  it('keeps sequences that a later key frame uses', () => {
    const normaliser = new H264Normaliser();
    normaliser.push(stream(SPS, PPS, IDR));
    normaliser.push(stream(SPS_1, PPS_OF_SPS_1, DELTA));
    expect(unitsOf(normaliser.push(stream(IDR_WITH_PPS_1))?.parts)).toEqual([SPS_1, PPS_OF_SPS_1, IDR_WITH_PPS_1]);
    expect(unitsOf(normaliser.push(stream(IDR))?.parts)).toEqual([SPS, PPS, IDR]);
  });

  it('keeps a picture parameter set for a sequence that is sent again with other values', () => {
    const normaliser = new H264Normaliser();
    normaliser.push(stream(SPS, PPS, IDR));
    const otherSps = [...SPS.slice(0, 3), 0x28, 0x91];
    expect(unitsOf(normaliser.push(stream(otherSps, IDR))?.parts)).toEqual([otherSps, PPS, IDR]);
  });

  it('sends a picture parameter set that comes within a group with the first picture that uses it', () => {
    const normaliser = new H264Normaliser();
    normaliser.push(stream(SPS, PPS, IDR));
    expect(unitsOf(normaliser.push(stream(PPS_1, DELTA))?.parts)).toEqual([DELTA]);
    expect(unitsOf(normaliser.push(stream(DELTA_WITH_PPS_1))?.parts)).toEqual([PPS_1, DELTA_WITH_PPS_1]);
    expect(unitsOf(normaliser.push(stream(DELTA_WITH_PPS_1))?.parts)).toEqual([DELTA_WITH_PPS_1]);
  });

  it('sends a picture parameter set that changes under its number within a group once, and again in the next group', () => {
    const normaliser = new H264Normaliser();
    normaliser.push(stream(SPS, PPS, IDR));
    const changed = [0x68, 0xee, 0x3c, 0x81];
    expect(normaliser.push(stream(changed))).toBeUndefined();
    expect(unitsOf(normaliser.push(stream(DELTA))?.parts)).toEqual([changed, DELTA]);
    expect(unitsOf(normaliser.push(stream(changed, DELTA))?.parts)).toEqual([DELTA]);
    expect(unitsOf(normaliser.push(stream(IDR))?.parts)).toEqual([SPS, changed, IDR]);
  });

  it('applies a set behind a picture to the next one', () => {
    const normaliser = new H264Normaliser();
    const changed = [0x68, 0xee, 0x3c, 0x81];
    expect(unitsOf(normaliser.push(stream(SPS, PPS, IDR, changed))?.parts)).toEqual([SPS, PPS, IDR]);
    expect(unitsOf(normaliser.push(stream(DELTA))?.parts)).toEqual([changed, DELTA]);
  });

  it('passes no key frame on whose own sets are missing', () => {
    expect(new H264Normaliser().push(stream(SPS, PPS, IDR_WITH_PPS_1))).toBeUndefined();
    expect(new H264Normaliser().push(stream(SPS, PPS_OF_SPS_1, IDR_WITH_PPS_1))).toBeUndefined();
  });

  it('ignores sets with numbers that the standard does not have', () => {
    const normaliser = new H264Normaliser();
    // seq_parameter_set_id 32, and a picture parameter set that refers to it.
    normaliser.push(stream([0x67, 0x4d, 0x40, 0x1e, 0x04, 0x20], [0x68, 0x82, 0x10, 0x80]));
    expect(normaliser.push(stream(IDR))).toBeUndefined();
  });

  it('strips the types that make a decoder doubt a key frame', () => {
    const unit = new H264Normaliser().push(stream(SPS, PPS, [0x7e, 1, 2], IDR, [0x6c, 0xff, 0x80]));
    expect(typesOf(unit?.parts)).toEqual([7, 8, 5]);
  });

  it('passes a delta frame on as it is', () => {
    const unit = new H264Normaliser().push(stream(DELTA));
    expect(unit?.isKey).toBe(false);
    expect(typesOf(unit?.parts)).toEqual([1]);
  });
});

describe('a stream without IDR pictures', () => {
  const I = sliceOf({ type: SliceType.I, frameNumber: 4, order: 20 });
  const picture = (fields: Partial<SliceFields>): Uint8Array =>
    accessUnit(sliceOf({ type: SliceType.B, frameNumber: 5, order: 18, isReference: false, ...fields }));

  /** Behind its parameter sets, which a camera may have sent long ago. */
  function begun(): H264Normaliser {
    const normaliser = new H264Normaliser();
    normaliser.push(accessUnit(sequenceSet(), pictureSet()));
    return normaliser;
  }

  it('can be entered at an I picture that says that pictures are right from there on', () => {
    const unit = begun().push(accessUnit(recoveryPoint(0), I));
    expect(unit).toMatchObject({ isKey: true, startsOrder: false, dependence: 'entry' });
    expect(typesOf(unit?.parts)).toEqual([7, 8, 6, 1]);
  });

  it('can be entered at an I picture with its parameter sets', () => {
    const unit = new H264Normaliser().push(accessUnit(sequenceSet(), pictureSet(), I));
    expect(unit).toMatchObject({ isKey: true, dependence: 'entry' });
  });

  it.each([
    ['an I picture that says nothing', [I]],
    ['an I picture with the sets of the next one behind it', [I, sequenceSet(), pictureSet()]],
    ['pictures that are right only much later', [recoveryPoint(301), I]],
    [
      'a picture of which a part refers to others',
      [recoveryPoint(0), I, sliceOf({ type: SliceType.P, frameNumber: 4, order: 20 })],
    ],
    ['a picture that refers to others', [recoveryPoint(0), sliceOf({ type: SliceType.P, frameNumber: 4, order: 20 })]],
    [
      'a picture that nothing refers to',
      [recoveryPoint(0), sliceOf({ type: SliceType.I, frameNumber: 4, order: 20, isReference: false })],
    ],
    ['damage', [recoveryPoint(0), Uint8Array.of(0x41, 0xb3)]],
  ])('cannot be entered at %s', (_, units) => {
    expect(begun().push(accessUnit(...units))).toMatchObject({ isKey: false, dependence: undefined });
  });

  it('marks the pictures that are shown before the entry, up to the next one', () => {
    const normaliser = begun();
    normaliser.push(accessUnit(recoveryPoint(0), I));
    const next = { order: 34, frameNumber: 6, type: SliceType.I, isReference: true };
    const pictures = [{ order: 16 }, { order: 18 }, { order: 30, type: SliceType.P, isReference: true }, { order: 22 }];
    const marks = pictures.map((fields) => normaliser.push(picture(fields))?.dependence);
    expect(marks).toEqual(['leading', 'leading', undefined, undefined]);
    normaliser.push(accessUnit(recoveryPoint(0), sliceOf({ type: SliceType.I, frameNumber: 6, order: 34 })));
    expect(normaliser.push(picture({ order: 32 }))?.dependence).toBe('leading');
    expect(normaliser.push(picture(next))?.dependence).toBeUndefined();
  });

  it('has no leading pictures behind an IDR picture', () => {
    const normaliser = begun();
    normaliser.push(accessUnit(recoveryPoint(0), I));
    const idr = sliceOf({ type: SliceType.I, frameNumber: 0, order: 0, nalType: 5 });
    expect(normaliser.push(accessUnit(idr))).toMatchObject({ isKey: true, startsOrder: true, dependence: undefined });
    expect(normaliser.push(picture({ order: 2, frameNumber: 1 }))?.dependence).toBeUndefined();
  });
});

describe('a stream with gradual refresh', () => {
  const refreshed = (fields: Partial<SliceFields> = {}, frames = 25): Uint8Array =>
    accessUnit(recoveryPoint(frames), sliceOf({ type: SliceType.P, frameNumber: 4, order: 20, ...fields }));
  const next = accessUnit(sliceOf({ type: SliceType.P, frameNumber: 5, order: 22 }));

  function begun(sps = sequenceSet(), reorder = new ReorderWatch()): H264Normaliser {
    const normaliser = new H264Normaliser(reorder);
    normaliser.push(accessUnit(sps, pictureSet()));
    return normaliser;
  }

  it('has a group at each picture that says when pictures are right', () => {
    const unit = begun().push(refreshed());
    expect(unit).toMatchObject({ isKey: true, startsOrder: false, dependence: 'recovering' });
    expect(typesOf(unit?.parts)).toEqual([7, 8, 6, 1]);
    const leading = accessUnit(sliceOf({ type: SliceType.B, frameNumber: 5, order: 18, isReference: false }));
    const normaliser = begun();
    normaliser.push(refreshed());
    expect(normaliser.push(leading)?.dependence).toBe('leading');
  });

  it('has no groups of a few pictures where every picture says so', () => {
    const normaliser = begun();
    const keys = Array.from({ length: 25 }, () => normaliser.push(refreshed())?.isKey);
    expect(keys.flatMap((isKey, at) => (isKey === true ? [at] : []))).toEqual([0, 11, 22]);
  });

  it.each([
    ['with a picture that nothing refers to', refreshed({ isReference: false })],
    ['with a picture that stays for long', refreshed({ markings: [[6, 0]] })],
    ['that takes too long', refreshed({}, 301)],
    ['that is said to be right at once and refers to others', refreshed({}, 0)],
  ])('has none %s', (_, bytes) => {
    expect(begun().push(bytes)).toMatchObject({ isKey: false, dependence: undefined });
  });

  it('has none in fields', () => {
    expect(begun(sequenceSet({ mayBeFields: true })).push(refreshed())).toMatchObject({ isKey: false });
  });

  it('keeps its sequence set from group to group, so that decoders go on', () => {
    const normaliser = begun(sequenceSet({ reorders: 1 }));
    const sets = Array.from({ length: 6 }, () => {
      const [set] = unitsOf(normaliser.push(refreshed())?.parts);
      for (let count = 0; count < 12; count++) normaliser.push(next);
      return set;
    });
    expect(new Set(sets.map((set) => set?.join())).size).toBe(1);
  });
});
