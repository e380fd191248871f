// From a key frame to the decoder set-up that it asks for.
import { Codec } from '../../shared/protocol/streamPacket.ts';
import { findSps } from './annexB.ts';
import type { DecoderSetup } from './decoderPlan.ts';
import { parseSps } from './sps.ts';

export type SetupRead =
  | { readonly kind: 'setup'; readonly setup: DecoderSetup }
  /** No parameter set in it that can be read. */
  | { readonly kind: 'none' }
  /** A codec that this player does not decode yet. */
  | { readonly kind: 'unsupported'; readonly codecName: string };

/** What a key frame's parameter sets ask for; `softwareOnly` after the hardware has failed. Total. */
export function readSetup(codec: number, accessUnit: Uint8Array, softwareOnly: boolean): SetupRead {
  if (codec !== Codec.H264) return { kind: 'unsupported', codecName: CODEC_NAMES[codec] ?? `codec ${codec}` };
  const sps = findSps(accessUnit);
  const info = sps === undefined ? undefined : parseSps(sps);
  if (sps === undefined || info === undefined) return { kind: 'none' };
  // Chromium's hardware decoders show interlaced pictures wrongly (crbug 456919096).
  const prefersSoftware = softwareOnly || info.isInterlaced;
  return { kind: 'setup', setup: { codec: info.codec, identity: sps.join(), prefersSoftware } };
}

const CODEC_NAMES: Readonly<Record<number, string>> = { [Codec.H265]: 'H.265', [Codec.Av1]: 'AV1' };
