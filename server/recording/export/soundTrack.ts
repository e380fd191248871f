// A channel's sound as an export carries it: AAC as it came, everything else as Opus. A film's sound has no holes: silence
// stands where nothing was recorded, so that sound and pictures stay together and the writer never waits for sound.
import OpusScript from 'opusscript';
import { DEFAULT_FORMAT, type SoundFormat, TelephoneDecoder } from '../../../shared/protocol/sound/telephoneDecoder.ts';
import { Codec } from '../../../shared/protocol/streamPacket.ts';
import { AAC_FRAME_SAMPLES, type AacConfig, readAacConfig, silentAacFrame, splitAdts } from './adts.ts';
import type { SoundTrackConfig } from './mp4/tracks.ts';

/** Sound on its way into a film: frames without a hole, from the film's start on. Times are seconds from there. */
export interface SoundTrack {
  readonly config: SoundTrackConfig;
  setFormat(format: SoundFormat): void;
  /** The film's frames that a frame completes, silence in front of it included. */
  push(frame: { readonly codec: number; readonly bytes: Uint8Array; readonly timeUs: number }): Uint8Array[];
  /** Silence up to a moment, if no sound came so far. */
  fill(toS: number): Uint8Array[];
  close(): void;
}

/** What a frame's time may be off before it is believed rather than the count of samples: network and terminal jitter. */
const TOLERANCE_S = 0.06;

export function createSoundTrack(
  first: { readonly codec: number; readonly bytes: Uint8Array },
  format: SoundFormat,
): SoundTrack | undefined {
  if (first.codec !== Codec.Aac) return new OpusTrack(format);
  const config = readAacConfig(first.bytes);
  return config && new AacTrack(config);
}

class AacTrack implements SoundTrack {
  readonly config: SoundTrackConfig;
  readonly #aac: AacConfig;
  readonly #silence: Uint8Array;
  #frames = 0;

  constructor(aac: AacConfig) {
    this.#aac = aac;
    this.config = { codec: 'aac', frameSamples: AAC_FRAME_SAMPLES, ...aac };
    this.#silence = silentAacFrame(aac.channels);
  }

  setFormat(): void {
    // Each frame says what it is.
  }

  push({ codec, bytes, timeUs }: { codec: number; bytes: Uint8Array; timeUs: number }): Uint8Array[] {
    const config = codec === Codec.Aac ? readAacConfig(bytes) : undefined;
    // A film's track has one format; what came in another is silence.
    if (config?.sampleRate !== this.#aac.sampleRate || config.channels !== this.#aac.channels) return [];
    const silence = this.fill(timeUs / 1e6 - TOLERANCE_S);
    if (this.#timeS - timeUs / 1e6 > TOLERANCE_S) return silence;
    const heard = splitAdts(bytes);
    this.#frames += heard.length;
    return [...silence, ...heard];
  }

  fill(toS: number): Uint8Array[] {
    const frames: Uint8Array[] = [];
    for (; this.#timeS + this.#frameS <= toS; this.#frames++) frames.push(this.#silence);
    return frames;
  }

  close(): void {
    // Nothing is held.
  }

  get #frameS(): number {
    return AAC_FRAME_SAMPLES / this.#aac.sampleRate;
  }

  get #timeS(): number {
    return this.#frames * this.#frameS;
  }
}

const OPUS_RATES = [8_000, 12_000, 16_000, 24_000, 48_000] as const;
type OpusRate = (typeof OPUS_RATES)[number];
const OPUS_FRAME_S = 0.02;
/** The encoder's delay at 48,000 samples a second (RFC 7845, 4.2): 2.5 ms where it does not choose between its two ways. */
const OPUS_PRE_SKIP = 120;
const OPUS_FILM_RATE = 48_000;
const SET_BITRATE = 4002;
const SET_COMPLEXITY = 4010;
const BITS_PER_SECOND = 32_000;
/** So many silent frames in a row sound of nothing: the one after them stands for all that follow. */
const SETTLED_FRAMES = 10;

class OpusTrack implements SoundTrack {
  readonly config: SoundTrackConfig;
  readonly #rate: OpusRate;
  readonly #encoder: OpusScript;
  readonly #decoder = new TelephoneDecoder();
  readonly #frame: Int16Array;
  #filled = 0;
  #frames = 0;
  #format: SoundFormat;
  #silentFrames = 0;
  #silence: Uint8Array | undefined;
  /** Between the source's samples and the encoder's. */
  #phase = 0;
  #last = 0;

  constructor(format: SoundFormat) {
    this.#format = format;
    this.#rate = OPUS_RATES.find((rate) => rate >= format.sampleRate) ?? OPUS_FILM_RATE;
    this.#encoder = new OpusScript(this.#rate, 1, OpusScript.Application.RESTRICTED_LOWDELAY);
    this.#encoder.encoderCTL(SET_BITRATE, BITS_PER_SECOND);
    // Speech from a telephone codec gains nothing from the encoder's harder tries, nor from its model of speech, which
    // takes several times as long.
    this.#encoder.encoderCTL(SET_COMPLEXITY, 1);
    this.#frame = new Int16Array(this.#rate * OPUS_FRAME_S);
    const frameSamples = OPUS_FILM_RATE * OPUS_FRAME_S;
    const rates = { sampleRate: OPUS_FILM_RATE, inputRate: this.#rate };
    this.config = { codec: 'opus', ...rates, channels: 1, frameSamples, preSkip: OPUS_PRE_SKIP };
  }

  setFormat(format: SoundFormat): void {
    this.#format = format.sampleRate > 0 ? format : DEFAULT_FORMAT;
  }

  push({ codec, bytes, timeUs }: { codec: number; bytes: Uint8Array; timeUs: number }): Uint8Array[] {
    const chunk = this.#decoder.decode({ codec, bytes, mediaTimeUs: timeUs }, this.#format);
    if (chunk === undefined) return [];
    const timeS = timeUs / 1e6;
    const frames = this.#timeS < timeS - TOLERANCE_S ? this.#pad(timeS) : [];
    // What comes twice or too early, by more than jitter, has no place.
    if (this.#timeS - timeS > TOLERANCE_S) return frames;
    this.#silentFrames = 0;
    this.#resample(chunk.samples, chunk.sampleRate, frames);
    return frames;
  }

  fill(toS: number): Uint8Array[] {
    return this.#timeS < toS - TOLERANCE_S ? this.#pad(toS) : [];
  }

  close(): void {
    this.#encoder.delete();
  }

  get #timeS(): number {
    return this.#frames * OPUS_FRAME_S + this.#filled / this.#rate;
  }

  #pad(toS: number): Uint8Array[] {
    const frames: Uint8Array[] = [];
    while (this.#filled > 0 && this.#timeS < toS) this.#put(0, frames);
    for (; this.#timeS + OPUS_FRAME_S <= toS; this.#frames++) frames.push(this.#silentFrame());
    while (this.#timeS < toS) this.#put(0, frames);
    return frames;
  }

  #silentFrame(): Uint8Array {
    if (this.#silence !== undefined && this.#silentFrames > SETTLED_FRAMES) return this.#silence;
    this.#silentFrames++;
    this.#silence = this.#encode(new Int16Array(this.#frame.length));
    return this.#silence;
  }

  #put(value: number, frames: Uint8Array[]): void {
    this.#frame[this.#filled++] = value;
    if (this.#filled < this.#frame.length) return;
    this.#filled = 0;
    frames.push(this.#encode(this.#frame));
    this.#frames++;
  }

  #encode(frame: Int16Array): Uint8Array {
    return this.#encoder.encode(Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength), frame.length);
  }

  /** Straight lines between the source's samples; none are needed at the rates of telephones. */
  #resample(samples: Float32Array, sampleRate: number, frames: Uint8Array[]): void {
    const step = sampleRate / this.#rate;
    for (const sample of samples) {
      for (; this.#phase < 1; this.#phase += step) {
        this.#put(toInt16(this.#last + (sample - this.#last) * this.#phase), frames);
      }
      this.#phase -= 1;
      this.#last = sample;
    }
  }
}

function toInt16(value: number): number {
  return Math.round(Math.min(Math.max(value, -1), 1) * 32_767);
}
