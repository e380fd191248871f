import type { OnLimit } from '../../limits/limit.ts';
import { ParameterSets } from '../parameterSets.ts';
import { NalType, type NalUnit, splitNalUnits, withStartCodes } from './annexB.ts';
import { PictureOrder } from './pictureOrder.ts';
import { ReorderWatch } from './reorderWatch.ts';
import { pictureSetIdOf, readSetHead } from './setHeads.ts';
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
 * the sets once or apart from the picture, and some send several of which their pictures use one.
 */
export class H264Normaliser {
  readonly #reorder: ReorderWatch;
  readonly #order = new PictureOrder();
  readonly #sets: ParameterSets;
  /** The sequence set that picture order is counted by. */
  #orderedBy: NalUnit | undefined;

  /** `reorder` has what earlier connections of the camera showed. */
  constructor(reorder: ReorderWatch = new ReorderWatch(), onLimit?: OnLimit) {
    this.#reorder = reorder;
    this.#sets = new ParameterSets('h264', onLimit);
  }

  /** The unit to pass on; undefined when there is no picture in it, or a key frame's parameter sets are not known. */
  push(accessUnit: Uint8Array): NormalisedUnit | undefined {
    const units = splitNalUnits(accessUnit);
    const firstSlice = units.find(({ type }) => isSlice(type));
    const behind = firstSlice === undefined ? units.length : units.indexOf(firstSlice);
    for (const unit of units.slice(0, behind)) this.#keep(unit);
    const picture = firstSlice && this.#normalise(units, firstSlice);
    // Sets behind a picture are those of the next one.
    for (const unit of units.slice(behind)) this.#keep(unit);
    return picture;
  }

  #normalise(units: readonly NalUnit[], firstSlice: NalUnit): NormalisedUnit | undefined {
    const parts = units.filter(({ type }) => isPicturePart(type));
    const isKey = parts.some(({ type }) => type === NalType.Idr);
    const setIds = pictureSetIds(parts);
    this.#reorder.observe(isKey, !isKey && parts.some(({ bytes }) => isBSlice(bytes)));
    if (!isKey) {
      const order = this.#order.next(firstSlice);
      const sets = this.#sets.withinGroup(setIds).map(({ unit }) => unit);
      return { isKey, parts: withStartCodes([...sets, ...parts]), order };
    }
    const needed = this.#sets.beginGroup(setIds);
    if (needed === undefined) return undefined;
    this.#countOrderBy(needed.sequence.unit);
    const order = this.#order.next(firstSlice);
    const sequence = { type: NalType.Sps, bytes: this.#reorder.rewrite(needed.sequence.unit.bytes) };
    const sets = needed.all.map((set) => (set === needed.sequence ? sequence : set.unit));
    return { isKey, parts: withStartCodes([...sets, ...parts]), order };
  }

  #keep(unit: NalUnit): void {
    const head = readSetHead(unit);
    if (head !== undefined) this.#sets.keep(head, unit);
  }

  #countOrderBy(sequence: NalUnit): void {
    if (this.#orderedBy === sequence) return;
    this.#orderedBy = sequence;
    this.#order.learnSet(sequence.bytes);
  }
}

/** Slices, whole or partition A, which has their header. */
function isSlice(type: number): boolean {
  return type === NalType.Slice || type === NalType.PartitionA || type === NalType.Idr;
}

function pictureSetIds(units: readonly NalUnit[]): number[] {
  return units.filter(({ type }) => isSlice(type)).flatMap((slice) => pictureSetIdOf(slice) ?? []);
}

/**
 * Slices and SEI. Parameter sets are added separately; delimiters, end marks and fillers contain no picture; types 20 to 31
 * are extensions and private data that make Chromium doubt a key frame (crbug 470109459).
 */
function isPicturePart(type: number): boolean {
  return (type >= NalType.Slice && type <= NalType.Idr) || type === NalType.Sei;
}
