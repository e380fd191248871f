// The H.264 slice header (ITU-T H.264, 7.3.3): what ties a picture to those before it, and where that stands.
import { BitReader } from './bitReader.ts';
import type { Pps } from './pps.ts';
import type { Sps } from './sps.ts';

/** memory_management_control_operation. */
export const MarkingKind = {
  ReleaseShort: 1,
  ReleaseLong: 2,
  MakeLong: 3,
  LimitLong: 4,
  ReleaseAll: 5,
  MakeThisLong: 6,
} as const;

/** An operation on one reference, done once the picture is decoded. `values`: the numbers that its kind has, as they are written. */
export interface Marking {
  readonly kind: number;
  readonly values: readonly number[];
}

/** Places are in bits, in the unit without its escapes. */
export interface SliceHeader {
  readonly isIntra: boolean;
  readonly isReference: boolean;
  /** The slice is of one field of a picture. */
  readonly isField: boolean;
  readonly frameNumber: number;
  readonly frameNumberAt: number;
  /** pic_order_cnt_lsb; 0 where the order is that of decoding. */
  readonly order: number;
  /** Also the place where idr_pic_id would be in a slice that has none. */
  readonly orderAt: number;
  /** dec_ref_pic_marking; undefined where others don't refer to the picture. */
  readonly marking: SliceMarking | undefined;
  /** Where the data begins; for CABAC, before its alignment. */
  readonly end: number;
}

interface SliceMarking {
  readonly at: number;
  readonly end: number;
  /** Undefined: the oldest reference makes room. */
  readonly markings: readonly Marking[] | undefined;
}

const SLICE_TYPES = 5;
const SliceType = { P: 0, B: 1, I: 2 } as const;
/** More is damage. */
const MAX_REFERENCES = 32;
const MAX_MARKINGS = 66;
/** disable_deblocking_filter_idc: there is no filter, and no strength follows. */
const NO_DEBLOCKING = 1;

/** pic_parameter_set_id of a slice without its escapes. Total: undefined for damage. */
export function pictureSetOf(plain: Uint8Array): number | undefined {
  const reader = new BitReader(plain);
  reader.skip(8);
  reader.unsigned(); // first_mb_in_slice
  reader.unsigned(); // slice_type
  const id = reader.unsigned();
  return reader.overrun ? undefined : id;
}

interface SliceSets {
  readonly sps: Sps;
  readonly pps: Pps;
}

/**
 * Reads a slice that is no IDR from its NAL header on, without its escapes. Total: undefined for damage, and for what no camera sends:
 * slice groups, switching slices, and an order of pictures that is counted in cycles.
 */
export function readSliceHeader(plain: Uint8Array, sets: SliceSets): SliceHeader | undefined {
  const { sps, pps } = sets;
  if (pps.hasSliceGroups || sps.pocType === 1) return undefined;
  const isReference = (((plain[0] ?? 0) >> 5) & 3) !== 0;
  const reader = new BitReader(plain);
  reader.skip(8);
  reader.unsigned(); // first_mb_in_slice
  const type = reader.unsigned() % SLICE_TYPES;
  reader.unsigned(); // pic_parameter_set_id
  if (type > SliceType.I) return undefined;
  if (sps.slices.hasColourPlane) reader.skip(2);
  const frameNumberAt = reader.position;
  const frameNumber = reader.bits(sps.slices.frameNumberBits);
  const isField = sps.slices.mayBeFields && reader.flag();
  if (isField) reader.bit(); // bottom_field_flag
  const orderAt = reader.position;
  const order = reader.bits(sps.slices.orderBits);
  if (sps.pocType === 0 && pps.hasSecondOrder && !isField) reader.signed(); // delta_pic_order_cnt_bottom
  if (pps.hasRedundancy) reader.unsigned(); // redundant_pic_cnt
  skipReferences(reader, type, sets);
  const marking = isReference ? readMarking(reader) : undefined;
  skipTail(reader, type, pps);
  if (reader.overrun) return undefined;
  const place = { frameNumber, frameNumberAt, order, orderAt };
  return { isIntra: type === SliceType.I, isReference, isField, ...place, marking, end: reader.position };
}

function skipReferences(reader: BitReader, type: number, { sps, pps }: SliceSets): void {
  if (type === SliceType.I) return;
  if (type === SliceType.B) reader.bit(); // direct_spatial_mv_pred_flag
  const isSaid = reader.flag(); // num_ref_idx_active_override_flag
  const lists = type === SliceType.B ? 2 : 1;
  const counts = pps.references
    .slice(0, lists)
    .map((usual) => Math.min(isSaid ? reader.unsigned() + 1 : usual, MAX_REFERENCES));
  for (let list = 0; list < lists; list++) skipReordering(reader);
  const isWeighted = type === SliceType.B ? pps.weighsB === 1 : pps.weighsP;
  if (isWeighted) skipWeights(reader, counts, !sps.slices.hasColourPlane && sps.samples.chromaFormat !== 0);
}

/** ref_pic_list_modification of one list. */
function skipReordering(reader: BitReader): void {
  if (!reader.flag()) return;
  const end = 3;
  for (let step = 0; step <= MAX_MARKINGS; step++) {
    if (reader.unsigned() === end || reader.overrun) return;
    reader.unsigned();
  }
}

/** pred_weight_table. */
function skipWeights(reader: BitReader, counts: readonly number[], hasColour: boolean): void {
  reader.unsigned(); // luma_log2_weight_denom
  if (hasColour) reader.unsigned(); // chroma_log2_weight_denom
  for (const count of counts) {
    for (let reference = 0; reference < count; reference++) {
      if (reader.flag()) for (let field = 0; field < 2; field++) reader.signed();
      if (hasColour && reader.flag()) for (let field = 0; field < 4; field++) reader.signed();
    }
  }
}

function readMarking(reader: BitReader): SliceMarking {
  const at = reader.position;
  if (!reader.flag()) return { at, end: reader.position, markings: undefined };
  const markings: Marking[] = [];
  while (markings.length < MAX_MARKINGS) {
    const kind = reader.unsigned();
    if (kind === 0 || reader.overrun) break;
    const values = Array.from({ length: valuesOf(kind) }, () => reader.unsigned());
    markings.push({ kind, values });
  }
  return { at, end: reader.position, markings };
}

function valuesOf(kind: number): number {
  if (kind === MarkingKind.ReleaseAll) return 0;
  return kind === MarkingKind.MakeLong ? 2 : 1;
}

/** Skips the fields between dec_ref_pic_marking and the data. */
function skipTail(reader: BitReader, type: number, pps: Pps): void {
  if (pps.isArithmetic && type !== SliceType.I) reader.unsigned(); // cabac_init_idc
  reader.signed(); // slice_qp_delta
  if (!pps.hasDeblocking || reader.unsigned() === NO_DEBLOCKING) return;
  reader.signed(); // slice_alpha_c0_offset_div2
  reader.signed(); // slice_beta_offset_div2
}
