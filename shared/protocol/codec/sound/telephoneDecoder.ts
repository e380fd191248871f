// From a stream's audio frames to samples, for the telephone codecs: tables and arithmetic alone, so that the browser's
// worker and the gateway's export decode alike.
import { Codec } from '../../stream/streamPacket.ts';
import { A_LAW, decodeG711, MU_LAW } from './g711.ts';
import { G726Decoder, g726BitsOf } from './g726.ts';
import { decodeImaAdpcm } from './imaAdpcm.ts';

export interface SoundFormat {
  readonly sampleRate: number;
  readonly channels: number;
}

export interface SoundChunk {
  /** One channel, -1 to 1. */
  readonly samples: Float32Array<ArrayBuffer>;
  readonly sampleRate: number;
}

export interface SoundFrame {
  readonly codec: number;
  readonly bytes: Uint8Array;
  readonly mediaTimeUs: number;
}

/** What the specification fixes for terminals, and what a stream that says nothing is. */
export const DEFAULT_FORMAT: SoundFormat = { sampleRate: 8_000, channels: 1 };
const TYPICAL_FRAME_MS = 40;
const LONGEST_FRAME_MS = 500;

/** Decodes the telephone codecs of one stream. Total: undefined for a codec that is none of them. */
export class TelephoneDecoder {
  #g726: G726Decoder | undefined;
  #lastG726Us: number | undefined;

  decode({ codec, bytes, mediaTimeUs }: SoundFrame, format: SoundFormat): SoundChunk | undefined {
    const samples = this.#samplesOf(codec, bytes, mediaTimeUs);
    return samples === undefined
      ? undefined
      : { samples: mixed(samples, format.channels), sampleRate: format.sampleRate };
  }

  restart(): void {
    this.#g726 = undefined;
    this.#lastG726Us = undefined;
  }

  #samplesOf(codec: number, bytes: Uint8Array, mediaTimeUs: number): Float32Array<ArrayBuffer> | undefined {
    switch (codec) {
      case Codec.Pcm16:
        return decodePcm16(bytes);
      case Codec.G711A:
        return decodeG711(bytes, A_LAW);
      case Codec.G711U:
        return decodeG711(bytes, MU_LAW);
      case Codec.ImaAdpcm:
        return decodeImaAdpcm(bytes);
      case Codec.G726:
        return this.#decodeG726(bytes, mediaTimeUs);
      default:
        return undefined;
    }
  }

  /** The rate shows in how long a frame lasts, which the time to the frame before tells. */
  #decodeG726(bytes: Uint8Array, mediaTimeUs: number): Float32Array<ArrayBuffer> {
    const gapMs = this.#lastG726Us === undefined ? 0 : (mediaTimeUs - this.#lastG726Us) / 1_000;
    this.#lastG726Us = mediaTimeUs;
    const isWhole = gapMs > 0 && gapMs <= LONGEST_FRAME_MS;
    const bits = isWhole
      ? g726BitsOf(bytes.length, gapMs)
      : (this.#g726?.bits ?? g726BitsOf(bytes.length, TYPICAL_FRAME_MS));
    const decoder = this.#g726?.bits === bits ? this.#g726 : new G726Decoder(bits);
    this.#g726 = decoder;
    return decoder.decode(bytes);
  }
}

export function decodePcm16(bytes: Uint8Array): Float32Array<ArrayBuffer> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const samples = new Float32Array(bytes.length >> 1);
  for (let at = 0; at < samples.length; at++) samples[at] = view.getInt16(at * 2, true) / 32_768;
  return samples;
}

/** Interleaved channels as one. */
function mixed(samples: Float32Array<ArrayBuffer>, channels: number): Float32Array<ArrayBuffer> {
  if (channels <= 1) return samples;
  return Float32Array.from({ length: Math.floor(samples.length / channels) }, (_, index) => {
    let sum = 0;
    for (let channel = 0; channel < channels; channel++) sum += samples[index * channels + channel] ?? 0;
    return sum / channels;
  });
}
