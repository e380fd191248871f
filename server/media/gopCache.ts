import type { Limit, OnLimit } from '../limits/limit.ts';
import type { HubPacket } from './hubPacket.ts';

/** Bounds the memory of a channel whose camera sends one key frame a minute. */
export const CACHED_GROUP_LIMIT: Limit = { name: 'stream.cached-group-bytes.channel', max: 8 * 1024 * 1024 };

/**
 * The video since the last key frame, so that a new viewer's first picture doesn't wait for the next one. A group beyond
 * the limit is dropped, and new viewers wait for a key frame.
 */
export class GopCache {
  #packets: HubPacket[] = [];
  #bytes = 0;
  readonly #onLimit: OnLimit | undefined;

  constructor(onLimit?: OnLimit) {
    this.#onLimit = onLimit;
  }

  add(packet: HubPacket): void {
    if (!packet.isVideo) return;
    if (packet.isKey) this.clear();
    else if (this.#packets.length === 0) return;
    this.#packets.push(packet);
    this.#bytes += packet.bytes.byteLength;
    if (this.#bytes <= CACHED_GROUP_LIMIT.max) return;
    this.#onLimit?.(CACHED_GROUP_LIMIT);
    this.clear();
  }

  /** From the key frame on, oldest first; empty when there is none. */
  packets(): readonly HubPacket[] {
    return this.#packets;
  }

  clear(): void {
    this.#packets = [];
    this.#bytes = 0;
  }
}
