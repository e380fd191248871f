// The parameter sets of a stream, as far as a terminal may make the gateway keep them. H.264 and H.265 number them alike.

import type { NalUnit } from '../../shared/protocol/codec/video/nalUnits.ts';
import type { Limit, OnLimit } from '../limits/limit.ts';
import { copyOf } from './h264/annexB.ts';

/**
 * Parameter sets of a stream that are kept to go in front of its key frames, overhead included. A camera has one or two of some ten bytes.
 * Further ones are ignored.
 */
export const PARAMETER_SETS_LIMIT: Limit = { name: 'media.parameter-set-bytes.channel', max: 64 * 1024 };
const SET_OVERHEAD_BYTES = 128;

/** `video` is that of H.265 alone. */
type SetKind = 'video' | 'sequence' | 'picture';

export interface SetHead {
  readonly kind: SetKind;
  readonly id: number;
  /** Number of the set that this one refers to: a picture's sequence, a sequence's video. */
  readonly refersTo: number;
}

interface KeptSet extends SetHead {
  readonly unit: NalUnit;
}

/** The sets that a group of pictures needs, in the order in which a decoder needs them. */
export interface NeededSets {
  readonly sequence: KeptSet;
  readonly all: readonly KeptSet[];
}

/** What picture sets refer to, directly or by way of another set; what refers to nothing comes first. */
const KINDS_ABOVE = { h264: ['sequence'], h265: ['video', 'sequence'] } as const;

/**
 * Keeps sets by their numbers. A group of pictures belongs to one sequence set; a picture set may be replaced between any two
 * pictures, and is sent again with the first picture that uses the new one.
 */
export class ParameterSets {
  readonly #codec: keyof typeof KINDS_ABOVE;
  readonly #onLimit: OnLimit | undefined;
  readonly #sets: Readonly<Record<SetKind, Map<number, KeptSet>>> = {
    video: new Map(),
    sequence: new Map(),
    picture: new Map(),
  };
  #bytes = 0;
  /** Picture sets that are older than their sequence set. They may be damage to it, so they are sent only where they are used. */
  readonly #outdated = new Set<KeptSet>();
  /** What the current group has brought. */
  readonly #sent = new Set<KeptSet>();

  constructor(codec: keyof typeof KINDS_ABOVE, onLimit?: OnLimit) {
    this.#codec = codec;
    this.#onLimit = onLimit;
  }

  /** Replaces the set with the same number. Ignored where there is no room. */
  keep(head: SetHead, unit: NalUnit): void {
    const sets = this.#sets[head.kind];
    const before = sets.get(head.id);
    if (before !== undefined && Buffer.compare(before.unit.bytes, unit.bytes) === 0) {
      this.#outdated.delete(before);
      return;
    }
    const bytes = this.#bytes - costOf(before) + costOf({ unit });
    if (bytes > PARAMETER_SETS_LIMIT.max) {
      this.#onLimit?.(PARAMETER_SETS_LIMIT);
      return;
    }
    this.#bytes = bytes;
    if (before !== undefined) this.#forget(before);
    sets.set(head.id, { ...head, unit: copyOf(unit) });
    if (head.kind === 'sequence') this.#outdate(head.id);
  }

  /** The set of a picture and the sequence set that it refers to; undefined where one is missing. */
  pairOf(pictureSetId: number): { readonly picture: NalUnit; readonly sequence: NalUnit } | undefined {
    const picture = this.#sets.picture.get(pictureSetId);
    const sequence = picture && this.#sets.sequence.get(picture.refersTo);
    return sequence && { picture: picture.unit, sequence: sequence.unit };
  }

  /**
   * For a picture at which a group begins: its sequence set, and every picture set that pictures behind it may use. Undefined where
   * one is missing.
   */
  beginGroup(pictureSetIds: Iterable<number>): NeededSets | undefined {
    const used = this.#used(pictureSetIds);
    const [first] = used ?? [];
    if (used === undefined || first === undefined) return undefined;
    const above = this.#above(first);
    const sequence = above?.at(-1);
    if (above === undefined || sequence === undefined) return undefined;
    const current = [...this.#sets.picture.values()].filter(
      (set) => set.refersTo === sequence.id && (used.includes(set) || !this.#outdated.has(set)),
    );
    const all = [...above, ...current];
    this.#sent.clear();
    for (const set of all) this.#sent.add(set);
    return { sequence, all };
  }

  /** For a picture within a group: the picture sets it uses that the group has not brought yet. */
  withinGroup(pictureSetIds: Iterable<number>): readonly KeptSet[] {
    const missing = (this.#used(pictureSetIds) ?? []).filter((set) => !this.#sent.has(set));
    for (const set of missing) this.#sent.add(set);
    return missing;
  }

  #used(pictureSetIds: Iterable<number>): KeptSet[] | undefined {
    const used: KeptSet[] = [];
    for (const id of new Set(pictureSetIds)) {
      const set = this.#sets.picture.get(id);
      if (set === undefined) return undefined;
      used.push(set);
    }
    return used;
  }

  /** The sets that a picture set refers to, the one all others refer to first. */
  #above(picture: KeptSet): KeptSet[] | undefined {
    const found: KeptSet[] = [];
    let refersTo = picture.refersTo;
    for (const kind of KINDS_ABOVE[this.#codec].toReversed()) {
      const set = this.#sets[kind].get(refersTo);
      if (set === undefined) return undefined;
      found.unshift(set);
      refersTo = set.refersTo;
    }
    return found;
  }

  #outdate(sequenceId: number): void {
    for (const set of this.#sets.picture.values()) if (set.refersTo === sequenceId) this.#outdated.add(set);
  }

  #forget(set: KeptSet): void {
    this.#outdated.delete(set);
    this.#sent.delete(set);
  }
}

function costOf(set: Pick<KeptSet, 'unit'> | undefined): number {
  return set === undefined ? 0 : set.unit.bytes.length + SET_OVERHEAD_BYTES;
}
