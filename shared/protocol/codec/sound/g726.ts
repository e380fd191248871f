// Frames of G.726 as terminals pack them.
import { type G726Bits, G726State } from '../g726.ts';

/** Bits per sample, from a frame's size and duration; the packets do not say. */
export function g726BitsOf(byteLength: number, durationMs: number): G726Bits {
  const bits = Math.round(byteLength / durationMs);
  return bits === 2 || bits === 3 || bits === 5 ? bits : 4;
}

/** Decodes one stream; the state runs on from frame to frame. */
export class G726Decoder {
  readonly bits: G726Bits;
  readonly #state: G726State;

  constructor(bits: G726Bits) {
    this.bits = bits;
    this.#state = new G726State(bits);
  }

  /** Codes are packed from the lowest bit of each byte on. */
  decode(bytes: Uint8Array): Float32Array<ArrayBuffer> {
    const samples = new Float32Array(Math.floor((bytes.length * 8) / this.bits));
    let held = 0;
    let heldBits = 0;
    let at = 0;
    for (let index = 0; index < samples.length; index++) {
      while (heldBits < this.bits) {
        held |= (bytes[at++] ?? 0) << heldBits;
        heldBits += 8;
      }
      samples[index] = this.#state.decode(held & ((1 << this.bits) - 1)) / 32_768;
      held >>= this.bits;
      heldBits -= this.bits;
    }
    return samples;
  }
}
