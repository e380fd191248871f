// How a frame is divided at each sample rate: into windows in time, and each window's spectrum into bands with a scale factor
// of their own (ISO/IEC 14496-3, 4.5.4).
import { AAC_FRAME_SAMPLES } from '../adts.ts';

export interface BandLayout {
  /** One, or eight that follow one another within the frame. */
  readonly windows: 1 | 8;
  /** Where the bands of a window begin, and where the last one ends: its number of values. */
  readonly offsets: readonly number[];
}

const SHORT_8_KHZ = [0, 4, 8, 12, 16, 20, 24, 28, 36, 44, 52, 60, 72, 88, 108, 128];
const SHORT_16_KHZ = [0, 4, 8, 12, 16, 20, 24, 28, 32, 40, 48, 60, 72, 88, 108, 128];
const SHORT_24_KHZ = [0, 4, 8, 12, 16, 20, 24, 28, 36, 44, 52, 64, 76, 92, 108, 128];
/** Up to a third of the spectrum; at rates of 32 kHz and more the bands above have 32 values each. */
const LONG_LOW = [
  ...[0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 48, 56, 64, 72, 80, 88, 96, 108, 120, 132, 144, 160, 176, 196, 216],
  ...[240, 264, 292, 320, 352, 384, 416, 448, 480, 512, 544, 576, 608, 640, 672, 704, 736, 768, 800, 832, 864, 896],
];
const LONG_32_KHZ = [...LONG_LOW, 928, 960, 992, 1024];
const LONG_48_KHZ = [...LONG_LOW, 928, 1024];

/**
 * A window should be some 20 to 40 milliseconds long, as speech stays the same for: that is a short one (256 samples) up to
 * 24 kHz and a long one (2048) above. So the kind of window never changes within a stream.
 */
const LAYOUTS: ReadonlyMap<number, BandLayout> = new Map([
  [8_000, { windows: 8, offsets: SHORT_8_KHZ }],
  [11_025, { windows: 8, offsets: SHORT_16_KHZ }],
  [12_000, { windows: 8, offsets: SHORT_16_KHZ }],
  [16_000, { windows: 8, offsets: SHORT_16_KHZ }],
  [22_050, { windows: 8, offsets: SHORT_24_KHZ }],
  [24_000, { windows: 8, offsets: SHORT_24_KHZ }],
  [32_000, { windows: 1, offsets: LONG_32_KHZ }],
  [44_100, { windows: 1, offsets: LONG_48_KHZ }],
  [48_000, { windows: 1, offsets: LONG_48_KHZ }],
]);

export function bandLayout(sampleRate: number): BandLayout {
  const layout = LAYOUTS.get(sampleRate);
  if (layout === undefined) throw new RangeError(`AAC at ${sampleRate} samples a second`);
  return layout;
}

/** The lowest rate that loses nothing of a sound, or the highest one that there is. */
export function encodableRate(sampleRate: number): number {
  const rates = [...LAYOUTS.keys()];
  return rates.find((rate) => rate >= sampleRate) ?? Math.max(...rates);
}

/**
 * What a decoder gives in front of a stream's first sample. A frame's windows lie in the middle of its sound and the next one's:
 * the samples of the first of them are whole only with the frame before.
 */
export function delayOf({ windows }: BandLayout): number {
  return (AAC_FRAME_SAMPLES + AAC_FRAME_SAMPLES / windows) / 2;
}
