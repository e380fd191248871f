// Maps a terminal's sound to the stream's: codec, sample rate, and payload in the codec's own layout.
import { Codec } from '../../../shared/protocol/stream/streamPacket.ts';
import type { AvAttributes } from '../jt808/codec/messages/live.ts';
import { PayloadType } from './codec/payloadTypes.ts';
import { stripHiSiliconHeader } from './hiSilicon.ts';

export interface AudioFormat {
  readonly codec: Codec;
  readonly sampleRate: number;
  readonly channels: number;
}

export interface AudioFrame extends AudioFormat {
  readonly samples: Uint8Array;
}

const TELEPHONE = { sampleRate: 8_000, channels: 1 } as const;
/** By the code of 0x1003. */
const SAMPLE_RATES = [8_000, 22_050, 44_100, 48_000] as const;
/** By sampling_frequency_index (ISO/IEC 14496-3, table 1.18). */
const AAC_SAMPLE_RATES = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
] as const;
const ADTS_HEADER_BYTES = 7;

/** Undefined for codecs that no stream has, and for what is too short or lacks the header that tells its rate. */
export function readAudio(
  payloadType: number,
  frame: Uint8Array,
  said: AvAttributes | undefined,
): AudioFrame | undefined {
  const bytes = stripHiSiliconHeader(frame);
  if (bytes.length === 0) return undefined;
  switch (payloadType) {
    case PayloadType.G711A:
      return { codec: Codec.G711A, ...TELEPHONE, samples: bytes };
    case PayloadType.G711U:
      return { codec: Codec.G711U, ...TELEPHONE, samples: bytes };
    case PayloadType.G726:
      return { codec: Codec.G726, ...TELEPHONE, samples: bytes };
    case PayloadType.Adpcma:
      // Four bytes of state stand before the nibbles.
      return bytes.length > 4 ? { codec: Codec.ImaAdpcm, ...TELEPHONE, samples: bytes } : undefined;
    case PayloadType.Aac:
    case PayloadType.AacLc:
    case PayloadType.HeAac:
      return readAdts(bytes);
    case PayloadType.PcmVoice:
    case PayloadType.PcmAudio:
      return pcm(wholeSamples(bytes), formatSaid(payloadType, said));
    case PayloadType.S16BeMono:
      return pcm(swapped(wholeSamples(bytes)), { ...formatSaid(payloadType, said), channels: 1 });
    case PayloadType.S16BeStereo:
      return pcm(swapped(wholeSamples(bytes)), { ...formatSaid(payloadType, said), channels: 2 });
    default:
      return undefined;
  }
}

type Rate = Pick<AudioFormat, 'sampleRate' | 'channels'>;

function pcm(samples: Uint8Array, rate: Rate): AudioFrame | undefined {
  return samples.length === 0 ? undefined : { codec: Codec.Pcm16, ...rate, samples };
}

/** PCM has no header. What the terminal reported about its microphone is used if it was reported for this codec. */
function formatSaid(payloadType: number, said: AvAttributes | undefined): Rate {
  if (said === undefined || said.audioCodec !== payloadType) return TELEPHONE;
  const sampleRate = SAMPLE_RATES[said.sampleRate] ?? TELEPHONE.sampleRate;
  return { sampleRate, channels: said.audioChannels === 2 ? 2 : 1 };
}

function readAdts(bytes: Uint8Array): AudioFrame | undefined {
  const [first = 0, second = 0, third = 0, fourth = 0] = bytes;
  if (bytes.length <= ADTS_HEADER_BYTES || first !== 0xff || (second & 0xf6) !== 0xf0) return undefined;
  const sampleRate = AAC_SAMPLE_RATES[(third >> 2) & 0xf];
  const channels = ((third & 1) << 2) | (fourth >> 6);
  if (sampleRate === undefined || channels === 0) return undefined;
  return { codec: Codec.Aac, sampleRate, channels: channels === 7 ? 8 : channels, samples: bytes };
}

function wholeSamples(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, bytes.length & ~1);
}

function swapped(bytes: Uint8Array): Uint8Array {
  return bytes.map((_, at) => bytes[at ^ 1] ?? 0);
}
