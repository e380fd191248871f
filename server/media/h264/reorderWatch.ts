import { excludesReordering, parseSpsOrder, withoutReordering } from './sps.ts';

/** Groups without a B picture after which parameter sets that announce reordering are no longer believed. */
const GROUPS_TO_DISBELIEVE = 3;

/**
 * Whether a camera's pictures can be declared to be shown in decoding order. Without that declaration decoders hold back as
 * many pictures as the level allows, over a second for a small picture. Sets that announce reordering are believed until
 * three whole groups came without a B picture. A B picture ends the declaration for good.
 */
export class ReorderWatch {
  #sawBPicture = false;
  #groups = 0;
  #picturesInGroup = 0;
  #lastSet: { readonly from: Uint8Array; readonly to: Uint8Array; readonly disbelieved: boolean } | undefined;

  get reorders(): boolean {
    return this.#sawBPicture;
  }

  observe(isKey: boolean, isBPicture: boolean): void {
    if (isBPicture) this.#sawBPicture = true;
    // A stream of key frames alone proves nothing.
    if (isKey && this.#picturesInGroup > 1) this.#groups++;
    this.#picturesInGroup = isKey ? 1 : this.#picturesInGroup + 1;
  }

  /** The set to send: with the promise, or as it is. `mayImprove` is false where a promise that wasn't given yet has to wait. */
  rewrite(sps: Uint8Array, mayImprove = true): Uint8Array {
    if (this.#sawBPicture) return sps;
    const disbelieved = this.#groups >= GROUPS_TO_DISBELIEVE;
    const last = this.#lastSet;
    const isKept = last !== undefined && (last.disbelieved === disbelieved || !mayImprove);
    if (isKept && isEqual(last.from, sps)) return last.to;
    const to = rewritten(sps, disbelieved);
    this.#lastSet = { from: sps.slice(), to, disbelieved };
    return to;
  }
}

function rewritten(sps: Uint8Array, disbelieved: boolean): Uint8Array {
  const order = parseSpsOrder(sps);
  if (order === undefined) return sps;
  const isSilent = order.maxReorderFrames === undefined;
  return excludesReordering(order) || isSilent || disbelieved ? (withoutReordering(sps) ?? sps) : sps;
}

function isEqual(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((value, index) => value === right[index]);
}
