// The description of the pictures in an MP4 file before the first of them: read from a key frame's parameter sets.

import { BitReader } from '../../../shared/protocol/codec/video/bitReader.ts';
import { removeEscapes } from '../../../shared/protocol/codec/video/escapes.ts';
import { NalType, type NalUnit, splitNalUnits } from '../../../shared/protocol/codec/video/nalUnits.ts';
import { Codec } from '../../../shared/protocol/stream/streamPacket.ts';
import { parseSpsOrder } from '../../media/h264/sps.ts';
import { HevcNalType, hevcTypeOf } from '../../media/h265/nalTypes.ts';
import { skipProfileTierLevel } from '../../media/h265/profileTierLevel.ts';
import { BoxWriter } from './mp4/boxWriter.ts';
import type { VideoTrack } from './mp4/tracks.ts';

/** Undefined for codecs that no export supports, and for a key frame whose parameter sets cannot be read. */
export function readVideoTrack(codec: number, keyFrame: Uint8Array): VideoTrack | undefined {
  const units = splitNalUnits(keyFrame);
  switch (codec) {
    case Codec.H264:
      return readAvc(units);
    case Codec.H265:
      return readHevc(units);
    default:
      return undefined;
  }
}

/** Lengths of units take four bytes, which the standard codes as 3. */
const FOUR_BYTE_LENGTHS = 3;
/** Profiles whose setup states the color sampling (ISO/IEC 14496-15, 5.3.3.1.2). */
const AVC_HIGH_PROFILES = new Set([100, 110, 122, 144, 244]);

/** Their count has one byte. The standard allows one more, which then is only in the pictures. */
const MAX_LISTED_PICTURE_SETS = 255;

/** AVCDecoderConfigurationRecord: ISO/IEC 14496-15, 5.3.3.1. */
function readAvc(units: readonly NalUnit[]): VideoTrack | undefined {
  const sequenceSets = units.filter(({ type }) => type === NalType.Sps);
  const pictureSets = units.filter(({ type }) => type === NalType.Pps).slice(0, MAX_LISTED_PICTURE_SETS);
  const [first] = sequenceSets;
  const order = first && parseSpsOrder(first.bytes);
  if (first === undefined || order === undefined || pictureSets.length === 0) return undefined;
  const { width, height, profile, samples } = order;
  const to = new BoxWriter(256);
  to.u8(1); // version
  to.bytes(removeEscapes(first.bytes).subarray(1, 4)); // profile, constraints, level
  to.u8(0xfc | FOUR_BYTE_LENGTHS);
  to.u8(0xe0 | sequenceSets.length);
  for (const unit of sequenceSets) writeUnit(to, unit);
  to.u8(pictureSets.length);
  for (const unit of pictureSets) writeUnit(to, unit);
  if (AVC_HIGH_PROFILES.has(profile)) {
    to.u8(0xfc | samples.chromaFormat);
    to.u8(0xf8 | (samples.lumaBits - 8));
    to.u8(0xf8 | (samples.chromaBits - 8));
    to.u8(0); // no extensions of sequence parameter sets: they are for auxiliary pictures, which no camera sends
  }
  return { family: 'avc', width, height, configuration: to.finish() };
}

function writeUnit(to: BoxWriter, { bytes }: NalUnit): void {
  to.u16(bytes.byteLength);
  to.bytes(bytes);
}

/** HEVCDecoderConfigurationRecord: ISO/IEC 14496-15, 8.3.3.1. */
function readHevc(units: readonly NalUnit[]): VideoTrack | undefined {
  const setsOf = (type: number): NalUnit[] => units.filter((unit) => hevcTypeOf(unit) === type);
  const sets = [HevcNalType.Vps, HevcNalType.Sps, HevcNalType.Pps].map((type) => ({ type, units: setsOf(type) }));
  const [first] = setsOf(HevcNalType.Sps);
  const sps = first && readHevcSps(first.bytes);
  if (sps === undefined || sets.some((each) => each.units.length === 0)) return undefined;
  const to = new BoxWriter(256);
  to.u8(1); // version
  to.bytes(sps.profileTierLevel);
  to.u16(0xf000); // min_spatial_segmentation_idc: not known
  to.u8(0xfc); // parallelismType: not known
  to.u8(0xfc | sps.chromaFormat);
  to.u8(0xf8 | (sps.lumaBits - 8));
  to.u8(0xf8 | (sps.chromaBits - 8));
  to.u16(0); // avgFrameRate: not known
  to.u8((sps.temporalLayers << 3) | (sps.isTemporalNested ? 4 : 0) | FOUR_BYTE_LENGTHS);
  to.u8(sets.length);
  for (const { type, units } of sets) {
    to.u8(ARRAY_IS_COMPLETE | type);
    to.u16(units.length);
    for (const unit of units) writeUnit(to, unit);
  }
  return { family: 'hevc', width: sps.width, height: sps.height, configuration: to.finish() };
}

/** Required by `hvc1`. */
const ARRAY_IS_COMPLETE = 0x80;

interface HevcSps {
  /** 12 bytes, the same in the parameter set and the configuration. */
  readonly profileTierLevel: Uint8Array;
  readonly temporalLayers: number;
  readonly isTemporalNested: boolean;
  readonly chromaFormat: number;
  readonly lumaBits: number;
  readonly chromaBits: number;
  /** Size of the visible picture. */
  readonly width: number;
  readonly height: number;
}

const PROFILE_TIER_LEVEL_AT = 3;
const PROFILE_TIER_LEVEL_BYTES = 12;

/** ITU-T H.265, 7.3.2.2.1 and 7.3.3. */
function readHevcSps(unit: Uint8Array): HevcSps | undefined {
  const plain = removeEscapes(unit);
  const reader = new BitReader(plain);
  reader.bits(16 + 4); // NAL header, sps_video_parameter_set_id
  const subLayers = reader.bits(3);
  const isTemporalNested = reader.flag();
  skipProfileTierLevel(reader, subLayers);
  reader.unsigned(); // sps_seq_parameter_set_id
  const chromaFormat = reader.unsigned();
  if (chromaFormat === 3) reader.bit(); // separate_colour_plane_flag
  const width = reader.unsigned();
  const height = reader.unsigned();
  const crop = reader.flag() ? Array.from({ length: 4 }, () => reader.unsigned()) : [0, 0, 0, 0];
  const lumaBits = reader.unsigned() + 8;
  const chromaBits = reader.unsigned() + 8;
  if (reader.overrun || chromaFormat > 3 || lumaBits > 15 || chromaBits > 15) return undefined;
  const [left = 0, right = 0, top = 0, bottom = 0] = crop;
  const unitX = chromaFormat === 1 || chromaFormat === 2 ? 2 : 1;
  const unitY = chromaFormat === 1 ? 2 : 1;
  return {
    profileTierLevel: plain.subarray(PROFILE_TIER_LEVEL_AT, PROFILE_TIER_LEVEL_AT + PROFILE_TIER_LEVEL_BYTES),
    temporalLayers: subLayers + 1,
    isTemporalNested,
    chromaFormat,
    lumaBits,
    chromaBits,
    width: width - (left + right) * unitX,
    height: height - (top + bottom) * unitY,
  };
}
