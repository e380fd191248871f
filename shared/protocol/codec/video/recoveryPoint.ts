// The recovery point SEI message (ITU-T H.264, D.1.8 and D.2.8): a picture that is no IDR says that decoding may begin with it.
import { BitReader } from './bitReader.ts';
import { removeEscapes } from './escapes.ts';
import { NalType, type NalUnit, splitNalUnits } from './nalUnits.ts';

const RECOVERY_POINT = 6;
/** A byte of payloadType and payloadSize that another one follows. */
const MORE = 0xff;

/**
 * Frames after which pictures are right, at most: twelve seconds at 25 frames per second. Encoders refresh a picture in one or two seconds,
 * or in their key frame interval, which is 250 frames where nobody sets it.
 */
export const MAX_RECOVERY_FRAMES = 300;

/** recovery_frame_cnt: frames until pictures are right. Undefined where the unit does not say. Total. */
export function recoveryFramesOf({ type, bytes }: NalUnit): number | undefined {
  if (type !== NalType.Sei) return undefined;
  const plain = removeEscapes(bytes);
  for (let at = 1; at + 2 < plain.length; ) {
    const payloadType = readSum(plain, at);
    const size = readSum(plain, payloadType.nextAt);
    const nextAt = size.nextAt + size.value;
    if (payloadType.value === RECOVERY_POINT) {
      const reader = new BitReader(plain.subarray(size.nextAt, nextAt));
      const frames = reader.unsigned();
      return reader.overrun ? undefined : frames;
    }
    at = nextAt;
  }
  return undefined;
}

/** The same of a picture. */
export function recoveryFramesIn(accessUnit: Uint8Array): number | undefined {
  return splitNalUnits(accessUnit)
    .map(recoveryFramesOf)
    .find((frames) => frames !== undefined);
}

/**
 * Finds the frame from which on pictures are right, of those that follow an entry in decoding order. recovery_frame_cnt counts in
 * frame_num, which rises behind each picture that others refer to.
 */
export class RecoveryCount {
  #left: number;

  /** `entry` is the access unit with the recovery point message. */
  constructor(entry: Uint8Array) {
    this.#left = Math.min(recoveryFramesIn(entry) ?? 0, MAX_RECOVERY_FRAMES);
  }

  /** Whether a picture that was passed is right, and with it all that are shown later. */
  get isOver(): boolean {
    return this.#left <= 0;
  }

  /** The next picture in decoding order. */
  pass(accessUnit: Uint8Array): void {
    if (!this.isOver && isReferencePicture(accessUnit)) this.#left--;
  }
}

/** Whether others refer to the picture, by its first slice. Total; looks at no byte behind that slice's header. */
export function isReferencePicture(accessUnit: Uint8Array): boolean {
  for (let at = accessUnit.indexOf(1, 2); at >= 0; at = accessUnit.indexOf(1, at + 1)) {
    if (accessUnit[at - 1] !== 0 || accessUnit[at - 2] !== 0) continue;
    const header = accessUnit[at + 1] ?? 0;
    const type = header & 0x1f;
    if (type >= NalType.Slice && type <= NalType.Idr) return ((header >> 5) & 3) !== 0;
  }
  return false;
}

function readSum(bytes: Uint8Array, from: number): { readonly value: number; readonly nextAt: number } {
  let at = from;
  let value = 0;
  for (; bytes[at] === MORE; at++) value += MORE;
  return { value: value + (bytes[at] ?? 0), nextAt: at + 1 };
}
