// Combines the units of a byte stream to pictures. Pure except for its own state.

import { NalType } from '../../../shared/protocol/codec/video/nalUnits.ts';
import { MAX_PAYLOAD_BYTES } from '../../../shared/protocol/stream/streamPacket.ts';
import { HevcNalType } from '../../media/h265/nalTypes.ts';
import type { FileCodec } from './streamBuilder.ts';
import type { TimedUnit } from './unitSplitter.ts';

export interface AccessUnit {
  /** Annex B. */
  readonly bytes: Uint8Array;
  readonly timeUs: number | undefined;
  readonly isBehindLoss: boolean;
}

const START_CODE = Uint8Array.of(0, 0, 0, 1);

type Place = 'begins' | 'begins-after-picture' | 'continues';

export class AccessUnits {
  readonly #codec: FileCodec;
  #parts: Uint8Array[] = [];
  #bytes = 0;
  #hasPicture = false;
  #timeUs: number | undefined;
  /** A time belongs to the first picture that begins after it, not to the one in which it occurs. */
  #nextTimeUs: number | undefined;
  #isBehindLoss = false;
  /** The unit that is being combined is longer than any picture may be. */
  #isTooLong = false;

  constructor(codec: FileCodec) {
    this.#codec = codec;
  }

  /** Returns the picture that ends before the unit. */
  push(unit: TimedUnit): AccessUnit | undefined {
    const isSlice = this.#isSlice(unit.bytes);
    const place = this.#placeOf(unit.bytes, isSlice);
    const isNew = place === 'begins' || (place === 'begins-after-picture' && this.#hasPicture);
    const ended = isNew || unit.isBehindLoss ? this.end() : undefined;
    if (unit.isBehindLoss) this.#isBehindLoss = true;
    this.#nextTimeUs = unit.timeUs ?? this.#nextTimeUs;
    if (this.#bytes === 0) {
      this.#timeUs = this.#nextTimeUs;
      this.#nextTimeUs = undefined;
    }
    this.#add(unit.bytes);
    this.#hasPicture ||= isSlice;
    return ended;
  }

  end(): AccessUnit | undefined {
    const hasPicture = this.#hasPicture && !this.#isTooLong;
    const whole = { bytes: Buffer.concat(this.#parts), timeUs: this.#timeUs, isBehindLoss: this.#isBehindLoss };
    // A picture that is left out is missing before the next one.
    if (hasPicture || this.#isTooLong) this.#isBehindLoss = this.#isTooLong;
    this.#parts = [];
    this.#bytes = 0;
    this.#hasPicture = false;
    this.#timeUs = undefined;
    this.#isTooLong = false;
    return hasPicture ? whole : undefined;
  }

  #add(bytes: Uint8Array): void {
    this.#bytes += bytes.byteLength + START_CODE.byteLength;
    if (this.#bytes > MAX_PAYLOAD_BYTES) {
      this.#isTooLong = true;
      this.#parts = [];
      return;
    }
    this.#parts.push(START_CODE, bytes);
  }

  #isSlice([header = 0]: Uint8Array): boolean {
    if (this.#codec === 'h265') return ((header >> 1) & 0x3f) <= HevcNalType.LastSlice;
    return (header & 0x1f) >= NalType.Slice && (header & 0x1f) <= NalType.Idr;
  }

  /** ITU-T H.264, 7.4.1.2.3, and H.265, 7.4.2.4.4. */
  #placeOf(bytes: Uint8Array, isSlice: boolean): Place {
    const [header = 0, second = 0, third = 0] = bytes;
    if (this.#codec === 'h264') {
      // first_mb_in_slice 0 is a single bit.
      if (isSlice) return second >= 0x80 ? 'begins-after-picture' : 'continues';
      const type = header & 0x1f;
      if (type === NalType.AccessUnitDelimiter) return 'begins';
      return type >= NalType.Sei && type <= NalType.Pps ? 'begins-after-picture' : 'continues';
    }
    // first_slice_segment_in_pic_flag
    if (isSlice) return third >= 0x80 ? 'begins-after-picture' : 'continues';
    const type = (header >> 1) & 0x3f;
    if (type === HEVC_DELIMITER) return 'begins';
    const isInFront = type >= HevcNalType.Vps && type <= HevcNalType.PrefixSei && !HEVC_BEHIND.has(type);
    return isInFront ? 'begins-after-picture' : 'continues';
  }
}

const HEVC_DELIMITER = 35;
/** End of sequence, end of stream, filler. */
const HEVC_BEHIND: ReadonlySet<number> = new Set([36, 37, 38]);
