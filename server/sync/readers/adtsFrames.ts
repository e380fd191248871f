// AAC frames of a stream whose packets may cut them anywhere. Pure except for its own state.
import { AAC_FRAME_SAMPLES, readAacConfig } from '../../recording/export/adts.ts';

export interface AdtsFrame {
  readonly sampleRate: number;
  readonly channels: number;
  /** The frame with its header. */
  readonly samples: Uint8Array;
  readonly durationUs: number;
}

const HEADER_BYTES = 7;

export class AdtsFrames {
  #bytes: Uint8Array = new Uint8Array();

  push(chunk: Uint8Array): AdtsFrame[] {
    const bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
    const frames: AdtsFrame[] = [];
    let at = 0;
    while (at + HEADER_BYTES <= bytes.length) {
      const config = readAacConfig(bytes.subarray(at));
      const length = frameBytes(bytes, at);
      if (config === undefined || length <= HEADER_BYTES) {
        at++;
        continue;
      }
      if (at + length > bytes.length) break;
      const { sampleRate, channels } = config;
      const durationUs = (AAC_FRAME_SAMPLES * 1e6) / sampleRate;
      frames.push({ sampleRate, channels, samples: bytes.subarray(at, at + length), durationUs });
      at += length;
    }
    this.#bytes = bytes.subarray(at);
    return frames;
  }
}

function frameBytes(bytes: Uint8Array, at: number): number {
  const [, , , fourth = 0, fifth = 0, sixth = 0] = bytes.subarray(at, at + HEADER_BYTES);
  return ((fourth & 3) << 11) | (fifth << 3) | (sixth >> 5);
}
