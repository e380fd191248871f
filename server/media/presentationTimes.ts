// Timestamps of pictures whose decoding order differs from their display order. Some terminals stamp pictures with the time of
// display, others with the time of capture, which only rises. Packets have to carry the former.

import type { Dependence } from '../../shared/protocol/stream/streamPacket.ts';

/** The kind of a camera's stamps; kept from one connection to the next. */
export interface StampMemory {
  areDecodingTimes: boolean;
}

export interface StampedPicture {
  readonly isKey: boolean;
  /** A new order begins at this picture. Missing: at each key frame. */
  readonly startsOrder?: boolean;
  readonly dependence?: Dependence | undefined;
  /** Place in display order, in the stream's steps from the key frame on; undefined where it is not known. */
  readonly order?: number | undefined;
  readonly stampUs: number;
}

interface Group {
  /** Display time of the last key frame. */
  keyUs: number;
  readonly keyOrder: number;
  /** Pictures since the key frame, in decoding order. */
  decoded: number;
  lastUs: number;
  /** The last picture so far in display order. */
  latest: { order: number; stampUs: number };
}

/** Most streams count two for a picture, one for each field. */
const COUNTS_A_PICTURE = 2;
/** Decoders reorder no further; a larger distance means a stream that leaves out pictures. */
const MAX_DISTANCE = 16;
/** Number of steps whose median is the duration of a picture: a picture that is late or left out does not affect it. */
const STEPS = 9;

/**
 * Gives presentation times without waiting for later pictures: a picture is displayed later or earlier than it is decoded, by as
 * many picture durations as its places in both orders differ. No time falls below its key frame's, except those of leading
 * pictures.
 */
export class PresentationTimes {
  readonly #memory: StampMemory;
  readonly #steps: number[] = [];
  #group: Group | undefined;
  #countsAPicture = COUNTS_A_PICTURE;

  constructor(memory: StampMemory = { areDecodingTimes: false }) {
    this.#memory = memory;
  }

  /** The correction to add to the stamp, in microseconds. */
  shiftUs({ isKey, startsOrder = isKey, dependence, order, stampUs }: StampedPicture): number {
    const group = this.#group;
    if (startsOrder || group === undefined) return this.#begin(order, stampUs);
    group.decoded++;
    this.#noteStep(stampUs - group.lastUs);
    group.lastUs = stampUs;
    if (order !== undefined) this.#compare(group, order, stampUs);
    const distance = order === undefined ? 0 : (order - group.keyOrder) / this.#countsAPicture - group.decoded;
    const isSane = Math.abs(distance) <= MAX_DISTANCE;
    // Pictures that the camera left out add up in a stream without IDR.
    if (isKey && !isSane) return this.#begin(order, stampUs);
    const isShifted = this.#memory.areDecodingTimes && isSane;
    const shiftUs = isShifted ? Math.round(distance * this.#durationUs()) : 0;
    if (isKey) group.keyUs = stampUs + shiftUs;
    return dependence === 'leading' ? shiftUs : Math.max(shiftUs, group.keyUs - stampUs);
  }

  #begin(order: number | undefined, stampUs: number): number {
    const keyOrder = order ?? 0;
    const latest = { order: keyOrder, stampUs };
    this.#group = { keyUs: stampUs, keyOrder, decoded: 0, lastUs: stampUs, latest };
    return 0;
  }

  /** A picture that is displayed before an earlier one shows which kind the stamps are. */
  #compare({ latest, keyOrder }: Group, order: number, stampUs: number): void {
    if ((order - keyOrder) % COUNTS_A_PICTURE !== 0) this.#countsAPicture = 1;
    if (order < latest.order && stampUs !== latest.stampUs) this.#memory.areDecodingTimes = stampUs > latest.stampUs;
    if (order <= latest.order) return;
    latest.order = order;
    latest.stampUs = stampUs;
  }

  #noteStep(stepUs: number): void {
    if (stepUs <= 0) return;
    this.#steps.push(stepUs);
    if (this.#steps.length > STEPS) this.#steps.shift();
  }

  #durationUs(): number {
    const sorted = [...this.#steps].sort((left, right) => left - right);
    return sorted[sorted.length >> 1] ?? 0;
  }
}
