// The H.264 sequence parameter set (ITU-T H.264, 7.3.2.1.1 and E.1.1): what the decoder must be told before the first
// picture, and what tells how long it will hold pictures back.
import { removeEscapes } from './annexB.ts';
import { BitReader } from './bitReader.ts';

export interface SpsInfo {
  /** For WebCodecs: `avc1.` and profile, constraints, level as six hex digits. */
  readonly codec: string;
  /** Of the visible picture. */
  readonly width: number;
  readonly height: number;
  readonly isInterlaced: boolean;
  /** Pictures that a decoder may hold back for their order; undefined when the stream does not say. */
  readonly maxReorderFrames: number | undefined;
}

/** Profiles whose sets carry chroma format and scaling lists. */
const HIGH_PROFILES = new Set([44, 83, 86, 100, 110, 118, 122, 128, 134, 135, 138, 139, 144, 244]);
const EXTENDED_SAR = 255;
/** More is damage: the standard allows 255 offsets and 32 HRD entries. */
const MAX_LIST = 255;

/** Reads a set from its NAL header on. Total: undefined when the bytes are no such set. */
export function parseSps(unit: Uint8Array): SpsInfo | undefined {
  const bytes = removeEscapes(unit);
  const [header = 0, profile = 0, constraints = 0, level = 0] = bytes;
  if ((header & 0x1f) !== 7 || bytes.length < 5) return undefined;
  const reader = new BitReader(bytes.subarray(4));
  reader.unsigned(); // seq_parameter_set_id
  const chromaFormat = HIGH_PROFILES.has(profile) ? readHighProfile(reader) : 1;
  reader.unsigned(); // log2_max_frame_num_minus4
  readPictureOrder(reader);
  reader.unsigned(); // max_num_ref_frames
  reader.skip(1); // gaps_in_frame_num_value_allowed_flag
  const { width, height, isInterlaced } = readSize(reader, chromaFormat);
  if (reader.overrun || width <= 0 || height <= 0) return undefined;
  const maxReorderFrames = reader.flag() ? readVui(reader) : undefined;
  const codec = `avc1.${[profile, constraints, level].map((value) => value.toString(16).padStart(2, '0')).join('')}`;
  return { codec, width, height, isInterlaced, maxReorderFrames: reader.overrun ? undefined : maxReorderFrames };
}

/** Gives chroma_format_idc; 0 is monochrome, also for separately coded planes, whose cropping counts the same. */
function readHighProfile(reader: BitReader): number {
  const chromaFormat = reader.unsigned();
  const isSeparate = chromaFormat === 3 && reader.flag();
  reader.unsigned(); // bit_depth_luma_minus8
  reader.unsigned(); // bit_depth_chroma_minus8
  reader.skip(1); // qpprime_y_zero_transform_bypass_flag
  if (reader.flag()) {
    const lists = chromaFormat === 3 ? 12 : 8;
    for (let list = 0; list < lists; list++) if (reader.flag()) skipScalingList(reader, list < 6 ? 16 : 64);
  }
  return isSeparate ? 0 : chromaFormat;
}

function skipScalingList(reader: BitReader, size: number): void {
  let last = 8;
  let next = 8;
  for (let index = 0; index < size; index++) {
    if (next !== 0) next = (last + reader.signed() + 256) % 256;
    last = next === 0 ? last : next;
  }
}

function readPictureOrder(reader: BitReader): void {
  const type = reader.unsigned();
  if (type === 0) {
    reader.unsigned(); // log2_max_pic_order_cnt_lsb_minus4
  } else if (type === 1) {
    reader.skip(1); // delta_pic_order_always_zero_flag
    reader.signed(); // offset_for_non_ref_pic
    reader.signed(); // offset_for_top_to_bottom_field
    const offsets = Math.min(reader.unsigned(), MAX_LIST);
    for (let index = 0; index < offsets; index++) reader.signed();
  }
}

function readSize(reader: BitReader, chromaFormat: number): Pick<SpsInfo, 'width' | 'height' | 'isInterlaced'> {
  const widthMacroblocks = reader.unsigned() + 1;
  const heightMapUnits = reader.unsigned() + 1;
  const isInterlaced = !reader.flag();
  const fields = isInterlaced ? 2 : 1;
  if (isInterlaced) reader.skip(1); // mb_adaptive_frame_field_flag
  reader.skip(1); // direct_8x8_inference_flag
  const crop = reader.flag()
    ? { left: reader.unsigned(), right: reader.unsigned(), top: reader.unsigned(), bottom: reader.unsigned() }
    : { left: 0, right: 0, top: 0, bottom: 0 };
  const unitX = chromaFormat === 1 || chromaFormat === 2 ? 2 : 1;
  const unitY = (chromaFormat === 1 ? 2 : 1) * fields;
  return {
    width: widthMacroblocks * 16 - (crop.left + crop.right) * unitX,
    height: heightMapUnits * 16 * fields - (crop.top + crop.bottom) * unitY,
    isInterlaced,
  };
}

/** Reads up to bitstream_restriction and gives max_num_reorder_frames, if it is there. */
function readVui(reader: BitReader): number | undefined {
  if (reader.flag() && reader.bits(8) === EXTENDED_SAR) reader.skip(32);
  if (reader.flag()) reader.skip(1); // overscan
  if (reader.flag()) {
    reader.skip(4); // video_format, video_full_range_flag
    if (reader.flag()) reader.skip(24); // colour description
  }
  if (reader.flag()) {
    reader.unsigned(); // chroma_sample_loc_type_top_field
    reader.unsigned(); // chroma_sample_loc_type_bottom_field
  }
  if (reader.flag()) reader.skip(65); // timing
  const hasNalHrd = reader.flag();
  if (hasNalHrd) skipHrd(reader);
  const hasVclHrd = reader.flag();
  if (hasVclHrd) skipHrd(reader);
  if (hasNalHrd || hasVclHrd) reader.skip(1); // low_delay_hrd_flag
  reader.skip(1); // pic_struct_present_flag
  if (!reader.flag()) return undefined;
  reader.skip(1); // motion_vectors_over_pic_boundaries_flag
  for (let index = 0; index < 4; index++) reader.unsigned(); // sizes and vector lengths
  return reader.unsigned();
}

function skipHrd(reader: BitReader): void {
  const entries = Math.min(reader.unsigned() + 1, MAX_LIST);
  reader.skip(8); // scales
  for (let index = 0; index < entries; index++) {
    reader.unsigned(); // bit_rate_value_minus1
    reader.unsigned(); // cpb_size_value_minus1
    reader.skip(1); // cbr_flag
  }
  reader.skip(20); // lengths of delays and of the time offset
}
