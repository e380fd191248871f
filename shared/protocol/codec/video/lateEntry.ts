// What a decoder can make of a stream that it joins late, or of which something is missing.
import { Codec, type Dependence } from '../../stream/streamPacket.ts';
import { H264Entry } from './h264Entry.ts';
import { RecoveryCount } from './recoveryPoint.ts';

interface EntryUnit {
  /** A value of Codec. */
  readonly codec: number;
  readonly key: boolean;
  readonly dependence?: Dependence | undefined;
  /** When it is shown, in microseconds on any scale. */
  readonly mediaTimeUs: number;
}

export interface PreparedUnit<Bytes extends ArrayBufferLike> {
  /** Access units to be decoded before it and never shown. The first is a key frame, and then the unit itself is none. */
  readonly standIns: readonly Uint8Array<ArrayBuffer>[];
  readonly bytes: Uint8Array<Bytes | ArrayBuffer>;
  /** Its picture isn't right yet: only what follows needs it. */
  readonly unseen: boolean;
}

/** Two IDR pictures in a row must not have the same number. Cameras alternate between 0 and 1. */
const IDR_NUMBERS = [2, 3] as const;
const NONE: readonly Uint8Array<ArrayBuffer>[] = [];

/**
 * Prepares units for a decoder, in decoding order. Where it lacks the group before an entry, leading pictures are left out, H.264
 * is rewritten up to the next clean cut, and pictures that are not right yet are hidden. Anything else is passed on as it is.
 */
export class LateEntry {
  #entry: H264Entry | undefined;
  #recovery: Recovery | undefined;
  #entries = 0;
  #isAlone = true;
  #isBehindKey = false;

  /**
   * What the decoder is given; undefined for a unit that it can't decode. `isAlone`, of a key frame: the decoder is new, or something
   * before the key frame is missing.
   */
  take<Bytes extends ArrayBufferLike>(
    unit: EntryUnit,
    bytes: Uint8Array<Bytes>,
    isAlone: boolean,
  ): PreparedUnit<Bytes> | undefined {
    if (unit.key) this.#begin(unit, bytes, isAlone);
    if (this.#isAlone && unit.dependence === 'leading') return undefined;
    this.#isBehindKey = unit.key;
    const unseen = this.#recovery?.hides(unit.mediaTimeUs, bytes) === true;
    if (this.#recovery?.isOver === true) this.#recovery = undefined;
    if (this.#entry === undefined) return { standIns: NONE, bytes, unseen };
    const rewritten = this.#entry.next(bytes);
    const standIns = unit.key ? this.#entry.takeStandIns() : NONE;
    return rewritten && { standIns, bytes: rewritten, unseen };
  }

  #begin({ codec, dependence }: EntryUnit, bytes: Uint8Array, isAlone: boolean): void {
    // A key frame directly behind another one: the pictures between them were left out, for playing fast.
    this.#isAlone = isAlone || this.#isBehindKey;
    if (dependence !== 'entry' && dependence !== 'recovering') {
      this.#entry = undefined;
      this.#recovery = undefined;
    } else if (this.#isAlone && codec === Codec.H264) {
      this.#entry = new H264Entry(IDR_NUMBERS[this.#entries++ % IDR_NUMBERS.length], dependence);
      this.#recovery = dependence === 'recovering' ? new Recovery(bytes) : undefined;
    }
  }
}

/** Maximum number of pictures that may be shown before the first right one although they come after it. */
const MAX_REORDERED = 16;

/** Which pictures behind an entry are not right yet. */
class Recovery {
  readonly #count: RecoveryCount;
  #isAtEntry = true;
  #rightFromUs: number | undefined;
  #left = MAX_REORDERED;

  constructor(entry: Uint8Array) {
    this.#count = new RecoveryCount(entry);
  }

  /** Every picture that comes is right. */
  get isOver(): boolean {
    return this.#left <= 0;
  }

  /** Whether the next picture in decoding order is to be hidden. */
  hides(mediaTimeUs: number, bytes: Uint8Array): boolean {
    if (this.#rightFromUs !== undefined) {
      this.#left = mediaTimeUs < this.#rightFromUs ? this.#left - 1 : 0;
      return this.#left > 0;
    }
    if (!this.#isAtEntry) this.#count.pass(bytes);
    this.#isAtEntry = false;
    if (!this.#count.isOver) return true;
    this.#rightFromUs = mediaTimeUs;
    return false;
  }
}
