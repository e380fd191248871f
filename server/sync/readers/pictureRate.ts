// How fast the pictures of a raw stream follow, from its parameter sets. Pure.
import { BitReader } from '../../../shared/protocol/codec/video/bitReader.ts';
import { removeEscapes } from '../../../shared/protocol/codec/video/escapes.ts';
import { parseSps } from '../../../shared/protocol/codec/video/sps.ts';
import { NalType, splitNalUnits } from '../../media/h264/annexB.ts';
import { HevcNalType, hevcTypeOf } from '../../media/h265/normaliser.ts';
import type { FileCodec } from './streamBuilder.ts';

/** Beyond these a set says nonsense, or counts in something else than pictures. */
const MIN_PICTURE_US = 4_000;
const MAX_PICTURE_US = 10_000_000;

/** What a picture lasts, in microseconds; undefined where the sets do not say. */
export function pictureUsOf(codec: FileCodec, head: Uint8Array): number | undefined {
  const units = splitNalUnits(head);
  if (codec === 'h264') {
    const sps = units.find(({ type }) => type === NalType.Sps);
    const timing = sps && parseSps(sps.bytes)?.timing;
    // A tick is a field.
    return timing && plausible((2e6 * timing.unitsInTick) / timing.timeScale);
  }
  const vps = units.find((unit) => hevcTypeOf(unit) === HevcNalType.Vps);
  return vps && plausible(readVpsPictureUs(vps.bytes));
}

function plausible(pictureUs: number | undefined): number | undefined {
  if (pictureUs === undefined || !(pictureUs >= MIN_PICTURE_US && pictureUs <= MAX_PICTURE_US)) return undefined;
  return pictureUs;
}

const MAX_LAYER_SETS = 1_023;

/** ITU-T H.265, 7.3.2.1. */
function readVpsPictureUs(unit: Uint8Array): number | undefined {
  const reader = new BitReader(removeEscapes(unit));
  reader.skip(16 + 4 + 2 + 6); // NAL header, vps_video_parameter_set_id, base layer flags, vps_max_layers_minus1
  const subLayers = reader.bits(3);
  reader.skip(1 + 16); // vps_temporal_id_nesting_flag, reserved
  skipProfileTierLevel(reader, subLayers);
  const orders = reader.flag() ? subLayers + 1 : 1;
  for (let order = 0; order < orders * 3; order++) reader.unsigned();
  const layers = reader.bits(6) + 1;
  const sets = Math.min(reader.unsigned(), MAX_LAYER_SETS);
  reader.skip(layers * sets);
  if (!reader.flag()) return undefined; // vps_timing_info_present_flag
  const unitsInTick = reader.bits(32);
  const timeScale = reader.bits(32);
  return reader.overrun || timeScale === 0 ? undefined : (1e6 * unitsInTick) / timeScale;
}

/** ITU-T H.265, 7.3.3. */
function skipProfileTierLevel(reader: BitReader, subLayers: number): void {
  reader.skip(96);
  const present = Array.from({ length: subLayers }, () => ({ profile: reader.flag(), level: reader.flag() }));
  if (subLayers > 0) reader.skip(2 * (8 - subLayers));
  for (const { profile, level } of present) reader.skip((profile ? 88 : 0) + (level ? 8 : 0));
}
