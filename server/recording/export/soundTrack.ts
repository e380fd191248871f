// The sound of a channel in an export: AAC, which every player plays; copied, or encoded from another recorded format. A clip's
// sound has no gaps: silence replaces missing sound, so that sound and pictures stay together and the writer never waits for sound.
import {
  DEFAULT_FORMAT,
  type SoundChunk,
  type SoundFormat,
  TelephoneDecoder,
} from '../../../shared/protocol/codec/sound/telephoneDecoder.ts';
import { Codec } from '../../../shared/protocol/stream/streamPacket.ts';
import { AacEncoder } from './aac/aacEncoder.ts';
import { encodableRate } from './aac/bandLayout.ts';
import {
  AAC_FRAME_SAMPLES,
  type AacConfig,
  readAacConfig,
  silentAacFrame,
  singleChannelConfig,
  splitAdts,
} from './adts.ts';
import { LineResampler } from './lineResampler.ts';
import type { SoundFrame, SoundTrackConfig } from './mp4/tracks.ts';

/** Sound on its way into a clip: frames without a gap, from the clip's start on. Times are seconds from there. */
export interface SoundTrack {
  readonly config: SoundTrackConfig;
  setFormat(format: SoundFormat): void;
  /** The clip's frames that a recorded frame completes, including silence before it. */
  push(frame: RecordedSound): SoundFrame[];
  /** Silence up to a moment, if no sound has come so far. */
  fill(toS: number): SoundFrame[];
  /** The last incomplete frame. Nothing comes after it. */
  finish(): SoundFrame[];
}

interface RecordedSound {
  readonly codec: number;
  readonly bytes: Uint8Array;
  readonly timeUs: number;
}

type SoundEncoder = Pick<AacEncoder, 'encode' | 'delaySamples'>;

/** Difference between a frame's time and the count of samples from which the time is trusted: less is network and terminal jitter. */
const TOLERANCE_S = 0.06;

export function createSoundTrack(
  first: { readonly codec: number; readonly bytes: Uint8Array },
  format: SoundFormat,
  newEncoder: (sampleRate: number) => SoundEncoder = (sampleRate) => new AacEncoder(sampleRate),
): SoundTrack | undefined {
  if (first.codec !== Codec.Aac) return new EncodedTrack(format, newEncoder);
  const config = readAacConfig(first.bytes);
  return config && new CopiedTrack(config);
}

class CopiedTrack implements SoundTrack {
  readonly config: SoundTrackConfig;
  readonly #aac: AacConfig;
  readonly #silence: SoundFrame;
  #frames = 0;

  constructor(aac: AacConfig) {
    this.#aac = aac;
    // The delay of the terminal's encoder is not known, and its times may already allow for it.
    this.config = { ...aac, delaySamples: 0 };
    this.#silence = aacFrame(silentAacFrame(aac.channels));
  }

  setFormat(): void {
    // Each frame states its own format.
  }

  push({ codec, bytes, timeUs }: RecordedSound): SoundFrame[] {
    const config = codec === Codec.Aac ? readAacConfig(bytes) : undefined;
    // A clip's track has one format; sound in another one becomes silence.
    if (config?.sampleRate !== this.#aac.sampleRate || config.channels !== this.#aac.channels) return [];
    const silence = this.fill(timeUs / 1e6 - TOLERANCE_S);
    if (this.#timeS - timeUs / 1e6 > TOLERANCE_S) return silence;
    const frames = splitAdts(bytes).map(aacFrame);
    this.#frames += frames.length;
    return [...silence, ...frames];
  }

  fill(toS: number): SoundFrame[] {
    const frames: SoundFrame[] = [];
    for (; this.#timeS + this.#frameS <= toS; this.#frames++) frames.push(this.#silence);
    return frames;
  }

  finish(): SoundFrame[] {
    return [];
  }

  get #frameS(): number {
    return AAC_FRAME_SAMPLES / this.#aac.sampleRate;
  }

  get #timeS(): number {
    return this.#frames * this.#frameS;
  }
}

function aacFrame(bytes: Uint8Array): SoundFrame {
  return { bytes, samples: AAC_FRAME_SAMPLES };
}

const FULL_SCALE = 32_768;

class EncodedTrack implements SoundTrack {
  readonly config: SoundTrackConfig;
  readonly #rate: number;
  readonly #decoder = new TelephoneDecoder();
  readonly #encoder: SoundEncoder;
  #resampler: LineResampler | undefined;
  readonly #block = new Int16Array(AAC_FRAME_SAMPLES);
  #format: SoundFormat;
  #filled = 0;
  /** Samples in the frames so far. */
  #encoded = 0;
  #isFinished = false;

  constructor(format: SoundFormat, newEncoder: (sampleRate: number) => SoundEncoder) {
    this.#format = usable(format);
    this.#rate = encodableRate(this.#format.sampleRate);
    this.#encoder = newEncoder(this.#rate);
    this.config = { ...singleChannelConfig(this.#rate), delaySamples: this.#encoder.delaySamples };
  }

  setFormat(format: SoundFormat): void {
    this.#format = usable(format);
  }

  push({ codec, bytes, timeUs }: RecordedSound): SoundFrame[] {
    const chunk = this.#decoder.decode({ codec, bytes, mediaTimeUs: timeUs }, this.#format);
    if (chunk === undefined) return [];
    const frames = this.fill(timeUs / 1e6);
    // Sound that comes twice, or too early by more than jitter, has no place.
    if (this.#timeS - timeUs / 1e6 > TOLERANCE_S) return frames;
    this.#write(this.#atRate(chunk), frames);
    return frames;
  }

  fill(toS: number): SoundFrame[] {
    const frames: SoundFrame[] = [];
    if (this.#timeS >= toS - TOLERANCE_S) return frames;
    const behind = Math.round(toS * this.#rate);
    while (this.#encoded + this.#filled < behind) {
      const count = Math.min(behind - this.#encoded - this.#filled, this.#block.length - this.#filled);
      this.#block.fill(0, this.#filled, this.#filled + count);
      this.#grow(count, frames);
    }
    return frames;
  }

  finish(): SoundFrame[] {
    const frames: SoundFrame[] = [];
    const end = this.#encoded + this.#filled;
    if (this.#isFinished || end === 0) return frames;
    this.#isFinished = true;
    // The encoder's delay may push the last samples into another frame. All together last as long as the sound: readers that ignore
    // what lies before the clip would take the clip to be longer.
    for (let at = this.#encoded; at < end + this.#encoder.delaySamples; at += AAC_FRAME_SAMPLES) {
      this.#encodeBlock(frames, Math.min(Math.max(end - at, 1), AAC_FRAME_SAMPLES));
    }
    return frames;
  }

  /** Seconds of the encoded sound and of that which waits for its frame to be full: a count of samples, so no drift adds up. */
  get #timeS(): number {
    return (this.#encoded + this.#filled) / this.#rate;
  }

  #atRate({ samples, sampleRate }: SoundChunk): Float32Array {
    if (sampleRate === this.#rate) {
      this.#resampler = undefined;
      return samples;
    }
    if (this.#resampler?.from !== sampleRate) this.#resampler = new LineResampler(sampleRate, this.#rate);
    return this.#resampler.convert(samples);
  }

  #write(samples: Float32Array, frames: SoundFrame[]): void {
    for (let from = 0; from < samples.length; ) {
      const count = Math.min(samples.length - from, this.#block.length - this.#filled);
      toInt16(samples.subarray(from, from + count), this.#block, this.#filled);
      from += count;
      this.#grow(count, frames);
    }
  }

  #grow(count: number, frames: SoundFrame[]): void {
    this.#filled += count;
    if (this.#filled === this.#block.length) this.#encodeBlock(frames);
  }

  /** The rest of the block is silence. */
  #encodeBlock(frames: SoundFrame[], samples = AAC_FRAME_SAMPLES): void {
    this.#block.fill(0, this.#filled);
    frames.push({ bytes: this.#encoder.encode(this.#block), samples });
    this.#encoded += this.#filled;
    this.#filled = 0;
  }
}

function usable(format: SoundFormat): SoundFormat {
  return format.sampleRate >= 1 ? format : DEFAULT_FORMAT;
}

function toInt16(samples: Float32Array, to: Int16Array, at: number): void {
  for (let index = 0; index < samples.length; index++) {
    const value = Math.round((samples[index] ?? 0) * FULL_SCALE);
    to[at + index] = value > 32_767 ? 32_767 : value < -32_768 ? -32_768 : value;
  }
}
