import { describe, expect, it } from 'vitest';
import { joinNalUnits, splitNalUnits } from '../../../../../server/media/h264/annexB.ts';
import { H264Normaliser } from '../../../../../server/media/h264/normaliser.ts';

const SPS = [0x67, 0x4d, 0x40, 0x1e, 0x9a];
const PPS = [0x68, 0xee, 0x3c, 0x80];
const IDR = [0x65, 0x88, 0x84, 0x21];
const DELTA = [0x41, 0x9a, 0x02];
const DELIMITER = [0x09, 0xf0];

const stream = (...units: number[][]): Uint8Array =>
  joinNalUnits(units.map((unit) => ({ type: 0, bytes: Uint8Array.from(unit) })));
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

  it('drops picture parameter sets of the sequence before', () => {
    const normaliser = new H264Normaliser();
    normaliser.push(stream(SPS, PPS, IDR));
    const otherSps = [...SPS.slice(0, 3), 0x28, 0x11];
    const unit = normaliser.push(stream(otherSps, PPS, IDR));
    const sets = splitNalUnits(Buffer.concat(unit?.parts ?? []));
    expect(sets.map((each) => each.type)).toEqual([7, 8, 5]);
    expect([...(sets[0]?.bytes ?? [])]).toEqual(otherSps);
  });

  it('keeps several picture parameter sets by their number', () => {
    const normaliser = new H264Normaliser();
    const second = [0x68, 0x5e, 0x3c, 0x80]; // pic_parameter_set_id 1
    normaliser.push(stream(SPS, PPS, second));
    expect(typesOf(normaliser.push(stream(PPS, IDR))?.parts)).toEqual([7, 8, 8, 5]);
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
