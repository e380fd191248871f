// What a decoder can make of a stream that it joins late, or of which something is missing.
import { Codec, type Dependence } from '../../stream/streamPacket.ts';
import { H264Entry } from './h264Entry.ts';

interface EntryUnit {
  /** A value of Codec. */
  readonly codec: number;
  readonly key: boolean;
  readonly dependence?: Dependence | undefined;
}

/** Two IDR pictures in a row must not have the same number. Cameras alternate between 0 and 1. */
const IDR_NUMBERS = [2, 3] as const;

/**
 * Prepares units for a decoder, in decoding order. Where it lacks the group before an entry, leading pictures are left out and H.264
 * is rewritten up to the next clean cut. Anything else is passed on as it is.
 */
export class LateEntry {
  #entry: H264Entry | undefined;
  #entries = 0;
  #isAlone = true;
  #isBehindKey = false;

  /**
   * The bytes for the decoder; undefined for a unit that it can't decode. `isAlone`, of a key frame: the decoder is new, or something
   * before the key frame is missing.
   */
  take<Bytes extends ArrayBufferLike>(
    unit: EntryUnit,
    bytes: Uint8Array<Bytes>,
    isAlone: boolean,
  ): Uint8Array<Bytes | ArrayBuffer> | undefined {
    if (unit.key) this.#begin(unit, isAlone);
    if (this.#isAlone && unit.dependence === 'leading') return undefined;
    this.#isBehindKey = unit.key;
    return this.#entry === undefined ? bytes : this.#entry.next(bytes);
  }

  #begin({ codec, dependence }: EntryUnit, isAlone: boolean): void {
    // A key frame directly behind another one: the pictures between them were left out, for playing fast.
    this.#isAlone = isAlone || this.#isBehindKey;
    if (dependence !== 'entry') this.#entry = undefined;
    else if (this.#isAlone && codec === Codec.H264) {
      this.#entry = new H264Entry(IDR_NUMBERS[this.#entries++ % IDR_NUMBERS.length]);
    }
  }
}
