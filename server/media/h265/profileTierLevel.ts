import type { BitReader } from '../../../shared/protocol/codec/video/bitReader.ts';

/** general_profile_idc to general_level_idc. */
const GENERAL_BITS = 96;
const SUB_LAYER_PROFILE_BITS = 88;
const SUB_LAYER_LEVEL_BITS = 8;
const MAX_SUB_LAYERS = 8;

/** ITU-T H.265, 7.3.3. `subLayers` is sps_max_sub_layers_minus1. */
export function skipProfileTierLevel(reader: BitReader, subLayers: number): void {
  reader.skip(GENERAL_BITS);
  const present = Array.from({ length: subLayers }, () => ({ profile: reader.flag(), level: reader.flag() }));
  if (subLayers > 0) reader.skip(2 * (MAX_SUB_LAYERS - subLayers));
  for (const { profile, level } of present) {
    reader.skip((profile ? SUB_LAYER_PROFILE_BITS : 0) + (level ? SUB_LAYER_LEVEL_BITS : 0));
  }
}
