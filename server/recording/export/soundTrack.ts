// A channel's sound as an export carries it: AAC as it came, everything else without loss as FLAC. A clip's sound has no holes:
// silence stands where nothing was recorded, so that sound and pictures stay together and the writer never waits for sound.
import {
  DEFAULT_FORMAT,
  type SoundChunk,
  type SoundFormat,
  TelephoneDecoder,
} from '../../../shared/protocol/codec/sound/telephoneDecoder.ts';
import { Codec } from '../../../shared/protocol/stream/streamPacket.ts';
import { AAC_FRAME_SAMPLES, type AacConfig, readAacConfig, silentAacFrame, splitAdts } from './adts.ts';
import { FLAC_BLOCK_SAMPLES, FlacEncoder, flacStreamInfo } from './flac/flacEncoder.ts';
import { LineResampler } from './lineResampler.ts';
import type { SoundFrame, SoundTrackConfig } from './mp4/tracks.ts';

/** Sound on its way into a clip: frames without a hole, from the clip's start on. Times are seconds from there. */
export interface SoundTrack {
  readonly config: SoundTrackConfig;
  setFormat(format: SoundFormat): void;
  /** The clip's frames that a frame completes, silence in front of it included. */
  push(frame: RecordedSound): SoundFrame[];
  /** Silence up to a moment, if no sound came so far. */
  fill(toS: number): SoundFrame[];
  /** What no frame was completed for. Nothing comes after it. */
  finish(): SoundFrame[];
}

interface RecordedSound {
  readonly codec: number;
  readonly bytes: Uint8Array;
  readonly timeUs: number;
}

/** What a frame's time may be off before it is believed rather than the count of samples: network and terminal jitter. */
const TOLERANCE_S = 0.06;

export function createSoundTrack(
  first: { readonly codec: number; readonly bytes: Uint8Array },
  format: SoundFormat,
): SoundTrack | undefined {
  if (first.codec !== Codec.Aac) return new FlacTrack(format);
  const config = readAacConfig(first.bytes);
  return config && new AacTrack(config);
}

class AacTrack implements SoundTrack {
  readonly config: SoundTrackConfig;
  readonly #aac: AacConfig;
  readonly #silence: SoundFrame;
  #frames = 0;

  constructor(aac: AacConfig) {
    this.#aac = aac;
    this.config = { codec: 'aac', ...aac };
    this.#silence = aacFrame(silentAacFrame(aac.channels));
  }

  setFormat(): void {
    // Each frame says what it is.
  }

  push({ codec, bytes, timeUs }: RecordedSound): SoundFrame[] {
    const config = codec === Codec.Aac ? readAacConfig(bytes) : undefined;
    // A clip's track has one format; what came in another is silence.
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

/** What a clip's track can have, whatever a recording says: all rates of terminals are between. */
const LEAST_RATE = 8_000;
const GREATEST_RATE = 48_000;
const FULL_SCALE = 32_768;

class FlacTrack implements SoundTrack {
  readonly config: SoundTrackConfig;
  readonly #rate: number;
  readonly #decoder = new TelephoneDecoder();
  readonly #encoder: FlacEncoder;
  #resampler: LineResampler | undefined;
  readonly #block = new Int16Array(FLAC_BLOCK_SAMPLES);
  #format: SoundFormat;
  #filled = 0;
  /** Of the frames so far. */
  #encoded = 0;

  constructor(format: SoundFormat) {
    this.#format = usable(format);
    this.#rate = Math.round(Math.min(Math.max(this.#format.sampleRate, LEAST_RATE), GREATEST_RATE));
    this.#encoder = new FlacEncoder(this.#rate);
    const description = flacStreamInfo(this.#rate);
    this.config = { codec: 'flac', sampleRate: this.#rate, channels: 1, description };
  }

  setFormat(format: SoundFormat): void {
    this.#format = usable(format);
  }

  push({ codec, bytes, timeUs }: RecordedSound): SoundFrame[] {
    const chunk = this.#decoder.decode({ codec, bytes, mediaTimeUs: timeUs }, this.#format);
    if (chunk === undefined) return [];
    const frames = this.fill(timeUs / 1e6);
    // What comes twice or too early, by more than jitter, has no place.
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
    if (this.#filled > 0) this.#encode(frames);
    return frames;
  }

  /** Of what is encoded and what waits for its frame to be full: a count of samples, so nothing adds up that drifts. */
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

  /** Samples of 16 bits come back exactly as they were. */
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
    if (this.#filled === this.#block.length) this.#encode(frames);
  }

  #encode(frames: SoundFrame[]): void {
    const samples = this.#filled;
    frames.push({ bytes: this.#encoder.encode(this.#block.subarray(0, samples)), samples });
    this.#encoded += samples;
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
