// From a key frame to the decoder set-up that it asks for.

import { avcCodecName, parseSps } from '../../../shared/protocol/codec/video/sps.ts';
import { Codec } from '../../../shared/protocol/stream/streamPacket.ts';
import { findSps, H264_NAL, H265_NAL } from './annexB.ts';
import type { DecoderSetup } from './decoderPlan.ts';
import { parseHevcSps } from './hevcSps.ts';

const BASELINE_PROFILE = 66;

export type SetupRead =
  | { readonly kind: 'setup'; readonly setup: DecoderSetup }
  /** No parameter set in it that can be read. */
  | { readonly kind: 'none' }
  /** A codec that this player does not decode yet. */
  | { readonly kind: 'unsupported'; readonly codecName: string };

/** What a key frame's parameter sets ask for; `softwareOnly` after the hardware has failed. Total. */
export function readSetup(codec: number, accessUnit: Uint8Array, softwareOnly: boolean): SetupRead {
  switch (codec) {
    case Codec.H264:
      return readH264(accessUnit, softwareOnly);
    case Codec.H265:
      return readH265(accessUnit);
    default:
      return { kind: 'unsupported', codecName: codec === Codec.Av1 ? 'AV1' : `codec ${codec}` };
  }
}

/**
 * Whether pictures may be shown in another order than they are decoded in, by a key frame's parameter sets; undefined when
 * there is none that can be read. Sets may allow what the camera never does. Total.
 */
export function mayReorder(codec: number, accessUnit: Uint8Array): boolean | undefined {
  switch (codec) {
    case Codec.H264: {
      const sps = findSps(accessUnit, H264_NAL);
      const info = sps === undefined ? undefined : parseSps(sps);
      // A baseline profile has no B pictures, and an order that is not counted is that of decoding.
      return info && info.profile !== BASELINE_PROFILE && info.pocType !== 2 && info.maxReorderFrames !== 0;
    }
    case Codec.H265: {
      const sps = findSps(accessUnit, H265_NAL);
      const info = sps === undefined ? undefined : parseHevcSps(sps);
      return info && info.maxReorder !== 0;
    }
    default:
      return undefined;
  }
}

function readH264(accessUnit: Uint8Array, softwareOnly: boolean): SetupRead {
  const sps = findSps(accessUnit, H264_NAL);
  const info = sps === undefined ? undefined : parseSps(sps);
  if (sps === undefined || info === undefined) return { kind: 'none' };
  // Chromium's hardware decoders show interlaced pictures wrongly (crbug 456919096).
  const prefersSoftware = softwareOnly || info.slices.mayBeFields;
  const codec = avcCodecName(info);
  return { kind: 'setup', setup: { codec, name: `H.264 (${codec})`, identity: sps.join(), prefersSoftware } };
}

function readH265(accessUnit: Uint8Array): SetupRead {
  const sps = findSps(accessUnit, H265_NAL);
  const info = sps === undefined ? undefined : parseHevcSps(sps);
  if (sps === undefined || info === undefined) return { kind: 'none' };
  const { codec, size } = info;
  const common = { prefersSoftware: false, isHardwareOnly: true } as const;
  return { kind: 'setup', setup: { codec, name: 'H.265', identity: sps.join(), size, ...common } };
}
