// Determines the reorder depth of a stream from its media times, and maps these to one continuous timeline across jumps of
// the device's clock. Pure.
import { type MediaUs, mediaUs } from '../../../shared/protocol/time.ts';

export interface UnitPlace {
  readonly mediaTimeUs: MediaUs;
  readonly key: boolean;
  /** Media times before and after this unit can't be compared: the clock was set, or something is missing. */
  readonly jumps: boolean;
}

export interface PlacedUnit {
  /** The unit's media time on the timeline: later than anything before a jump, whatever the clock was set to. */
  readonly timeUs: MediaUs;
  /** Time of the picture that can be shown once this unit is decoded: its own if nothing is reordered. */
  readonly turnUs: MediaUs;
  /** Like `turnUs`, but while the order isn't known, the time of the picture before: no picture still to come is shown before it. */
  readonly sureUs: MediaUs;
  /** Arrivals before this unit say nothing about when this one and later ones are due. */
  readonly isNew: boolean;
}

/** Deeper than any codec allows. */
const MAX_DEPTH = 16;
/**
 * An encoder's depth grows by one picture at a time. A picture further back has a time stamp from after the clock was set
 * back.
 */
const MAX_GROWTH = 2;
/** Time stamps without reordering may be uneven. Further back than this means that the clock was set. */
const SET_BACK_US = 100_000;
/** In a stretch with B pictures, one has come after this many units. */
const UNITS_TO_KNOW = 4;
/** Number of groups with less depth before the smaller depth is used. */
const GROUPS_TO_BELIEVE = 3;
/** Gap on the timeline at a jump, for pictures shown before the first one received after it. */
const ROOM_US = 10_000_000;
/** Number of stretches whose pictures may still be in a decoder. */
const MAX_STRETCHES = 16;

interface Stretch {
  /** All pictures of the stretch are after this, on the timeline. */
  readonly fromUs: number;
  /** Offset from media time to the timeline. */
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

  /** The number of pictures that are decoded before one that is shown before them. As many have to be held back. */
  get depth(): number {
    return this.#depth;
  }

  /** What is added to media times now to place them on the line. */
  get shiftUs(): number {
    return this.#stretch.shiftUs;
  }

  /** A new connection: no earlier picture is still to be shown. */
  restart(): void {
    this.#stretches = [START];
    this.#begin();
  }

  /** Applies the parameter sets. A stream that rules out reordering isn't checked for it. */
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

  /** From the timeline back to the stream's own time. */
  mediaTimeOf(timeUs: MediaUs): MediaUs {
    const stretch = this.#stretches.findLast(({ fromUs }) => timeUs > fromUs) ?? this.#stretch;
    return mediaUs(timeUs - stretch.shiftUs);
  }

  get #stretch(): Stretch {
    return this.#stretches.at(-1) ?? START;
  }

  /** The number of received pictures that are shown after this moment. */
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
