import { BitReader } from '../../../shared/protocol/codec/video/bitReader.ts';
import { removeEscapes } from '../../../shared/protocol/codec/video/escapes.ts';
import type { OnLimit } from '../../limits/limit.ts';
import { copyOf, type NalUnit, splitNalUnits, withStartCodes } from '../h264/annexB.ts';
import type { NormalisedUnit } from '../h264/normaliser.ts';
import { PictureSets } from '../h264/pictureSets.ts';

/** ITU-T H.265, table 7-1. */
export const HevcNalType = {
  RaslN: 8,
  RaslR: 9,
  BlaWLp: 16,
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

/** The same for H.265 as for H.264: access units of slices, key frames with their parameter sets in front. */
export class H265Normaliser {
  #vps: NalUnit | undefined;
  #sps: NalUnit | undefined;
  readonly #pps: PictureSets;

  constructor(onLimit?: OnLimit) {
    this.#pps = new PictureSets(onLimit);
  }

  /** The unit to pass on; undefined when there is no picture to show in it, or its parameter sets are not known. */
  push(accessUnit: Uint8Array): NormalisedUnit | undefined {
    const units = splitNalUnits(accessUnit);
    for (const unit of units) this.#remember(unit);
    const parts = units.filter((unit) => isPicturePart(hevcTypeOf(unit)));
    if (!parts.some((unit) => hevcTypeOf(unit) <= HevcNalType.LastSlice)) return undefined;
    if (!parts.some((unit) => isRandomAccess(hevcTypeOf(unit)))) return { isKey: false, parts: withStartCodes(parts) };
    if (this.#vps === undefined || this.#sps === undefined || this.#pps.size === 0) return undefined;
    return { isKey: true, parts: withStartCodes([this.#vps, this.#sps, ...this.#pps.all(), ...parts]) };
  }

  #remember(unit: NalUnit): void {
    switch (hevcTypeOf(unit)) {
      case HevcNalType.Vps:
        this.#vps = copyOf(unit);
        return;
      case HevcNalType.Sps:
        if (this.#sps !== undefined && !Buffer.from(this.#sps.bytes).equals(unit.bytes)) this.#pps.clear();
        this.#sps = copyOf(unit);
        return;
      case HevcNalType.Pps:
        this.#pps.set(new BitReader(removeEscapes(unit.bytes.subarray(2, 10))).unsigned(), unit);
        return;
    }
  }
}

/** IDR, CRA and BLA: decoding may begin there. */
function isRandomAccess(type: number): boolean {
  return type >= HevcNalType.BlaWLp && type <= HevcNalType.LastIrap;
}

/**
 * RASL pictures refer to what came before their key frame. Every viewer begins at a key frame, so they are left out for
 * all: a group stands alone, on the screen as on the disk.
 */
function isPicturePart(type: number): boolean {
  if (type === HevcNalType.RaslN || type === HevcNalType.RaslR) return false;
  return type <= HevcNalType.LastSlice || type === HevcNalType.PrefixSei || type === HevcNalType.SuffixSei;
}
