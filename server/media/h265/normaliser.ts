import type { OnLimit } from '../../limits/limit.ts';
import { type NalUnit, splitNalUnits, withStartCodes } from '../h264/annexB.ts';
import type { NormalisedUnit } from '../h264/normaliser.ts';
import { ParameterSets } from '../parameterSets.ts';
import { HevcNalType, hevcLayerOf, hevcTypeOf, isRandomAccess } from './nalTypes.ts';
import { pictureSetIdOf, readSetHead } from './setHeads.ts';

/** The same for H.265 as for H.264: access units of slices, key frames with their parameter sets in front. */
export class H265Normaliser {
  readonly #sets: ParameterSets;

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
    if (slices.length === 0) return undefined;
    const setIds = slices.flatMap((slice) => pictureSetIdOf(slice) ?? []);
    const isKey = slices.some((unit) => isRandomAccess(hevcTypeOf(unit)));
    const sets = isKey ? this.#sets.beginGroup(setIds)?.all : this.#sets.withinGroup(setIds);
    return sets && { isKey, parts: withStartCodes([...sets.map(({ unit }) => unit), ...parts]) };
  }

  #keep(unit: NalUnit): void {
    const head = readSetHead(unit);
    if (head !== undefined) this.#sets.keep(head, unit);
  }
}

/**
 * RASL pictures refer to what came before their key frame. Every viewer begins at a key frame, so they are left out for
 * all: a group stands alone, on the screen as on the disk.
 */
function isPicturePart(type: number): boolean {
  if (type === HevcNalType.RaslN || type === HevcNalType.RaslR) return false;
  return type <= HevcNalType.LastSlice || type === HevcNalType.PrefixSei || type === HevcNalType.SuffixSei;
}
