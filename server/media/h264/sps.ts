// The H.264 sequence parameter set as far as the order of pictures is concerned, read to be written anew.

import { BitWriter } from '../../../shared/protocol/codec/video/bitWriter.ts';
import { addEscapes, removeEscapes } from '../../../shared/protocol/codec/video/escapes.ts';
import { parseSps, type Sps, type SpsPlaces } from '../../../shared/protocol/codec/video/sps.ts';

/** A whole set. */
export interface SpsOrder extends Sps {
  readonly places: SpsPlaces;
}

const BASELINE_PROFILE = 66;

/** Reads a set from its NAL header on. Total: undefined when the bytes are no whole set. */
export function parseSpsOrder(unit: Uint8Array): SpsOrder | undefined {
  const sps = parseSps(unit);
  return sps?.places === undefined ? undefined : { ...sps, places: sps.places };
}

/** Whether the set itself rules out that pictures are shown in another order than they are decoded in. */
export function excludesReordering({ profile, pocType }: SpsOrder): boolean {
  return pocType === 2 || profile === BASELINE_PROFILE;
}

/**
 * The same set with the promise that no picture is held back for its order, so that decoders show each at once instead
 * of filling their buffer first. Undefined when the bytes are no set; the same bytes when they promise it already.
 */
export function withoutReordering(unit: Uint8Array): Uint8Array | undefined {
  const order = parseSpsOrder(unit);
  if (order === undefined) return undefined;
  if (order.maxReorderFrames === 0) return unit;
  const plain = removeEscapes(unit);
  const { vuiFlag, restrictionFlag, reorder, maxDecFrameBuffering } = order.places;
  const to = new BitWriter();
  if (reorder !== undefined) {
    to.copy(plain, 0, reorder);
    to.unsigned(0);
    to.unsigned(Math.max(maxDecFrameBuffering ?? 0, order.maxRefFrames));
    return addEscapes(to.finish());
  }
  if (restrictionFlag === undefined) {
    to.copy(plain, 0, vuiFlag);
    to.bit(1);
    // Aspect ratio, overscan, video signal, chroma location, timing, two HRDs, picture structure: none of them said.
    to.bits(0, 8);
  } else {
    to.copy(plain, 0, restrictionFlag);
  }
  writeRestriction(to, order.maxRefFrames);
  return addEscapes(to.finish());
}

/** The values that the standard infers where nothing is said, but for the order of pictures. */
function writeRestriction(to: BitWriter, maxRefFrames: number): void {
  to.bit(1); // bitstream_restriction_flag
  to.bit(1); // motion_vectors_over_pic_boundaries_flag
  to.unsigned(2); // max_bytes_per_pic_denom
  to.unsigned(1); // max_bits_per_mb_denom
  to.unsigned(15); // log2_max_mv_length_horizontal
  to.unsigned(15); // log2_max_mv_length_vertical
  to.unsigned(0); // max_num_reorder_frames
  to.unsigned(maxRefFrames); // max_dec_frame_buffering
}
