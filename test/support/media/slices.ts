// H.264 units made of the fields that tie pictures together, with data of no meaning. frame_num has 4 bits, pic_order_cnt_lsb 6.
import { BitWriter } from '../../../shared/protocol/codec/video/bitWriter.ts';
import { addEscapes } from '../../../shared/protocol/codec/video/escapes.ts';

const FRAME_NUMBER_BITS = 4;
const ORDER_BITS = 6;

export const SliceType = { P: 0, B: 1, I: 2 } as const;

export interface SliceFields {
  readonly type: number;
  readonly frameNumber: number;
  readonly order: number;
  /** Left out: others refer to the picture. */
  readonly isReference?: boolean;
  /** memory_management_control_operation and its numbers, of each. Left out: the oldest reference makes room. */
  readonly markings?: readonly (readonly number[])[];
  /** nal_unit_type. */
  readonly nalType?: number;
  readonly isArithmetic?: boolean;
  readonly data?: readonly number[];
}

interface SetFields {
  readonly mayBeFields?: boolean;
  /** max_num_reorder_frames. Left out: the set doesn't say. */
  readonly reorders?: number;
}

/** Main profile, 320 by 192. */
export function sequenceSet({ mayBeFields = false, reorders }: SetFields = {}): Uint8Array {
  const to = new BitWriter();
  for (const byte of [0x67, 77, 0, 30]) to.bits(byte, 8);
  to.unsigned(0); // seq_parameter_set_id
  to.unsigned(FRAME_NUMBER_BITS - 4);
  to.unsigned(0); // pic_order_cnt_type
  to.unsigned(ORDER_BITS - 4);
  to.unsigned(4); // max_num_ref_frames
  to.bit(0); // gaps_in_frame_num_value_allowed_flag
  to.unsigned(19);
  to.unsigned(mayBeFields ? 5 : 11);
  to.bits(mayBeFields ? 0b001 : 0b11, mayBeFields ? 3 : 2); // frames only or fields without mixing, direct 8x8
  to.bit(0); // no cropping
  to.bit(reorders === undefined ? 0 : 1); // vui_parameters_present_flag
  if (reorders !== undefined) writeReordering(to, reorders);
  return addEscapes(to.finish());
}

/** A VUI that says nothing else. */
function writeReordering(to: BitWriter, reorders: number): void {
  to.bits(0, 8);
  to.bits(0b11, 2); // bitstream_restriction_flag, motion_vectors_over_pic_boundaries_flag
  for (const value of [2, 1, 15, 15, reorders, 4]) to.unsigned(value);
}

export function pictureSet(isArithmetic = true): Uint8Array {
  const to = new BitWriter();
  to.bits(0x68, 8);
  to.unsigned(0);
  to.unsigned(0);
  to.bit(isArithmetic ? 1 : 0);
  to.bit(0); // bottom_field_pic_order_in_frame_present_flag
  to.unsigned(0); // num_slice_groups_minus1
  to.unsigned(1);
  to.unsigned(0);
  to.bits(0, 3); // weights
  for (let field = 0; field < 3; field++) to.unsigned(0);
  to.bits(0b100, 3); // deblocking, no constrained intra prediction, no redundant pictures
  return addEscapes(to.finish());
}

/** recovery_frame_cnt. */
export function recoveryPoint(frames: number): Uint8Array {
  const message = new BitWriter();
  message.unsigned(frames);
  message.bits(0b1000, 4); // exact_match_flag, broken_link_flag, changing_slice_group_idc
  const payload = message.finish();
  return addEscapes(Uint8Array.of(0x06, 6, payload.length, ...payload, 0x80));
}

export function sliceOf(fields: SliceFields): Uint8Array {
  const { type, frameNumber, order, isReference = true, isArithmetic = true, data = [0x5a, 0x80] } = fields;
  const to = new BitWriter();
  to.bits((isReference ? 0x40 : 0) | (fields.nalType ?? 1), 8);
  to.unsigned(0); // first_mb_in_slice
  to.unsigned(type);
  to.unsigned(0); // pic_parameter_set_id
  to.bits(frameNumber, FRAME_NUMBER_BITS);
  if (fields.nalType === 5) to.unsigned(0); // idr_pic_id
  to.bits(order, ORDER_BITS);
  writeReferences(to, type);
  if (isReference) writeMarkings(to, fields);
  if (isArithmetic && type !== SliceType.I) to.unsigned(0); // cabac_init_idc
  to.unsigned(0); // slice_qp_delta
  to.unsigned(1); // disable_deblocking_filter_idc
  if (isArithmetic) to.alignWithOnes();
  for (const byte of data) to.bits(byte, 8);
  return addEscapes(isArithmetic ? to.bytes() : to.finish());
}

function writeReferences(to: BitWriter, type: number): void {
  if (type === SliceType.I) return;
  if (type === SliceType.B) to.bit(1); // direct_spatial_mv_pred_flag
  to.bit(0); // num_ref_idx_active_override_flag
  for (let list = 0; list <= type; list++) to.bit(0); // ref_pic_list_modification_flag
}

function writeMarkings(to: BitWriter, { nalType, markings }: SliceFields): void {
  if (nalType === 5) {
    to.bits(0, 2); // no_output_of_prior_pics_flag, long_term_reference_flag
    return;
  }
  to.bit(markings === undefined ? 0 : 1);
  if (markings === undefined) return;
  for (const numbers of markings) for (const number of numbers) to.unsigned(number);
  to.unsigned(0);
}

/** An access unit: each unit behind a start code. */
export function accessUnit(...units: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(units.flatMap((unit) => [0, 0, 0, 1, ...unit]));
}
