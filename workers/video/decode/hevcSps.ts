// The H.265 sequence parameter set (ITU-T H.265, 7.3.2.2.1 and 7.3.3): what a decoder is told before the first picture.
import { BitReader } from '../../../shared/protocol/codec/video/bitReader.ts';
import { removeEscapes } from '../../../shared/protocol/codec/video/escapes.ts';
import type { PixelSize } from '../messages.ts';

export interface HevcSpsInfo {
  /** For WebCodecs, as ISO/IEC 14496-15, annex E.3, writes it: `hev1.` and profile, compatibility, tier and level, constraints. */
  readonly codec: string;
  /** Size of the visible picture. */
  readonly size: PixelSize;
  /** sps_max_num_reorder_pics of all sub-layers; undefined where the set breaks off before it. */
  readonly maxReorder: number | undefined;
}

const SPS_TYPE = 33;
const PROFILE_SPACES = ['', 'A', 'B', 'C'];
/** Bits of profile_tier_level before the level. */
const PROFILE_BITS = 88;
const SUB_LAYER_LEVEL_BITS = 8;
const MOST_SUB_LAYERS = 7;

/** Reads a set from its NAL header on. Total: undefined when the bytes are no such set. */
export function parseHevcSps(unit: Uint8Array): HevcSpsInfo | undefined {
  const bytes = removeEscapes(unit);
  if ((((bytes[0] ?? 0) >> 1) & 0x3f) !== SPS_TYPE) return undefined;
  const reader = new BitReader(bytes.subarray(2));
  reader.skip(4); // sps_video_parameter_set_id
  const subLayers = reader.bits(3);
  reader.skip(1); // sps_temporal_id_nesting_flag
  if (subLayers >= MOST_SUB_LAYERS) return undefined;
  const codec = readProfile(reader);
  skipSubLayers(reader, subLayers);
  const size = readSize(reader);
  if (reader.overrun || size.width <= 0 || size.height <= 0) return undefined;
  const maxReorder = readMaxReorder(reader, subLayers);
  return { codec, size, maxReorder: reader.overrun ? undefined : maxReorder };
}

/** Reads what follows the size. */
function readMaxReorder(reader: BitReader, subLayers: number): number {
  reader.unsigned(); // bit_depth_luma_minus8
  reader.unsigned(); // bit_depth_chroma_minus8
  reader.unsigned(); // log2_max_pic_order_cnt_lsb_minus4
  // Without the flag, only the last sub-layer's numbers are there, which are those of all.
  const entries = reader.flag() ? subLayers + 1 : 1;
  let maxReorder = 0;
  for (let entry = 0; entry < entries; entry++) {
    reader.unsigned(); // sps_max_dec_pic_buffering_minus1
    maxReorder = reader.unsigned();
    reader.unsigned(); // sps_max_latency_increase_plus1
  }
  return maxReorder;
}

function readProfile(reader: BitReader): string {
  const space = PROFILE_SPACES[reader.bits(2)] ?? '';
  const tier = reader.flag() ? 'H' : 'L';
  const profile = reader.bits(5);
  // The flag of profile 0 comes first and counts least.
  let compatibility = 0;
  for (let flag = 0; flag < 32; flag++) compatibility += reader.bit() * 2 ** flag;
  const constraints = Array.from({ length: 6 }, () => reader.bits(8));
  while (constraints.at(-1) === 0) constraints.pop();
  const level = reader.bits(8);
  const parts = [`${space}${profile}`, hex(compatibility), `${tier}${level}`, ...constraints.map(hex)];
  return `hev1.${parts.join('.')}`;
}

function hex(value: number): string {
  return value.toString(16).toUpperCase();
}

function skipSubLayers(reader: BitReader, subLayers: number): void {
  const present = Array.from({ length: subLayers }, () => [reader.flag(), reader.flag()] as const);
  if (subLayers > 0) reader.skip((8 - subLayers) * 2);
  for (const [hasProfile, hasLevel] of present) {
    reader.skip((hasProfile ? PROFILE_BITS : 0) + (hasLevel ? SUB_LAYER_LEVEL_BITS : 0));
  }
}

function readSize(reader: BitReader): PixelSize {
  reader.unsigned(); // sps_seq_parameter_set_id
  const chromaFormat = reader.unsigned();
  if (chromaFormat === 3) reader.skip(1); // separate_colour_plane_flag
  const width = reader.unsigned();
  const height = reader.unsigned();
  if (!reader.flag()) return { width, height };
  const [left, right, top, bottom] = [reader.unsigned(), reader.unsigned(), reader.unsigned(), reader.unsigned()];
  const unitX = chromaFormat === 1 || chromaFormat === 2 ? 2 : 1;
  const unitY = chromaFormat === 1 ? 2 : 1;
  return { width: width - (left + right) * unitX, height: height - (top + bottom) * unitY };
}
