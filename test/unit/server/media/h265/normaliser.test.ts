import { describe, expect, it } from 'vitest';
import { joinNalUnits } from '../../../../../server/media/h264/annexB.ts';
import { hevcTypeOf } from '../../../../../server/media/h265/nalTypes.ts';
import { H265Normaliser } from '../../../../../server/media/h265/normaliser.ts';
import { splitNalUnits } from '../../../../../shared/protocol/codec/video/nalUnits.ts';

const unit = (type: number, ...payload: number[]): number[] => [type << 1, 1, ...payload];
const VPS = unit(32, 0x0c, 1);
/** sps_video_parameter_set_id 0, one layer, a profile of zeros, and what begins with sps_seq_parameter_set_id. */
const sequenceSet = (...rest: number[]): number[] => unit(33, 0x01, ...Array<number>(12).fill(0x11), ...rest);
const SPS = sequenceSet(0xa0);
const PPS = unit(34, 0xc1); // pps_pic_parameter_set_id 0
const PPS_1 = unit(34, 0x51); // pps_pic_parameter_set_id 1, pps_seq_parameter_set_id 0
const IDR = unit(19, 0xaf);
const IDR_WITH_PPS_1 = unit(19, 0x90);
const CRA = unit(21, 0xaf);
const BLA = unit(16, 0xaf);
const TRAIL = unit(1, 0xd0);
const TRAIL_WITH_PPS_1 = unit(1, 0xa0);
const RASL = unit(9, 0xd0);
const DELIMITER = unit(35, 0x50);
const SEI = unit(39, 5);

const stream = (...units: number[][]): Uint8Array =>
  joinNalUnits(units.map((bytes) => ({ type: 0, bytes: Uint8Array.from(bytes) })));
const unitsOf = (parts: readonly Uint8Array[] | undefined): number[][] =>
  splitNalUnits(Buffer.concat(parts ?? [])).map(({ bytes }) => [...bytes]);
const typesOf = (parts: readonly Uint8Array[] | undefined): number[] | undefined =>
  parts && splitNalUnits(Buffer.concat(parts)).map(hevcTypeOf);

describe('H265Normaliser', () => {
  it('keeps the parameter sets in front of a key frame and drops the delimiter', () => {
    const pushed = new H265Normaliser().push(stream(DELIMITER, VPS, SPS, PPS, SEI, IDR));
    expect(pushed?.isKey).toBe(true);
    expect(typesOf(pushed?.parts)).toEqual([32, 33, 34, 39, 19]);
  });

  it('puts the last sets before a key frame that comes without, each picture set once', () => {
    const normaliser = new H265Normaliser();
    expect(normaliser.push(stream(VPS, SPS, PPS, PPS_1))).toBeUndefined();
    expect(typesOf(normaliser.push(stream(PPS, CRA))?.parts)).toEqual([32, 33, 34, 34, 21]);
  });

  it('passes no key frame on before all three sets are known', () => {
    expect(new H265Normaliser().push(stream(SPS, PPS, IDR))).toBeUndefined();
  });

  it('forgets the picture sets of another sequence', () => {
    const normaliser = new H265Normaliser();
    normaliser.push(stream(VPS, SPS, PPS, PPS_1, IDR));
    expect(typesOf(normaliser.push(stream(sequenceSet(0xa1), PPS, IDR))?.parts)).toEqual([32, 33, 34, 19]);
  });

  it('puts the sequence that a key frame uses in front of it, of several that the camera sends', () => {
    const normaliser = new H265Normaliser();
    const otherVps = unit(32, 0x1c, 1); // vps_video_parameter_set_id 1
    const otherSps = unit(33, 0x11, ...Array<number>(12).fill(0x11), 0x50); // refers to it; sps_seq_parameter_set_id 1
    const otherPps = unit(34, 0x48); // pps_pic_parameter_set_id 1, pps_seq_parameter_set_id 1
    normaliser.push(stream(VPS, SPS, PPS, otherVps, otherSps, otherPps));
    expect(unitsOf(normaliser.push(stream(IDR))?.parts)).toEqual([VPS, SPS, PPS, IDR]);
    const other = normaliser.push(stream(IDR_WITH_PPS_1));
    expect(unitsOf(other?.parts)).toEqual([otherVps, otherSps, otherPps, IDR_WITH_PPS_1]);
  });

  it('sends a picture set that comes within a group with the first picture that uses it', () => {
    const normaliser = new H265Normaliser();
    normaliser.push(stream(VPS, SPS, PPS, IDR));
    expect(unitsOf(normaliser.push(stream(PPS_1, TRAIL))?.parts)).toEqual([TRAIL]);
    expect(unitsOf(normaliser.push(stream(TRAIL_WITH_PPS_1))?.parts)).toEqual([PPS_1, TRAIL_WITH_PPS_1]);
  });

  it('leaves out sets and slices of further layers', () => {
    const inLayer1 = (type: number, ...payload: number[]): number[] => [type << 1, 9, ...payload];
    const normaliser = new H265Normaliser();
    const pushed = normaliser.push(stream(VPS, SPS, PPS, inLayer1(34, 0xc2), IDR, inLayer1(1, 0xd0)));
    expect(unitsOf(pushed?.parts)).toEqual([VPS, SPS, PPS, IDR]);
  });

  it('marks what refers to before its key frame, and leaves it out where nobody can decode it', () => {
    const normaliser = new H265Normaliser();
    expect(normaliser.push(stream(VPS, SPS, PPS, CRA))).toMatchObject({
      isKey: true,
      startsOrder: false,
      dependence: 'entry',
    });
    expect(normaliser.push(stream(RASL))).toMatchObject({ isKey: false, dependence: 'leading' });
    expect(normaliser.push(stream(TRAIL))).toMatchObject({ isKey: false, dependence: undefined });
    expect(normaliser.push(stream(BLA))).toMatchObject({ isKey: true, startsOrder: true, dependence: undefined });
    expect(normaliser.push(stream(RASL))).toBeUndefined();
    expect(normaliser.push(stream(IDR))).toMatchObject({ startsOrder: true, dependence: undefined });
  });

  it('passes a delta frame on, and leaves out what refers to before its key frame', () => {
    const normaliser = new H265Normaliser();
    expect(normaliser.push(stream(TRAIL))).toMatchObject({ isKey: false });
    expect(normaliser.push(stream(RASL))).toBeUndefined();
  });
});
