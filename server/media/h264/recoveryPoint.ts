// The recovery point SEI message (ITU-T H.264, D.1.8 and D.2.8): a picture that is no IDR says that decoding may begin with it.
import { BitReader } from '../../../shared/protocol/codec/video/bitReader.ts';
import { removeEscapes } from '../../../shared/protocol/codec/video/escapes.ts';
import { NalType, type NalUnit } from '../../../shared/protocol/codec/video/nalUnits.ts';

const RECOVERY_POINT = 6;
/** A byte of payloadType and payloadSize that another one follows. */
const MORE = 0xff;

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

function readSum(bytes: Uint8Array, from: number): { readonly value: number; readonly nextAt: number } {
  let at = from;
  let value = 0;
  for (; bytes[at] === MORE; at++) value += MORE;
  return { value: value + (bytes[at] ?? 0), nextAt: at + 1 };
}
