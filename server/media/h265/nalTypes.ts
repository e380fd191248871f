import type { NalUnit } from '../../../shared/protocol/codec/video/nalUnits.ts';

/** ITU-T H.265, table 7-1. */
export const HevcNalType = {
  RaslN: 8,
  RaslR: 9,
  BlaWLp: 16,
  Cra: 21,
  LastIrap: 23,
  LastSlice: 31,
  Vps: 32,
  Sps: 33,
  Pps: 34,
  PrefixSei: 39,
  SuffixSei: 40,
} as const;

export function hevcTypeOf({ bytes }: NalUnit): number {
  return ((bytes[0] ?? 0) >> 1) & 0x3f;
}

/** nuh_layer_id. */
export function hevcLayerOf({ bytes }: NalUnit): number {
  return (((bytes[0] ?? 0) & 1) << 5) | ((bytes[1] ?? 0) >> 3);
}

/** IDR, CRA and BLA: decoding may begin there. */
export function isRandomAccess(type: number): boolean {
  return type >= HevcNalType.BlaWLp && type <= HevcNalType.LastIrap;
}
