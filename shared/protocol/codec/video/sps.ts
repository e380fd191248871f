// The H.264 sequence parameter set (ITU-T H.264, 7.3.2.1.1 and E.1.1): the facts that a decoder must be told before the first
// picture or that tell how long it will hold pictures back, and their places in the set.
import { BitReader } from './bitReader.ts';
import { removeEscapes } from './escapes.ts';

export interface Sps {
  /** seq_parameter_set_id. */
  readonly id: number;
  readonly profile: number;
  /** The flags of constraint_set0 to 5, as they stand in their byte. */
  readonly constraints: number;
  readonly level: number;
  /** pic_order_cnt_type. */
  readonly pocType: number;
  readonly maxRefFrames: number;
  /** Place of gaps_in_frame_num_value_allowed_flag in the unescaped set, in bits. */
  readonly gapsFlagAt: number;
  readonly slices: SliceLayout;
  /** Size of the visible picture. */
  readonly width: number;
  readonly height: number;
  /** Count in a frame. */
  readonly macroblocks: number;
  readonly samples: SampleFormat;
  /** Pictures that a decoder may hold back for their order; undefined when the set does not say. */
  readonly maxReorderFrames: number | undefined;
  /** How fast pictures follow; undefined when the set does not say. */
  readonly timing: PictureTiming | undefined;
  /** Undefined if the set breaks off after the picture's size: it can then be used for decoding, but not be rewritten. */
  readonly places: SpsPlaces | undefined;
}

/** A tick is the time of a field: half of a picture's. */
interface PictureTiming {
  readonly unitsInTick: number;
  readonly timeScale: number;
}

/** The format of a picture's samples. */
interface SampleFormat {
  /** chroma_format_idc. */
  readonly chromaFormat: number;
  readonly lumaBits: number;
  readonly chromaBits: number;
}

/** The facts without which a slice header cannot be read. */
export interface SliceLayout {
  readonly hasColourPlane: boolean;
  readonly frameNumberBits: number;
  /** Bits of pic_order_cnt_lsb; 0 where the order is counted in another way. */
  readonly orderBits: number;
  readonly mayBeFields: boolean;
}

/** Places of parts in the unescaped set, in bits. */
export interface SpsPlaces {
  /** vui_parameters_present_flag. */
  readonly vuiFlag: number;
  /** bitstream_restriction_flag; undefined without a VUI. */
  readonly restrictionFlag: number | undefined;
  /** max_num_reorder_frames; undefined without a restriction. */
  readonly reorder: number | undefined;
  /** The value, not its place: the set's last field. */
  readonly maxDecFrameBuffering: number | undefined;
}

const SPS_TYPE = 7;
/** Profiles whose sets carry chroma format and scaling lists. */
const HIGH_PROFILES = new Set([44, 83, 86, 100, 110, 118, 122, 128, 134, 135, 138, 139, 144, 244]);
const EXTENDED_SAR = 255;
export const MAX_SEQUENCE_SET_ID = 31;
/** More is damage: the standard allows 255 offsets and 32 HRD entries. */
const MAX_OFFSETS = 255;
const MAX_HRD_ENTRIES = 32;

/** Reads a set from its NAL header on. Total: undefined when the bytes are no set, or one that breaks off before the picture's size. */
export function parseSps(unit: Uint8Array): Sps | undefined {
  const plain = removeEscapes(unit);
  const [header = 0, profile = 0, constraints = 0, level = 0] = plain;
  if ((header & 0x1f) !== SPS_TYPE) return undefined;
  const reader = new BitReader(plain);
  reader.skip(32); // NAL header, profile, constraints, level
  const id = reader.unsigned();
  const { hasColourPlane, ...samples } = HIGH_PROFILES.has(profile) ? readHighProfile(reader) : PLAIN_PROFILE;
  const frameNumberBits = reader.unsigned() + 4;
  const { pocType, orderBits } = readPictureOrder(reader);
  const maxRefFrames = reader.unsigned();
  const gapsFlagAt = reader.position;
  reader.bit(); // gaps_in_frame_num_value_allowed_flag
  const { mayBeFields, ...size } = readSize(reader, hasColourPlane ? 0 : samples.chromaFormat);
  if (reader.overrun || size.width <= 0 || size.height <= 0) return undefined;
  const slices = { hasColourPlane, frameNumberBits, orderBits, mayBeFields };
  const order = { pocType, maxRefFrames, gapsFlagAt };
  const picture = { id, profile, constraints, level, ...order, slices, ...size, samples };
  return { ...picture, ...readOrder(reader) };
}

/** The codec's name in WebCodecs and ISO/IEC 14496-15: `avc1.` and profile, constraints, level as six hex digits. */
export function avcCodecName({ profile, constraints, level }: Sps): string {
  return `avc1.${[profile, constraints, level].map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function readOrder(reader: BitReader): Pick<Sps, 'maxReorderFrames' | 'timing' | 'places'> {
  const vuiFlag = reader.position;
  const { maxReorderFrames, timing, ...places } = reader.flag() ? readVui(reader) : NO_VUI;
  if (reader.overrun) return { maxReorderFrames: undefined, timing: undefined, places: undefined };
  return { maxReorderFrames, timing, places: { vuiFlag, ...places } };
}

interface HighProfile extends SampleFormat {
  /** separate_colour_plane_flag: cropping then counts as that of monochrome. */
  readonly hasColourPlane: boolean;
}

const PLAIN_PROFILE: HighProfile = { chromaFormat: 1, lumaBits: 8, chromaBits: 8, hasColourPlane: false };

function readHighProfile(reader: BitReader): HighProfile {
  const chromaFormat = reader.unsigned();
  const hasColourPlane = chromaFormat === 3 && reader.flag();
  const lumaBits = reader.unsigned() + 8;
  const chromaBits = reader.unsigned() + 8;
  reader.bit(); // qpprime_y_zero_transform_bypass_flag
  const lists = reader.flag() ? (chromaFormat === 3 ? 12 : 8) : 0;
  for (let list = 0; list < lists; list++) if (reader.flag()) skipScalingList(reader, list < 6 ? 16 : 64);
  return { chromaFormat, lumaBits, chromaBits, hasColourPlane };
}

function skipScalingList(reader: BitReader, size: number): void {
  let last = 8;
  let next = 8;
  for (let index = 0; index < size; index++) {
    if (next !== 0) next = (last + reader.signed() + 256) % 256;
    last = next === 0 ? last : next;
  }
}

function readPictureOrder(reader: BitReader): { readonly pocType: number; readonly orderBits: number } {
  const pocType = reader.unsigned();
  if (pocType === 0) return { pocType, orderBits: reader.unsigned() + 4 };
  if (pocType === 1) {
    reader.bit(); // delta_pic_order_always_zero_flag
    reader.signed(); // offset_for_non_ref_pic
    reader.signed(); // offset_for_top_to_bottom_field
    const offsets = Math.min(reader.unsigned(), MAX_OFFSETS);
    for (let index = 0; index < offsets; index++) reader.signed();
  }
  return { pocType, orderBits: 0 };
}

interface PictureSize {
  readonly width: number;
  readonly height: number;
  readonly macroblocks: number;
  /** A picture may be two fields. */
  readonly mayBeFields: boolean;
}

function readSize(reader: BitReader, chromaFormat: number): PictureSize {
  const widthMacroblocks = reader.unsigned() + 1;
  const heightMapUnits = reader.unsigned() + 1;
  const mayBeFields = !reader.flag();
  if (mayBeFields) reader.bit(); // mb_adaptive_frame_field_flag
  reader.bit(); // direct_8x8_inference_flag
  const [left = 0, right = 0, top = 0, bottom = 0] = reader.flag()
    ? Array.from({ length: 4 }, () => reader.unsigned())
    : [];
  const fields = mayBeFields ? 2 : 1;
  const unitX = chromaFormat === 1 || chromaFormat === 2 ? 2 : 1;
  const unitY = (chromaFormat === 1 ? 2 : 1) * fields;
  return {
    width: widthMacroblocks * 16 - (left + right) * unitX,
    height: heightMapUnits * 16 * fields - (top + bottom) * unitY,
    macroblocks: widthMacroblocks * heightMapUnits * fields,
    mayBeFields,
  };
}

type Vui = Pick<Sps, 'maxReorderFrames' | 'timing'> & Omit<SpsPlaces, 'vuiFlag'>;
const NO_VUI: Vui = {
  timing: undefined,
  maxReorderFrames: undefined,
  restrictionFlag: undefined,
  reorder: undefined,
  maxDecFrameBuffering: undefined,
};

function readVui(reader: BitReader): Vui {
  if (reader.flag() && reader.bits(8) === EXTENDED_SAR) reader.skip(32); // aspect_ratio_info
  if (reader.flag()) reader.bit(); // overscan
  if (reader.flag()) {
    reader.skip(4); // video_format, video_full_range_flag
    if (reader.flag()) reader.skip(24); // colour_description
  }
  if (reader.flag()) for (let field = 0; field < 2; field++) reader.unsigned(); // chroma_loc_info
  const timing = reader.flag() ? readTiming(reader) : undefined;
  const hasNalHrd = reader.flag();
  if (hasNalHrd) skipHrd(reader);
  const hasVclHrd = reader.flag();
  if (hasVclHrd) skipHrd(reader);
  if (hasNalHrd || hasVclHrd) reader.bit(); // low_delay_hrd_flag
  reader.bit(); // pic_struct_present_flag
  const restrictionFlag = reader.position;
  if (!reader.flag()) return { ...NO_VUI, timing, restrictionFlag };
  reader.bit(); // motion_vectors_over_pic_boundaries_flag
  for (let field = 0; field < 4; field++) reader.unsigned(); // two denominators, two lengths of vectors
  const reorder = reader.position;
  const maxReorderFrames = reader.unsigned();
  return { maxReorderFrames, timing, restrictionFlag, reorder, maxDecFrameBuffering: reader.unsigned() };
}

function readTiming(reader: BitReader): PictureTiming | undefined {
  const unitsInTick = reader.bits(32);
  const timeScale = reader.bits(32);
  reader.bit(); // fixed_frame_rate_flag
  return unitsInTick > 0 && timeScale > 0 ? { unitsInTick, timeScale } : undefined;
}

function skipHrd(reader: BitReader): void {
  const entries = Math.min(reader.unsigned() + 1, MAX_HRD_ENTRIES);
  reader.skip(8); // bit_rate_scale, cpb_size_scale
  for (let entry = 0; entry < entries; entry++) {
    reader.unsigned(); // bit_rate_value_minus1
    reader.unsigned(); // cpb_size_value_minus1
    reader.bit(); // cbr_flag
  }
  reader.skip(20); // delays, time_offset_length
}
