// A channel's sound as an export carries it: AAC as it came, everything else as Opus. A film's sound has no holes: silence
// stands where nothing was recorded, so that sound and pictures stay together and the writer never waits for sound.
import OpusScript from 'opusscript';
import { DEFAULT_FORMAT, type SoundFormat, TelephoneDecoder } from '../../../shared/protocol/sound/telephoneDecoder.ts';
import { Codec } from '../../../shared/protocol/streamPacket.ts';
import { AAC_FRAME_SAMPLES, type AacConfig, readAacConfig, silentAacFrame, splitAdts } from './adts.ts';
import type { Sample, SoundConfig } from './mp4Writer.ts';

/** Sound on its way into a film. Times are seconds from the film's start. */
export interface SoundTrack {
  readonly config: SoundConfig;
  setFormat(format: SoundFormat): void;
  /** The samples that a frame completes, silence in front of it included. */
  push(frame: { readonly codec: number; readonly bytes: Uint8Array; readonly timeUs: number }): Sample[];
  /** Silence up to a moment, if no sound came so far. */
  fill(toS: number): Sample[];
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
  readonly config: SoundConfig;
  readonly #aac: AacConfig;
  readonly #silence: Uint8Array;
  #frames = 0;

  constructor(aac: AacConfig) {
    this.#aac = aac;
    this.config = { codec: 'aac', ...aac };
    this.#silence = silentAacFrame(aac.channels);
  }

  setFormat(): void {
    // Each frame says what it is.
  }

  push({ codec, bytes, timeUs }: { codec: number; bytes: Uint8Array; timeUs: number }): Sample[] {
    const config = codec === Codec.Aac ? readAacConfig(bytes) : undefined;
    // A film's track has one format; what came in another is silence.
    if (config?.sampleRate !== this.#aac.sampleRate || config.channels !== this.#aac.channels) return [];
    const samples = this.fill(timeUs / 1e6 - TOLERANCE_S);
    if (this.#timeS - timeUs / 1e6 > TOLERANCE_S) return samples;
    return [...samples, ...splitAdts(bytes).map((data) => this.#next(data))];
  }

  fill(toS: number): Sample[] {
    const samples: Sample[] = [];
    while (this.#timeS + this.#frameS <= toS) samples.push(this.#next(this.#silence));
    return samples;
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

  #next(data: Uint8Array): Sample {
    const sample = { data, timeS: this.#timeS, durationS: this.#frameS };
    this.#frames++;
    return sample;
  }
}

const OPUS_RATES = [8_000, 12_000, 16_000, 24_000, 48_000] as const;
type OpusRate = (typeof OPUS_RATES)[number];
const OPUS_FRAME_S = 0.02;
/** The encoder's delay at 48,000 samples a second (RFC 7845, 4.2): 6.5 ms. */
const OPUS_PRE_SKIP = 312;
const OPUS_FILM_RATE = 48_000;
const SET_BITRATE = 4002;
const SET_COMPLEXITY = 4010;
const BITS_PER_SECOND = 24_000;
/** So many silent frames in a row sound of nothing: the one after them stands for all that follow. */
const SETTLED_FRAMES = 10;

class OpusTrack implements SoundTrack {
  readonly config: SoundConfig;
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
    this.#encoder = new OpusScript(this.#rate, 1, OpusScript.Application.AUDIO);
    this.#encoder.encoderCTL(SET_BITRATE, BITS_PER_SECOND);
    // Speech from a telephone codec gains nothing from the encoder's harder tries.
    this.#encoder.encoderCTL(SET_COMPLEXITY, 1);
    this.#frame = new Int16Array(this.#rate * OPUS_FRAME_S);
    const description = opusHead(this.#rate);
    this.config = { codec: 'opus', sampleRate: OPUS_FILM_RATE, channels: 1, description };
  }

  setFormat(format: SoundFormat): void {
    this.#format = format.sampleRate > 0 ? format : DEFAULT_FORMAT;
  }

  push({ codec, bytes, timeUs }: { codec: number; bytes: Uint8Array; timeUs: number }): Sample[] {
    const chunk = this.#decoder.decode({ codec, bytes, mediaTimeUs: timeUs }, this.#format);
    if (chunk === undefined) return [];
    const timeS = timeUs / 1e6;
    const samples = this.#timeS < timeS - TOLERANCE_S ? this.#pad(timeS) : [];
    // What comes twice or too early, by more than jitter, has no place.
    if (this.#timeS - timeS > TOLERANCE_S) return samples;
    this.#silentFrames = 0;
    for (const value of this.#resampled(chunk.samples, chunk.sampleRate)) this.#put(value, samples);
    return samples;
  }

  fill(toS: number): Sample[] {
    return this.#timeS < toS - TOLERANCE_S ? this.#pad(toS) : [];
  }

  close(): void {
    this.#encoder.delete();
  }

  get #timeS(): number {
    return this.#frames * OPUS_FRAME_S + this.#filled / this.#rate;
  }

  #pad(toS: number): Sample[] {
    const samples: Sample[] = [];
    while (this.#filled > 0 && this.#timeS < toS) this.#put(0, samples);
    while (this.#timeS + OPUS_FRAME_S <= toS) samples.push(this.#next(this.#silentFrame()));
    while (this.#timeS < toS) this.#put(0, samples);
    return samples;
  }

  #silentFrame(): Uint8Array {
    if (this.#silence !== undefined && this.#silentFrames > SETTLED_FRAMES) return this.#silence;
    this.#silentFrames++;
    this.#silence = this.#encode(new Int16Array(this.#frame.length));
    return this.#silence;
  }

  #put(value: number, samples: Sample[]): void {
    this.#frame[this.#filled++] = value;
    if (this.#filled < this.#frame.length) return;
    this.#filled = 0;
    samples.push(this.#next(this.#encode(this.#frame)));
  }

  #encode(frame: Int16Array): Uint8Array {
    return this.#encoder.encode(Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength), frame.length);
  }

  #next(data: Uint8Array): Sample {
    const sample = { data, timeS: this.#frames * OPUS_FRAME_S, durationS: OPUS_FRAME_S };
    this.#frames++;
    return sample;
  }

  /** Straight lines between the source's samples; none are needed at the rates of telephones. */
  *#resampled(samples: Float32Array, sampleRate: number): Generator<number> {
    const step = sampleRate / this.#rate;
    for (const sample of samples) {
      for (; this.#phase < 1; this.#phase += step) yield toInt16(this.#last + (sample - this.#last) * this.#phase);
      this.#phase -= 1;
      this.#last = sample;
    }
  }
}

function toInt16(value: number): number {
  return Math.round(Math.min(Math.max(value, -1), 1) * 32_767);
}

/** RFC 7845, 5.1. */
function opusHead(inputRate: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(19);
  const view = new DataView(bytes.buffer);
  bytes.set([...'OpusHead'].map((letter) => letter.charCodeAt(0)));
  view.setUint8(8, 1);
  view.setUint8(9, 1); // channels
  view.setUint16(10, OPUS_PRE_SKIP, true);
  view.setUint32(12, inputRate, true);
  return bytes;
}
