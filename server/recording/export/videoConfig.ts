// What an MP4 file says of its pictures before the first of them: read from a key frame's parameter sets.
import { Codec } from '../../../shared/protocol/streamPacket.ts';
import { NalType, splitNalUnits } from '../../device/h264/annexB.ts';
import { BitReader } from '../../device/h264/bits.ts';
import { removeEscapes } from '../../device/h264/escapes.ts';
import { parseSpsOrder } from '../../device/h264/sps.ts';
import { HevcNalType, hevcTypeOf } from '../../device/h265/normaliser.ts';

export interface VideoConfig {
  /** The name that the writing library has for the codec. */
  readonly family: 'avc' | 'hevc';
  /** RFC 6381. */
  readonly codec: string;
  readonly width: number;
  readonly height: number;
}

/** Undefined for codecs that no export has, and for a key frame whose parameter sets cannot be read. */
export function readVideoConfig(codec: number, keyFrame: Uint8Array): VideoConfig | undefined {
  const units = splitNalUnits(keyFrame);
  switch (codec) {
    case Codec.H264: {
      const sps = units.find(({ type }) => type === NalType.Sps);
      return sps && readAvc(sps.bytes);
    }
    case Codec.H265: {
      const sps = units.find((unit) => hevcTypeOf(unit) === HevcNalType.Sps);
      return sps && readHevc(sps.bytes);
    }
    default:
      return undefined;
  }
}

function readAvc(sps: Uint8Array): VideoConfig | undefined {
  const order = parseSpsOrder(sps);
  if (order === undefined) return undefined;
  const plain = removeEscapes(sps);
  const codec = `avc1.${[...plain.subarray(1, 4)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
  return { family: 'avc', codec, width: order.width, height: order.height };
}

/** ITU-T H.265, 7.3.2.2.1 and 7.3.3; the name is made as ISO/IEC 14496-15, annex E, says. */
function readHevc(sps: Uint8Array): VideoConfig | undefined {
  const reader = new BitReader(removeEscapes(sps).subarray(2));
  reader.bits(4); // sps_video_parameter_set_id
  const subLayers = reader.bits(3);
  reader.bit(); // sps_temporal_id_nesting_flag
  const profileSpace = ['', 'A', 'B', 'C'][reader.bits(2)] ?? '';
  const tier = reader.flag() ? 'H' : 'L';
  const profile = reader.bits(5);
  const compatibility = reversed(reader.bits(32));
  const constraints = Array.from({ length: 6 }, () => reader.bits(8));
  const level = reader.bits(8);
  skipSubLayers(reader, subLayers);
  reader.unsigned(); // sps_seq_parameter_set_id
  const chromaFormat = reader.unsigned();
  if (chromaFormat === 3) reader.bit(); // separate_colour_plane_flag
  const width = reader.unsigned();
  const height = reader.unsigned();
  const crop = reader.flag() ? Array.from({ length: 4 }, () => reader.unsigned()) : [0, 0, 0, 0];
  if (reader.overrun) return undefined;
  const [left = 0, right = 0, top = 0, bottom = 0] = crop;
  const flags = constraints.slice(0, constraints.findLastIndex((byte) => byte !== 0) + 1);
  const names = [`${profileSpace}${profile}`, compatibility.toString(16).toUpperCase(), `${tier}${level}`];
  const codec = ['hvc1', ...names, ...flags.map((byte) => byte.toString(16).toUpperCase())].join('.');
  const unitX = chromaFormat === 1 || chromaFormat === 2 ? 2 : 1;
  const unitY = chromaFormat === 1 ? 2 : 1;
  return { family: 'hevc', codec, width: width - (left + right) * unitX, height: height - (top + bottom) * unitY };
}

function skipSubLayers(reader: BitReader, count: number): void {
  const present = Array.from({ length: count }, () => ({ profile: reader.flag(), level: reader.flag() }));
  if (count > 0) for (let layer = count; layer < 8; layer++) reader.bits(2);
  for (const { profile, level } of present) {
    if (profile) for (let part = 0; part < 11; part++) reader.bits(8);
    if (level) reader.bits(8);
  }
}

function reversed(bits: number): number {
  let turned = 0;
  for (let bit = 0; bit < 32; bit++) turned = turned * 2 + (Math.floor(bits / 2 ** bit) % 2);
  return turned;
}
