// One stream's sound from frames to chunks for its worklet. Owns both ports and the browser's decoder.

import {
  DEFAULT_FORMAT,
  type SoundChunk,
  type SoundFormat,
  TelephoneDecoder,
} from '../../shared/protocol/codec/sound/telephoneDecoder.ts';
import { Codec } from '../../shared/protocol/stream/streamPacket.ts';
import type { AudioFrame, PictureDelay, ToAudioStream, ToPlayout } from './messages.ts';
import { SessionSound } from './sessionSound.ts';
import { browserCodecOf } from './soundDecoder.ts';
import { SoundDelay } from './soundDelay.ts';

export interface AudioStreamDeps {
  readonly port: Pick<MessagePort, 'onmessage' | 'close'>;
  readonly output: { postMessage(message: ToPlayout, transfer: Transferable[]): void; close(): void };
  readonly createDecoder: ((init: AudioDecoderInit) => AudioDecoder) | undefined;
  readonly createChunk: (init: EncodedAudioChunkInit) => EncodedAudioChunk;
  readonly onUnsupported: (codecName: string) => void;
  readonly now: () => number;
  /** Epoch milliseconds less `now`. */
  readonly timeOrigin: number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  /** Whether the stream belongs to a playback session. */
  readonly isSession?: boolean;
}

const BROWSER_LIMIT = 20;
const PCM_LIMIT = 50;
const CODEC_NAMES: Readonly<Record<number, string>> = { [Codec.Aac]: 'AAC', [Codec.Opus]: 'Opus' };

export class AudioStream {
  readonly #deps: AudioStreamDeps;
  readonly #telephone = new TelephoneDecoder();
  readonly #delay = new SoundDelay();
  #format: SoundFormat = DEFAULT_FORMAT;
  #decoder: AudioDecoder | undefined;
  #decoderCodec: number | undefined;
  #unsupported: number | undefined;
  #isAudible = false;
  /** Set from the first message of the session's clock on. */
  #session: SessionSound | undefined;

  constructor(deps: AudioStreamDeps) {
    this.#deps = deps;
    deps.port.onmessage = ({ data }: MessageEvent<ToAudioStream>) => this.#handle(data);
  }

  setAudible(isAudible: boolean): void {
    if (this.#isAudible === isAudible) return;
    this.#isAudible = isAudible;
    this.#restart();
  }

  setDelay(pictures: PictureDelay): void {
    this.#deps.output.postMessage({ type: 'delay', delayMs: this.#delay.delayMs(pictures) }, []);
  }

  /** The viewer pauses, or goes on. */
  hold(isOn: boolean): void {
    if (isOn) this.#session?.hold();
    else this.#session?.release();
  }

  /** Safe to call twice. */
  close(): void {
    this.#session?.restart();
    this.#deps.port.onmessage = null;
    this.#deps.port.close();
    this.#closeDecoder();
    this.#deps.output.close();
  }

  #handle(message: ToAudioStream): void {
    switch (message.type) {
      case 'start':
        this.#restart();
        return;
      case 'format':
        this.#format = { sampleRate: rateOf(message.sampleRate), channels: Math.max(1, message.channels) };
        return;
      case 'clock':
        this.#joinSession()?.clock(message);
        return;
      case 'frames':
        if (this.#isAudible) for (const frame of message.frames) this.#receive(frame);
        return;
    }
  }

  #receive(frame: AudioFrame): void {
    this.#delay.arrived(frame.mediaTimeUs, this.#deps.timeOrigin + this.#deps.now(), frame.discontinuity);
    if (this.#session === undefined) this.#decode(frame);
    else this.#session.push(frame);
  }

  #joinSession(): SessionSound | undefined {
    if (this.#deps.isSession !== true) return undefined;
    this.#session ??= new SessionSound({
      ...this.#deps,
      play: (frame) => this.#decode(frame),
      silence: () => this.#deps.output.postMessage({ type: 'clear' }, []),
    });
    return this.#session;
  }

  #restart(): void {
    this.#session?.restart();
    this.#telephone.restart();
    this.#delay.restart();
    this.#closeDecoder();
    this.#deps.output.postMessage({ type: 'clear' }, []);
  }

  #decode(frame: AudioFrame): void {
    if (frame.discontinuity) this.#telephone.restart();
    const chunk = this.#telephone.decode(frame, this.#format);
    if (chunk !== undefined) this.#play(chunk, PCM_LIMIT);
    else this.#decodeByBrowser(frame);
  }

  #decodeByBrowser({ codec, bytes, mediaTimeUs }: AudioFrame): void {
    if (this.#unsupported === codec) return;
    try {
      const decoder = this.#decoderFor(codec);
      if (decoder === undefined) this.#giveUp(codec);
      decoder?.decode(this.#deps.createChunk({ type: 'key', timestamp: mediaTimeUs, data: bytes }));
    } catch {
      // A decoder that has failed: the next frame gets a new one.
      this.#closeDecoder();
    }
  }

  #decoderFor(codec: number): AudioDecoder | undefined {
    const name = browserCodecOf(codec);
    if (name === undefined || this.#deps.createDecoder === undefined) return undefined;
    if (this.#decoder !== undefined && this.#decoderCodec === codec) return this.#decoder;
    this.#closeDecoder();
    const decoder = this.#deps.createDecoder({
      output: (data) => this.#take(data),
      error: (error) => {
        if (this.#decoder !== decoder) return;
        if (error.name === 'NotSupportedError') this.#giveUp(codec);
        this.#closeDecoder();
      },
    });
    this.#decoder = decoder;
    this.#decoderCodec = codec;
    // AAC comes in ADTS, which says itself what it is.
    const { sampleRate, channels } = this.#format;
    decoder.configure({ codec: name, sampleRate, numberOfChannels: channels });
    return decoder;
  }

  /** Takes the data over. */
  #take(data: AudioData): void {
    try {
      const samples = new Float32Array(data.numberOfFrames);
      data.copyTo(samples, { planeIndex: 0, format: 'f32-planar' });
      this.#play({ samples, sampleRate: data.sampleRate }, BROWSER_LIMIT);
    } finally {
      data.close();
    }
  }

  #play({ samples, sampleRate }: SoundChunk, limit: number): void {
    this.#deps.output.postMessage({ type: 'chunk', samples, sampleRate, limit }, [samples.buffer]);
  }

  #giveUp(codec: number): void {
    this.#unsupported = codec;
    this.#deps.onUnsupported(CODEC_NAMES[codec] ?? `codec ${codec}`);
  }

  #closeDecoder(): void {
    const decoder = this.#decoder;
    this.#decoder = undefined;
    if (decoder !== undefined && decoder.state !== 'closed') decoder.close();
  }
}

/** A rate that no sound has is damage. */
function rateOf(sampleRate: number): number {
  return sampleRate >= 4_000 && sampleRate <= 192_000 ? sampleRate : DEFAULT_FORMAT.sampleRate;
}
