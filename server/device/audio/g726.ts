import { type G726Bits, G726State } from '../../../shared/protocol/codec/g726.ts';

/** Encodes one stream; the state runs on from frame to frame. */
export class G726Encoder {
  readonly #bits: G726Bits;
  readonly #state: G726State;

  constructor(bits: G726Bits) {
    this.#bits = bits;
    this.#state = new G726State(bits);
  }

  /** Codes are packed from the lowest bit of each byte on; a multiple of eight samples fills whole bytes. */
  encode(samples: Int16Array): Uint8Array {
    const bytes = new Uint8Array(Math.ceil((samples.length * this.#bits) / 8));
    let held = 0;
    let heldBits = 0;
    let at = 0;
    for (const sample of samples) {
      held |= this.#state.encode(sample) << heldBits;
      heldBits += this.#bits;
      if (heldBits < 8) continue;
      bytes[at++] = held & 0xff;
      held >>= 8;
      heldBits -= 8;
    }
    if (heldBits > 0) bytes[at] = held;
    return bytes;
  }
}
