// Grey pictures that stand in for references that a decoder never had: an H.264 IDR picture and copies of it. Pure.
import { BitWriter } from './bitWriter.ts';
import { addEscapes } from './escapes.ts';
import { NalType, type NalUnit } from './nalUnits.ts';
import type { Sps } from './sps.ts';

export interface GreyNumbers {
  /** pic_parameter_set_id that the camera makes no use of. */
  readonly pictureSetId: number;
  /** idr_pic_id. */
  readonly idrNumber: number;
}

/** Steps of pic_order_cnt from one picture to the next: one for each field. */
export const ORDER_STEP = 2;
const MAX_REFERENCES = 16;
/** MaxFS of level 5.2 (table A-1), which has room for 4,096 by 2,304: a sequence set may claim any size, and each macroblock is written. */
const MAX_MACROBLOCKS = 36_864;
/** nal_ref_idc of a picture that all others refer to. */
const REFERENCE = 0x60;
/** slice_type of pictures whose slices are all alike. */
const ALL_P = 5;
const ALL_I = 7;
/** mb_type of I_16x16 with prediction from the mean (128 where nothing is around) and without coefficients. */
const FROM_MEAN = 3;

/** How many stand in: a P slice may refer to as many as a decoder holds. */
export function greyCount({ maxRefFrames }: Sps): number {
  return Math.max(1, maxRefFrames);
}

/** Whether such pictures can be made by a sequence set: frames of 4:2:0, 4:2:2 or without colour, whose order is counted simply. */
export function canBeGrey({ slices, samples, pocType, maxRefFrames, macroblocks }: Sps): boolean {
  const isSimple = !slices.mayBeFields && samples.chromaFormat < 3 && pocType !== 1;
  return isSimple && maxRefFrames <= MAX_REFERENCES && macroblocks <= MAX_MACROBLOCKS;
}

/** The units of each picture, in decoding order, without the sequence set that the first needs. */
export function greyPictures(sps: Sps, numbers: GreyNumbers): NalUnit[][] {
  const idr = [pictureSet(sps, numbers), unitOf(NalType.Idr, (to) => writeIdr(to, sps, numbers))];
  const copies = Array.from({ length: greyCount(sps) - 1 }, (_, index) => [
    unitOf(NalType.Slice, (to) => writeCopy(to, sps, { place: index + 1, ...numbers })),
  ]);
  return [idr, ...copies];
}

/** Without CABAC, so that the data needs no arithmetic coder. */
function pictureSet(sps: Sps, { pictureSetId }: GreyNumbers): NalUnit {
  return unitOf(NalType.Pps, (to) => {
    to.unsigned(pictureSetId);
    to.unsigned(sps.id);
    to.bits(0, 2); // entropy_coding_mode_flag, bottom_field_pic_order_in_frame_present_flag
    to.unsigned(0); // num_slice_groups_minus1
    for (let list = 0; list < 2; list++) to.unsigned(0); // num_ref_idx_default_active_minus1
    to.bits(0, 3); // weighted_pred_flag, weighted_bipred_idc
    for (let field = 0; field < 3; field++) to.unsigned(0); // pic_init_qp, pic_init_qs, chroma_qp_index_offset
    to.bits(0, 3); // no deblocking control, no constrained intra prediction, no redundant pictures
  });
}

function writeIdr(to: BitWriter, sps: Sps, { pictureSetId, idrNumber }: GreyNumbers): void {
  writeSliceStart(to, ALL_I, pictureSetId);
  to.bits(0, sps.slices.frameNumberBits);
  to.unsigned(idrNumber);
  to.bits(0, sps.slices.orderBits);
  to.bits(0, 2); // no_output_of_prior_pics_flag, long_term_reference_flag
  to.unsigned(0); // slice_qp_delta
  for (let macroblock = 0; macroblock < sps.macroblocks; macroblock++) {
    to.unsigned(FROM_MEAN);
    if (sps.samples.chromaFormat !== 0) to.unsigned(0); // intra_chroma_pred_mode: from the mean
    to.unsigned(0); // mb_qp_delta
    to.bit(1); // coeff_token of the luma's mean: none
  }
}

/** The picture before once more. */
function writeCopy(to: BitWriter, sps: Sps, { pictureSetId, place }: GreyNumbers & { readonly place: number }): void {
  writeSliceStart(to, ALL_P, pictureSetId);
  to.bits(place, sps.slices.frameNumberBits);
  to.bits(sps.slices.orderBits === 0 ? 0 : ORDER_STEP * place, sps.slices.orderBits);
  to.bits(0, 2); // num_ref_idx_active_override_flag, ref_pic_list_modification_flag_l0
  to.bit(0); // adaptive_ref_pic_marking_mode_flag
  to.unsigned(0); // slice_qp_delta
  to.unsigned(sps.macroblocks); // mb_skip_run
}

function writeSliceStart(to: BitWriter, type: number, pictureSetId: number): void {
  to.unsigned(0); // first_mb_in_slice
  to.unsigned(type);
  to.unsigned(pictureSetId);
}

function unitOf(type: number, write: (to: BitWriter) => void): NalUnit {
  const to = new BitWriter();
  to.bits(REFERENCE | type, 8);
  write(to);
  return { type, bytes: addEscapes(to.finish()) };
}
