// How far the order in which a stream's pictures are decoded differs from that in which they are shown, as their media times tell,
// and one line of time through the jumps of the device's clock. Pure.
import { type MediaUs, mediaUs } from '../../../shared/protocol/time.ts';

export interface UnitPlace {
  readonly mediaTimeUs: MediaUs;
  readonly key: boolean;
  /** Media times before and behind this unit cannot be compared: the clock was set, or something is missing. */
  readonly jumps: boolean;
}

export interface PlacedUnit {
  /** The unit's media time on the line: later than all before a jump, whatever the clock was set to. */
  readonly timeUs: MediaUs;
  /** The picture that can be shown as soon as this unit is decoded: its own, where nothing is reordered. */
  readonly turnUs: MediaUs;
  /** The same, or the one before while the order is not known: nothing still to come is shown before it. */
  readonly sureUs: MediaUs;
  /** Arrivals before this unit tell nothing of when this one and later ones are to be shown. */
  readonly isNew: boolean;
}

/** Deeper than any codec allows. */
const MAX_DEPTH = 16;
/** An encoder goes deeper by one picture at a time. What lies further back was stamped by a clock that was set back. */
const MAX_GROWTH = 2;
/** Stamps of pictures that are not reordered may be uneven; further back than this, the clock was set. */
const SET_BACK_US = 100_000;
/** A stretch with B pictures has shown one after this many units. */
const UNITS_TO_KNOW = 4;
/** Groups that need less depth than those before, until that is believed. */
const GROUPS_TO_BELIEVE = 3;
/** Gap on the timeline at a jump, for pictures shown before the first one received after it. */
const ROOM_US = 10_000_000;
/** Stretches that pictures in a decoder may be of. */
const MAX_STRETCHES = 16;

interface Stretch {
  /** All pictures of the stretch lie behind this, on the line. */
  readonly fromUs: number;
  /** Place on the line less media time. */
  readonly shiftUs: number;
}

const START: Stretch = { fromUs: Number.NEGATIVE_INFINITY, shiftUs: 0 };

export class PictureOrder {
  #stretches: Stretch[] = [START];
  /** Times of the latest pictures received, the last one shown first; one more than the maximum depth. */
  #latest: number[] = [];
  #depth = 0;
  #mayReorder = true;
  #groupDepth = 0;
  readonly #groupDepths: number[] = [];

  /** How many pictures are decoded before one that is shown before them: as many have to be held back. */
  get depth(): number {
    return this.#depth;
  }

  /** What is added to media times now to place them on the line. */
  get shiftUs(): number {
    return this.#stretch.shiftUs;
  }

  /** A new connection: nothing that came before is still to be shown. */
  restart(): void {
    this.#stretches = [START];
    this.#begin();
  }

  /** What the parameter sets say, if they do: a stream that rules reordering out is not watched for it. */
  announce(mayReorder: boolean): void {
    this.#mayReorder = mayReorder;
    if (!mayReorder) this.#depth = 0;
  }

  /** Units in decoding order. */
  place({ mediaTimeUs, key, jumps }: UnitPlace): PlacedUnit {
    const isSet = jumps || this.#isSetBack(mediaTimeUs + this.shiftUs);
    if (isSet) this.#jump(mediaTimeUs);
    if (key) this.#endGroup();
    const timeUs = mediaTimeUs + this.shiftUs;
    const isDeeper = this.#mayReorder && this.#deepen(this.#countBehind(timeUs));
    this.#latest.push(timeUs);
    this.#latest.sort((left, right) => right - left).splice(MAX_DEPTH + 1);
    const turnUs = this.#depth === 0 ? timeUs : (this.#latest[this.#depth] ?? timeUs);
    const isUnsure = this.#mayReorder && this.#depth === 0 && this.#latest.length < UNITS_TO_KNOW;
    const sureUs = isUnsure ? (this.#latest[1] ?? timeUs) : turnUs;
    return { timeUs: mediaUs(timeUs), turnUs: mediaUs(turnUs), sureUs: mediaUs(sureUs), isNew: isSet || isDeeper };
  }

  /** From the line back to the stream's own time. */
  mediaTimeOf(timeUs: MediaUs): MediaUs {
    const stretch = this.#stretches.findLast(({ fromUs }) => timeUs > fromUs) ?? this.#stretch;
    return mediaUs(timeUs - stretch.shiftUs);
  }

  get #stretch(): Stretch {
    return this.#stretches.at(-1) ?? START;
  }

  /** How many pictures that came are shown behind this moment. */
  #countBehind(timeUs: number): number {
    return this.#latest.filter((latest) => latest > timeUs).length;
  }

  #isSetBack(timeUs: number): boolean {
    const [latest = Number.NEGATIVE_INFINITY] = this.#latest;
    if (!this.#mayReorder) return timeUs < latest - SET_BACK_US;
    return this.#countBehind(timeUs) > Math.min(this.#depth + MAX_GROWTH, MAX_DEPTH);
  }

  #deepen(depth: number): boolean {
    this.#groupDepth = Math.max(this.#groupDepth, depth);
    if (depth <= this.#depth) return false;
    this.#depth = depth;
    return true;
  }

  #endGroup(): void {
    this.#groupDepths.push(this.#groupDepth);
    this.#groupDepth = 0;
    if (this.#groupDepths.length <= GROUPS_TO_BELIEVE) return;
    this.#groupDepths.shift();
    this.#depth = Math.min(this.#depth, Math.max(...this.#groupDepths));
  }

  #jump(mediaTimeUs: MediaUs): void {
    const [latest] = this.#latest;
    if (latest !== undefined) {
      this.#stretches.push({ fromUs: latest, shiftUs: latest + ROOM_US - mediaTimeUs });
      if (this.#stretches.length > MAX_STRETCHES) this.#stretches.shift();
    }
    this.#begin();
  }

  #begin(): void {
    this.#latest = [];
    this.#depth = 0;
    this.#groupDepth = 0;
    this.#groupDepths.length = 0;
  }
}
