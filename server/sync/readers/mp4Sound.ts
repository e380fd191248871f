// AAC of MP4 files, with the header that each frame of a stream has. Pure.
import { BitReader } from '../../../shared/protocol/codec/video/bitReader.ts';

export interface AudioConfig {
  readonly objectType: number;
  readonly rateIndex: number;
  readonly sampleRate: number;
  readonly channels: number;
}

/** Rates by samplingFrequencyIndex. */
const SAMPLE_RATES = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
] as const;
const LOW_COMPLEXITY = 2;
const MAX_ADTS_OBJECT = 4;
const HEADER_BYTES = 7;

/** AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1). Undefined for a configuration that no ADTS header can express. */
export function readAudioConfig(bytes: Uint8Array): AudioConfig | undefined {
  const reader = new BitReader(bytes);
  const said = reader.bits(5);
  const rateIndex = reader.bits(4);
  const sampleRate = SAMPLE_RATES[rateIndex];
  const channels = reader.bits(4);
  if (reader.overrun || sampleRate === undefined || (channels !== 1 && channels !== 2)) return undefined;
  // High efficiency is low complexity at half the rate, with more data in the frames that a decoder finds.
  const objectType = said > MAX_ADTS_OBJECT ? LOW_COMPLEXITY : said;
  return objectType === 0 ? undefined : { objectType, rateIndex, sampleRate, channels };
}

/** ISO/IEC 14496-3, 1.A.2.2. */
export function adtsHeader({ objectType, rateIndex, channels }: AudioConfig, frameBytes: number): Uint8Array {
  const length = frameBytes + HEADER_BYTES;
  return Uint8Array.of(
    0xff,
    0xf1, // MPEG-4, no checksum
    ((objectType - 1) << 6) | (rateIndex << 2) | (channels >> 2),
    ((channels & 3) << 6) | ((length >> 11) & 3),
    (length >> 3) & 0xff,
    ((length & 7) << 5) | 0x1f,
    0xfc,
  );
}
