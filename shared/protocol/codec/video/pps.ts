// The H.264 picture parameter set (ITU-T H.264, 7.3.2.2), as far as slice headers cannot be read without it.
import { BitReader } from './bitReader.ts';
import { removeEscapes } from './escapes.ts';

export interface Pps {
  readonly id: number;
  readonly sequenceId: number;
  /** entropy_coding_mode_flag: CABAC, whose data begins at a whole byte. */
  readonly isArithmetic: boolean;
  /** bottom_field_pic_order_in_frame_present_flag: slice headers have a second count for the order of pictures. */
  readonly hasSecondOrder: boolean;
  /** num_slice_groups_minus1 is not 0. The set is read no further: no camera makes use of it. */
  readonly hasSliceGroups: boolean;
  /** References of P and B slices where a slice does not say. */
  readonly references: readonly [number, number];
  readonly weighsP: boolean;
  /** weighted_bipred_idc. */
  readonly weighsB: number;
  readonly hasDeblocking: boolean;
  readonly hasRedundancy: boolean;
}

export const MAX_PICTURE_SET_ID = 255;

const PPS_TYPE = 8;

/** Reads a set from its NAL header on. Total: undefined when the bytes are no such set. */
export function parsePps(unit: Uint8Array): Pps | undefined {
  const plain = removeEscapes(unit);
  if (((plain[0] ?? 0) & 0x1f) !== PPS_TYPE) return undefined;
  const reader = new BitReader(plain.subarray(1));
  const id = reader.unsigned();
  const sequenceId = reader.unsigned();
  const isArithmetic = reader.flag();
  const hasSecondOrder = reader.flag();
  const hasSliceGroups = reader.unsigned() > 0;
  const references = [reader.unsigned() + 1, reader.unsigned() + 1] as const;
  const weighsP = reader.flag();
  const weighsB = reader.bits(2);
  for (let field = 0; field < 3; field++) reader.signed(); // pic_init_qp, pic_init_qs, chroma_qp_index_offset
  const hasDeblocking = reader.flag();
  reader.bit(); // constrained_intra_pred_flag
  const hasRedundancy = reader.flag();
  if (reader.overrun || id > MAX_PICTURE_SET_ID) return undefined;
  const flags = { isArithmetic, hasSecondOrder, hasSliceGroups, weighsP, weighsB, hasDeblocking, hasRedundancy };
  return { id, sequenceId, references, ...flags };
}
