// The picture rate of H.265, which is deep in the sequence parameter set (ITU-T H.265, 7.3.2.2 and E.2.1). Pure and total.
import { BitReader } from '../../../shared/protocol/codec/video/bitReader.ts';
import { removeEscapes } from '../../../shared/protocol/codec/video/escapes.ts';
import { skipProfileTierLevel } from '../../media/h265/profileTierLevel.ts';

/** A larger number means damage. */
const MAX_REFERENCE_SETS = 64;
const MAX_REFERENCES = 16;
const MAX_LONG_TERM = 32;
const EXTENDED_SAR = 255;

/** Duration of a picture in microseconds; undefined where the set has none. */
export function readHevcPictureUs(sps: Uint8Array): number | undefined {
  const reader = new BitReader(removeEscapes(sps));
  reader.skip(16 + 4); // NAL header, sps_video_parameter_set_id
  const subLayers = reader.bits(3);
  reader.bit(); // sps_temporal_id_nesting_flag
  skipProfileTierLevel(reader, subLayers);
  const orderBits = skipToTools(reader, subLayers);
  if (!skipReferences(reader, orderBits)) return undefined;
  reader.skip(2); // temporal motion vectors, strong smoothing
  if (!reader.flag()) return undefined; // vui_parameters_present_flag
  skipToTiming(reader);
  if (!reader.flag()) return undefined; // vui_timing_info_present_flag
  const unitsInTick = reader.bits(32);
  const timeScale = reader.bits(32);
  return reader.overrun || timeScale === 0 ? undefined : (1e6 * unitsInTick) / timeScale;
}

/** Skips from the set's number to the sets of reference pictures. Returns the bits of a picture's order. */
function skipToTools(reader: BitReader, subLayers: number): number {
  reader.unsigned(); // sps_seq_parameter_set_id
  if (reader.unsigned() === 3) reader.bit(); // chroma_format_idc, separate_colour_plane_flag
  skipUnsigned(reader, 2); // width, height
  if (reader.flag()) skipUnsigned(reader, 4); // conformance window
  skipUnsigned(reader, 2); // bit depths
  const orderBits = reader.unsigned() + 4;
  skipUnsigned(reader, 3 * (reader.flag() ? subLayers + 1 : 1)); // sub-layer ordering
  skipUnsigned(reader, 6); // block sizes, transform depths
  if (reader.flag() && reader.flag()) skipScalingLists(reader);
  reader.skip(2); // amp_enabled_flag, sample_adaptive_offset_enabled_flag
  if (reader.flag()) {
    reader.skip(8); // PCM bit depths
    skipUnsigned(reader, 2);
    reader.bit();
  }
  return orderBits;
}

function skipUnsigned(reader: BitReader, count: number): void {
  for (let field = 0; field < count; field++) reader.unsigned();
}

/** 7.3.4. */
function skipScalingLists(reader: BitReader): void {
  for (let size = 0; size < 4; size++) {
    for (let matrix = 0; matrix < 6; matrix += size === 3 ? 3 : 1) {
      if (!reader.flag()) {
        reader.unsigned();
        continue;
      }
      const coefficients = Math.min(64, 1 << (4 + 2 * size)) + (size > 1 ? 1 : 0);
      for (let coefficient = 0; coefficient < coefficients; coefficient++) reader.signed();
    }
  }
}

/** False for damage. 7.3.7. */
function skipReferences(reader: BitReader, orderBits: number): boolean {
  const sets = reader.unsigned();
  if (sets > MAX_REFERENCE_SETS) return false;
  let references = 0;
  for (let set = 0; set < sets; set++) {
    references = set > 0 && reader.flag() ? readPredicted(reader, references) : readListed(reader);
    if (references > MAX_REFERENCES || reader.overrun) return false;
  }
  if (!reader.flag()) return true; // long_term_ref_pics_present_flag
  const longTerm = reader.unsigned();
  if (longTerm > MAX_LONG_TERM) return false;
  reader.skip(longTerm * (orderBits + 1));
  return true;
}

function readPredicted(reader: BitReader, before: number): number {
  reader.bit(); // delta_rps_sign
  reader.unsigned(); // abs_delta_rps_minus1
  let references = 0;
  // used_by_curr_pic_flag, and use_delta_flag where that is not set.
  for (let reference = 0; reference <= before; reference++) if (reader.flag() || reader.flag()) references++;
  return references;
}

function readListed(reader: BitReader): number {
  const references = reader.unsigned() + reader.unsigned();
  for (let reference = 0; reference < Math.min(references, MAX_REFERENCES); reference++) {
    reader.unsigned();
    reader.bit();
  }
  return references;
}

function skipToTiming(reader: BitReader): void {
  if (reader.flag() && reader.bits(8) === EXTENDED_SAR) reader.skip(32); // aspect ratio
  if (reader.flag()) reader.bit(); // overscan
  if (reader.flag()) {
    reader.skip(4); // video_format, video_full_range_flag
    if (reader.flag()) reader.skip(24); // colors
  }
  if (reader.flag()) skipUnsigned(reader, 2); // chroma location
  reader.skip(3); // neutral chroma, fields
  if (reader.flag()) skipUnsigned(reader, 4); // default display window
}
