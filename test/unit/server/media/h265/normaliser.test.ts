import { describe, expect, it } from 'vitest';
import { joinNalUnits, splitNalUnits } from '../../../../../server/media/h264/annexB.ts';
import { H265Normaliser, hevcTypeOf } from '../../../../../server/media/h265/normaliser.ts';

const unit = (type: number, ...payload: number[]): number[] => [type << 1, 1, ...payload];
const VPS = unit(32, 0x0c, 1);
const SPS = unit(33, 1, 1);
const PPS = unit(34, 0xc1); // pps_pic_parameter_set_id 0
const PPS_1 = unit(34, 0x41); // pps_pic_parameter_set_id 1
const IDR = unit(19, 0xaf);
const CRA = unit(21, 0xaf);
const TRAIL = unit(1, 0xd0);
const RASL = unit(9, 0xd0);
const DELIMITER = unit(35, 0x50);
const SEI = unit(39, 5);

const stream = (...units: number[][]): Uint8Array =>
  joinNalUnits(units.map((bytes) => ({ type: 0, bytes: Uint8Array.from(bytes) })));
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
    expect(typesOf(normaliser.push(stream(unit(33, 2, 2), PPS, IDR))?.parts)).toEqual([32, 33, 34, 19]);
  });

  it('passes a delta frame on, and leaves out what refers to before its key frame', () => {
    const normaliser = new H265Normaliser();
    expect(normaliser.push(stream(TRAIL))).toMatchObject({ isKey: false });
    expect(normaliser.push(stream(RASL))).toBeUndefined();
  });
});
