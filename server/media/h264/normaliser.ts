import { removeEscapes } from '../../../shared/protocol/codec/video/escapes.ts';
import { canEnterAt, canRecoverAt } from '../../../shared/protocol/codec/video/h264Entry.ts';
import { NalType, type NalUnit, splitNalUnits, withStartCodes } from '../../../shared/protocol/codec/video/nalUnits.ts';
import { parsePps } from '../../../shared/protocol/codec/video/pps.ts';
import { MAX_RECOVERY_FRAMES, recoveryFramesOf } from '../../../shared/protocol/codec/video/recoveryPoint.ts';
import { readSliceHeader, type SliceHeader } from '../../../shared/protocol/codec/video/sliceHeader.ts';
import { parseSps, type Sps } from '../../../shared/protocol/codec/video/sps.ts';
import type { Dependence } from '../../../shared/protocol/stream/streamPacket.ts';
import type { OnLimit } from '../../limits/limit.ts';
import { type NeededSets, ParameterSets } from '../parameterSets.ts';
import { PictureOrder } from './pictureOrder.ts';
import { ReorderWatch } from './reorderWatch.ts';
import { pictureSetIdOf, readSetHead } from './setHeads.ts';
import { isBSlice } from './slice.ts';

type EntryKind = Exclude<Dependence, 'leading'>;

/** Encoders that say at every picture that decoding may begin there would have groups of one. */
const MIN_RECOVERING_PICTURES = 10;

export interface NormalisedUnit {
  /** Decoding can begin here. */
  readonly isKey: boolean;
  /** Pictures are ordered anew from here on: a key frame across which no picture looks back. */
  readonly startsOrder: boolean;
  readonly dependence?: Dependence | undefined;
  /** Annex B in parts, views of what came in; a key frame begins with its parameter sets. */
  readonly parts: readonly Uint8Array[];
  /** Place in the order of showing, counted from the last picture that starts it; undefined where it is not known. */
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
  /** Place in the order of showing of the group's key frame, if that is an entry. */
  #entryOrder: number | undefined;
  /** Since the key frame. */
  #pictures = Number.POSITIVE_INFINITY;

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
    const isIdr = parts.some(({ type }) => type === NalType.Idr);
    const entry = isIdr ? undefined : this.#entryKind(units, firstSlice);
    const isKey = isIdr || entry !== undefined;
    this.#pictures = isKey ? 0 : this.#pictures + 1;
    const setIds = pictureSetIds(parts);
    this.#reorder.observe(isKey, !isKey && parts.some(({ bytes }) => isBSlice(bytes)));
    if (!isKey) {
      const order = this.#order.next(firstSlice);
      const dependence = this.#isLeading(order) ? 'leading' : undefined;
      const sets = this.#sets.withinGroup(setIds).map(({ unit }) => unit);
      return { isKey, startsOrder: false, dependence, parts: withStartCodes([...sets, ...parts]), order };
    }
    const needed = this.#sets.beginGroup(setIds);
    if (needed === undefined) return undefined;
    this.#countOrderBy(needed.sequence.unit);
    const order = this.#order.next(firstSlice);
    this.#entryOrder = isIdr ? undefined : order;
    const sets = this.#sent(needed, entry);
    return { isKey, startsOrder: isIdr, dependence: entry, parts: withStartCodes([...sets, ...parts]), order };
  }

  /**
   * Whether decoding can begin with a picture that is no IDR, and how. Encoders with open groups and those with gradual refresh say so
   * in a message. A camera that repeats its parameter sets in front of a picture that refers to no other means the same.
   */
  #entryKind(units: readonly NalUnit[], firstSlice: NalUnit): EntryKind | undefined {
    const kind = announcedKind(units.slice(0, units.indexOf(firstSlice)));
    if (kind === undefined || (kind === 'recovering' && this.#pictures < MIN_RECOVERING_PICTURES)) return undefined;
    const slices = units.filter(({ type }) => isSlice(type));
    const canBegin = slices.every((slice) => {
      const read = this.#readHeader(slice);
      return read !== undefined && (kind === 'entry' ? canEnterAt(read.header) : canRecoverAt(read.header, read.sps));
    });
    return canBegin ? kind : undefined;
  }

  #readHeader(slice: NalUnit): { readonly header: SliceHeader; readonly sps: Sps } | undefined {
    const sets = slice.type === NalType.Slice ? this.#sets.pairOf(pictureSetIdOf(slice) ?? -1) : undefined;
    const sps = sets && parseSps(sets.sequence.bytes);
    const pps = sets && parsePps(sets.picture.bytes);
    const header = sps && pps && readSliceHeader(removeEscapes(slice.bytes.subarray(0, HEAD_BYTES)), { sps, pps });
    return header && sps && { header, sps };
  }

  #isLeading(order: number | undefined): boolean {
    return order !== undefined && this.#entryOrder !== undefined && order < this.#entryOrder;
  }

  #sent({ sequence, all }: NeededSets, entry: EntryKind | undefined): NalUnit[] {
    // Who decodes across the entry would begin anew there if the set were another.
    const mayImprove = entry !== 'recovering';
    const rewritten = { type: NalType.Sps, bytes: this.#reorder.rewrite(sequence.unit.bytes, mayImprove) };
    return all.map((set) => (set === sequence ? rewritten : set.unit));
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

/** By the units in front of the picture. */
function announcedKind(units: readonly NalUnit[]): EntryKind | undefined {
  const said = units.map(recoveryFramesOf).find((frames) => frames !== undefined);
  if (said === 0) return 'entry';
  if (said !== undefined) return said <= MAX_RECOVERY_FRAMES ? 'recovering' : undefined;
  const hasSets = units.some(({ type }) => type === NalType.Sps) && units.some(({ type }) => type === NalType.Pps);
  return hasSets ? 'entry' : undefined;
}

/** Room for the header of a slice with the most markings and the weights of a few references. */
const HEAD_BYTES = 1_024;

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
