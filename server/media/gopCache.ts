import { KeptGroups } from '../../shared/protocol/codec/video/keptGroups.ts';
import { PACKET_HEADER_BYTES } from '../../shared/protocol/stream/streamPacket.ts';
import type { Limit, OnLimit } from '../limits/limit.ts';
import { type HubPacket, isDiscontinuous, isRecovering } from './hubPacket.ts';

/**
 * Current group of pictures, kept for new viewers. It is dropped until the next key frame, which bounds the memory of a channel whose
 * camera sends one key frame a minute.
 */
export const CACHED_GROUP_LIMIT: Limit = { name: 'stream.cached-group-bytes.channel', max: 8 * 1024 * 1024 };
/** With groups before the last one. They are worth no more than a new viewer's connection and decoder take at once. */
const MAX_BYTES_WITH_EARLIER = 768 * 1024;
const MAX_PICTURES_WITH_EARLIER = 400;

/**
 * The video since the last key frame, so that a new viewer's first picture doesn't wait for the next one; with gradual refresh, also
 * what its first picture needs to be right. A group beyond the limit is dropped, and new viewers wait for a key frame.
 */
export class GopCache {
  readonly #groups = new KeptGroups<HubPacket>();
  readonly #onLimit: OnLimit | undefined;

  constructor(onLimit?: OnLimit) {
    this.#onLimit = onLimit;
  }

  add(packet: HubPacket): void {
    if (!packet.isVideo) return;
    const dependence = isRecovering(packet) ? 'recovering' : undefined;
    const picture = { key: packet.isKey, discontinuity: isDiscontinuous(packet), dependence } as const;
    this.#groups.add(packet, picture, packet.bytes.subarray(PACKET_HEADER_BYTES));
    while (this.#groups.hasEarlier && this.#isTooMuch()) this.#groups.dropEarliest();
    if (this.#groups.bytes <= CACHED_GROUP_LIMIT.max - PACKET_HEADER_BYTES * this.#groups.count) return;
    this.#onLimit?.(CACHED_GROUP_LIMIT);
    this.clear();
  }

  /** From a key frame on, oldest first; empty when there is none. */
  packets(): readonly HubPacket[] {
    return this.#groups.items();
  }

  clear(): void {
    this.#groups.clear();
  }

  #isTooMuch(): boolean {
    return this.#groups.bytes > MAX_BYTES_WITH_EARLIER || this.#groups.count > MAX_PICTURES_WITH_EARLIER;
  }
}
