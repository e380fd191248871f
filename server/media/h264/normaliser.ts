import type { OnLimit } from '../../limits/limit.ts';
import { copyOf, NalType, type NalUnit, splitNalUnits, withStartCodes } from './annexB.ts';
import { PictureOrder } from './pictureOrder.ts';
import { PictureSets } from './pictureSets.ts';
import { ReorderWatch } from './reorderWatch.ts';
import { isBSlice } from './slice.ts';

export interface NormalisedUnit {
  readonly isKey: boolean;
  /** Annex B in parts, views of what came in; a key frame begins with its parameter sets. */
  readonly parts: readonly Uint8Array[];
  /** Place in the order of showing, counted from the key frame on; undefined where it is not known. */
  readonly order?: number | undefined;
}

/**
 * Converts what terminals send into what every decoder takes and shows without delay: one access unit of slices, and key
 * frames that begin with their parameter sets, which declare that nothing is reordered if that is so. Some terminals send
 * the sets once or apart from the picture, so the last ones are kept.
 */
export class H264Normaliser {
  readonly #reorder: ReorderWatch;
  readonly #order = new PictureOrder();
  #sps: NalUnit | undefined;
  readonly #pps: PictureSets;

  /** `reorder` has what earlier connections of the camera showed. */
  constructor(reorder: ReorderWatch = new ReorderWatch(), onLimit?: OnLimit) {
    this.#reorder = reorder;
    this.#pps = new PictureSets(onLimit);
  }

  /** The unit to pass on; undefined when there is no picture in it, or a key frame came before any parameter set. */
  push(accessUnit: Uint8Array): NormalisedUnit | undefined {
    const units = splitNalUnits(accessUnit);
    for (const unit of units) this.#remember(unit);
    const slices = units.filter((unit) => isPicturePart(unit.type));
    const first = slices.find((unit) => unit.type <= NalType.Idr);
    if (first === undefined) return undefined;
    const isKey = slices.some((unit) => unit.type === NalType.Idr);
    this.#reorder.observe(isKey, !isKey && slices.some((unit) => isBSlice(unit.bytes)));
    const order = this.#order.next(first);
    if (!isKey) return { isKey, parts: withStartCodes(slices), order };
    if (this.#sps === undefined || this.#pps.size === 0) return undefined;
    const sps = { type: NalType.Sps, bytes: this.#reorder.rewrite(this.#sps.bytes) };
    return { isKey, parts: withStartCodes([sps, ...this.#pps.all(), ...slices]), order };
  }

  #remember(unit: NalUnit): void {
    if (unit.type === NalType.Pps) this.#pps.set(firstExpGolomb(unit.bytes), unit);
    if (unit.type !== NalType.Sps) return;
    if (this.#sps !== undefined && isEqual(this.#sps.bytes, unit.bytes)) return;
    if (this.#sps !== undefined) this.#pps.clear();
    this.#sps = copyOf(unit);
    this.#order.learnSet(unit.bytes);
  }
}

/**
 * Slices and SEI. Parameter sets are added separately; delimiters, end marks and fillers contain no picture; types 20 to 31
 * are extensions and private data that make Chromium doubt a key frame (crbug 470109459).
 */
function isPicturePart(type: number): boolean {
  return (type >= NalType.Slice && type <= NalType.Idr) || type === NalType.Sei;
}

/** pic_parameter_set_id: the unsigned Exp-Golomb number behind the NAL header. Damage gives some number, never a fault. */
function firstExpGolomb(unit: Uint8Array): number {
  const bits = ((unit[1] ?? 0) << 16) | ((unit[2] ?? 0) << 8) | (unit[3] ?? 0);
  const leadingZeros = Math.min(Math.clz32(bits) - 8, 11);
  return (bits >>> (24 - 2 * leadingZeros - 1)) - 1;
}

function isEqual(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((value, index) => value === right[index]);
}
