// The place of a picture in display order (ITU-T H.264, 8.2.1.1), as far as slice headers contain it.
import { BitReader } from '../../../shared/protocol/codec/video/bitReader.ts';
import { removeEscapes } from '../../../shared/protocol/codec/video/escapes.ts';
import { NalType, type NalUnit } from '../../../shared/protocol/codec/video/nalUnits.ts';
import { parseSps, type SliceLayout } from '../../../shared/protocol/codec/video/sps.ts';

/** Room for every field up to pic_order_cnt_lsb, with escapes. */
const HEAD_BYTES = 32;
/** Wider fields are damage. */
const MAX_FIELD_BITS = 16;

/** Counts from the last key frame on, in the steps of the stream. Never throws: damaged input gives some number or none. */
export class PictureOrder {
  #layout: SliceLayout | undefined;
  /** Picture order count of the last reference picture. */
  #reference = { high: 0, low: 0 };

  /** Takes a parameter set as the camera sent it. */
  learnSet(sps: Uint8Array): void {
    const layout = parseSps(sps)?.slices;
    const isReadable = layout !== undefined && layout.orderBits > 0;
    const isSane = isReadable && Math.max(layout.orderBits, layout.frameNumberBits) <= MAX_FIELD_BITS;
    this.#layout = isSane ? layout : undefined;
  }

  /** The order of the picture that has this first slice; undefined where the stream counts in another way. */
  next(slice: NalUnit): number | undefined {
    if (this.#layout === undefined) return undefined;
    const low = orderLow(slice, this.#layout);
    if (low === undefined) return undefined;
    if (slice.type === NalType.Idr) this.#reference = { high: 0, low: 0 };
    const range = 2 ** this.#layout.orderBits;
    const { high: lastHigh, low: lastLow } = this.#reference;
    const hasWrapped = low < lastLow && lastLow - low >= range / 2;
    const isBefore = low > lastLow && low - lastLow > range / 2;
    const high = lastHigh + (hasWrapped ? range : 0) - (isBefore ? range : 0);
    const isReference = (((slice.bytes[0] ?? 0) >> 5) & 3) !== 0;
    if (isReference) this.#reference = { high, low };
    return high + low;
  }
}

/** pic_order_cnt_lsb. */
function orderLow({ type, bytes }: NalUnit, layout: SliceLayout): number | undefined {
  const reader = new BitReader(removeEscapes(bytes.subarray(1, HEAD_BYTES)));
  reader.unsigned(); // first_mb_in_slice
  reader.unsigned(); // slice_type
  reader.unsigned(); // pic_parameter_set_id
  if (layout.hasColourPlane) reader.bits(2);
  reader.bits(layout.frameNumberBits);
  if (layout.mayBeFields && reader.flag()) reader.bit(); // field_pic_flag, bottom_field_flag
  if (type === NalType.Idr) reader.unsigned(); // idr_pic_id
  const low = reader.bits(layout.orderBits);
  return reader.overrun ? undefined : low;
}
