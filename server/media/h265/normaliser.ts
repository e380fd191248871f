import { type NalUnit, splitNalUnits, withStartCodes } from '../../../shared/protocol/codec/video/nalUnits.ts';
import type { OnLimit } from '../../limits/limit.ts';
import type { NormalisedUnit } from '../h264/normaliser.ts';
import { ParameterSets } from '../parameterSets.ts';
import { HevcNalType, hevcLayerOf, hevcTypeOf, isRandomAccess } from './nalTypes.ts';
import { pictureSetIdOf, readSetHead } from './setHeads.ts';

/** The same for H.265 as for H.264: access units of slices, key frames with their parameter sets in front. */
export class H265Normaliser {
  readonly #sets: ParameterSets;
  #isBehindCra = false;

  constructor(onLimit?: OnLimit) {
    this.#sets = new ParameterSets('h265', onLimit);
  }

  /** The unit to pass on; undefined when there is no picture to show in it, or its parameter sets are not known. */
  push(accessUnit: Uint8Array): NormalisedUnit | undefined {
    // Other layers are extensions that no player decodes; their sets have numbers of their own.
    const units = splitNalUnits(accessUnit).filter((unit) => hevcLayerOf(unit) === 0);
    const firstSlice = units.findIndex((unit) => hevcTypeOf(unit) <= HevcNalType.LastSlice);
    const behind = firstSlice < 0 ? units.length : firstSlice;
    for (const unit of units.slice(0, behind)) this.#keep(unit);
    const picture = this.#normalise(units.filter((unit) => isPicturePart(hevcTypeOf(unit))));
    // Sets behind a picture are those of the next one.
    for (const unit of units.slice(behind)) this.#keep(unit);
    return picture;
  }

  #normalise(parts: readonly NalUnit[]): NormalisedUnit | undefined {
    const slices = parts.filter((unit) => hevcTypeOf(unit) <= HevcNalType.LastSlice);
    const [first] = slices;
    if (first === undefined) return undefined;
    const setIds = slices.flatMap((slice) => pictureSetIdOf(slice) ?? []);
    const isKey = slices.some((unit) => isRandomAccess(hevcTypeOf(unit)));
    const isLeading = isRasl(hevcTypeOf(first));
    // Behind any other random access picture nobody can decode them.
    if (isLeading && !this.#isBehindCra) return undefined;
    if (isKey) this.#isBehindCra = hevcTypeOf(first) === HevcNalType.Cra;
    const sets = isKey ? this.#sets.beginGroup(setIds)?.all : this.#sets.withinGroup(setIds);
    if (sets === undefined) return undefined;
    return {
      isKey,
      startsOrder: isKey && !this.#isBehindCra,
      dependence: isLeading ? 'leading' : isKey && this.#isBehindCra ? 'entry' : undefined,
      parts: withStartCodes([...sets.map(({ unit }) => unit), ...parts]),
    };
  }

  #keep(unit: NalUnit): void {
    const head = readSetHead(unit);
    if (head !== undefined) this.#sets.keep(head, unit);
  }
}

/** Random access skipped leading pictures: they refer to what came before their key frame. */
function isRasl(type: number): boolean {
  return type === HevcNalType.RaslN || type === HevcNalType.RaslR;
}

function isPicturePart(type: number): boolean {
  return type <= HevcNalType.LastSlice || type === HevcNalType.PrefixSei || type === HevcNalType.SuffixSei;
}
