// AAC in streams (ADTS, ISO/IEC 14496-3 annex 1.A) and in MP4 files, which have the same frames without their headers.
import { BitWriter } from '../../../shared/protocol/codec/video/bitWriter.ts';

export interface AacConfig {
  readonly sampleRate: number;
  readonly channels: number;
  /** The decoder's set-up: AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1). */
  readonly description: Uint8Array<ArrayBuffer>;
}

const LOW_COMPLEXITY = 2;

/** Rates by sampling_frequency_index. */
const SAMPLE_RATES = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
];
const SHORT_HEADER_BYTES = 7;
const LONG_HEADER_BYTES = 9;
export const AAC_FRAME_SAMPLES = 1024;

/**
 * The configuration in the first frame, which applies to all; undefined when the bytes are not ADTS, or of a layout that a clip
 * can't hold.
 */
export function readAacConfig(bytes: Uint8Array): AacConfig | undefined {
  const [first = 0, second = 0, third = 0, fourth = 0] = bytes;
  if (bytes.length < SHORT_HEADER_BYTES || first !== 0xff || (second & 0xf6) !== 0xf0) return undefined;
  const objectType = (third >> 6) + 1;
  const rateIndex = (third >> 2) & 0xf;
  const channels = ((third & 1) << 2) | (fourth >> 6);
  const sampleRate = SAMPLE_RATES[rateIndex];
  if (sampleRate === undefined || (channels !== 1 && channels !== 2)) return undefined;
  return { sampleRate, channels, description: specificConfig({ objectType, rateIndex, channels }) };
}

/** The configuration for one channel of low complexity, at one of the standard's rates. */
export function singleChannelConfig(sampleRate: number): AacConfig {
  const rateIndex = SAMPLE_RATES.indexOf(sampleRate);
  if (rateIndex < 0) throw new RangeError(`AAC at ${sampleRate} samples a second`);
  return {
    sampleRate,
    channels: 1,
    description: specificConfig({ objectType: LOW_COMPLEXITY, rateIndex, channels: 1 }),
  };
}

interface SpecificFields {
  readonly objectType: number;
  readonly rateIndex: number;
  readonly channels: number;
}

function specificConfig({ objectType, rateIndex, channels }: SpecificFields): Uint8Array<ArrayBuffer> {
  return new Uint8Array([(objectType << 3) | (rateIndex >> 1), ((rateIndex & 1) << 7) | (channels << 3)]);
}

/** The raw frames of a packet, which may hold several. A truncated frame is left out. */
export function splitAdts(bytes: Uint8Array): Uint8Array[] {
  const frames: Uint8Array[] = [];
  for (let at = 0; at + SHORT_HEADER_BYTES <= bytes.length; ) {
    const [first = 0, second = 0, , fourth = 0, fifth = 0, sixth = 0] = bytes.subarray(at);
    const length = ((fourth & 3) << 11) | (fifth << 3) | (sixth >> 5);
    const header = (second & 1) === 1 ? SHORT_HEADER_BYTES : LONG_HEADER_BYTES;
    if (first !== 0xff || length <= header || at + length > bytes.length) break;
    frames.push(bytes.subarray(at + header, at + length));
    at += length;
  }
  return frames;
}

const END_ELEMENT = 7;
const PAIR_ELEMENT = 1;

/** A silent frame: no band of the spectrum is coded. */
export function silentAacFrame(channels: number): Uint8Array<ArrayBuffer> {
  const to = new BitWriter();
  to.bits(channels === 2 ? PAIR_ELEMENT : 0, 3);
  to.bits(0, 4); // element_instance_tag
  if (channels === 2) {
    to.bit(1); // common_window
    writeWindow(to);
    to.bits(0, 2); // ms_mask_present
  }
  for (let channel = 0; channel < channels; channel++) {
    to.bits(0, 8); // global_gain
    if (channels === 1) writeWindow(to);
    to.bits(0, 3); // no pulses, no noise shaping, no gain control
  }
  to.bits(END_ELEMENT, 3);
  return to.bytes();
}

/** ics_info: one long window without a coded band. */
function writeWindow(to: BitWriter): void {
  to.bits(0, 1 + 2 + 1); // reserved, only long sequence, sine window
  to.bits(0, 6); // max_sfb
  to.bit(0); // predictor_data_present
}
