import { BitReader } from '../../../shared/protocol/codec/video/bitReader.ts';
import { removeEscapes } from '../../../shared/protocol/codec/video/escapes.ts';
import { NalType } from '../../../shared/protocol/codec/video/nalUnits.ts';

/** Two Exp-Golomb numbers of the sizes that occur, and room for escapes. */
const HEAD_BYTES = 16;
const B_SLICE = 1;
const SLICE_TYPES = 5;

/** Whether the unit is a slice that refers to pictures shown after it: the pictures come in another order than they are shown. */
export function isBSlice(unit: Uint8Array): boolean {
  const type = (unit[0] ?? 0) & 0x1f;
  if (type !== NalType.Slice && type !== NalType.PartitionA) return false;
  const reader = new BitReader(removeEscapes(unit.subarray(1, HEAD_BYTES)));
  reader.unsigned(); // first_mb_in_slice
  const sliceType = reader.unsigned();
  return !reader.overrun && sliceType % SLICE_TYPES === B_SLICE;
}
