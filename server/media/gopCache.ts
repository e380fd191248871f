import { RecoveryCount } from '../../shared/protocol/codec/video/recoveryPoint.ts';
import { PACKET_HEADER_BYTES } from '../../shared/protocol/stream/streamPacket.ts';
import type { Limit, OnLimit } from '../limits/limit.ts';
import { type HubPacket, isDiscontinuous, isRecovering } from './hubPacket.ts';

/** Bounds the memory of a channel whose camera sends one key frame a minute. */
export const CACHED_GROUP_LIMIT: Limit = { name: 'stream.cached-group-bytes.channel', max: 8 * 1024 * 1024 };
/** With groups before the last one. They are worth no more than a new viewer's connection takes at once. */
export const MAX_BYTES_WITH_EARLIER = 768 * 1024;

interface CachedGroup {
  readonly packets: HubPacket[];
  bytes: number;
  /** Up to the picture that is right without the groups before; undefined for a group that needs none. */
  readonly recovery: RecoveryCount | undefined;
}

/**
 * The video since the last key frame, so that a new viewer's first picture doesn't wait for the next one. Where gradual refresh begins
 * at that, the groups before it are kept as well until pictures are right without them. A group beyond the limit is dropped, and
 * new viewers wait for a key frame.
 */
export class GopCache {
  #groups: CachedGroup[] = [];
  #bytes = 0;
  readonly #onLimit: OnLimit | undefined;

  constructor(onLimit?: OnLimit) {
    this.#onLimit = onLimit;
  }

  add(packet: HubPacket): void {
    if (!packet.isVideo) return;
    if (packet.isKey) this.#begin(packet);
    else this.#append(packet);
    while (this.#groups.length > 1 && this.#bytes > MAX_BYTES_WITH_EARLIER) this.#dropEarliest();
    if (this.#bytes <= CACHED_GROUP_LIMIT.max) return;
    this.#onLimit?.(CACHED_GROUP_LIMIT);
    this.clear();
  }

  /** From a key frame on, oldest first; empty when there is none. */
  packets(): readonly HubPacket[] {
    const [only] = this.#groups;
    return this.#groups.length > 1 || only === undefined ? this.#groups.flatMap(({ packets }) => packets) : only.packets;
  }

  clear(): void {
    this.#groups = [];
    this.#bytes = 0;
  }

  #begin(packet: HubPacket): void {
    const recovers = isRecovering(packet);
    if (recovers && !isDiscontinuous(packet)) this.#note(packet);
    else this.clear();
    const recovery = recovers ? new RecoveryCount(payloadOf(packet)) : undefined;
    this.#groups.push({ packets: [packet], bytes: packet.bytes.byteLength, recovery });
    this.#bytes += packet.bytes.byteLength;
  }

  #append(packet: HubPacket): void {
    const group = this.#groups.at(-1);
    if (group === undefined) return;
    group.packets.push(packet);
    group.bytes += packet.bytes.byteLength;
    this.#bytes += packet.bytes.byteLength;
    this.#note(packet);
  }

  /** A picture has come: where one of a group is right, nothing before that group is needed. */
  #note(packet: HubPacket): void {
    if (this.#groups.length < 2 && this.#groups[0]?.recovery === undefined) return;
    for (const { recovery } of this.#groups) recovery?.pass(payloadOf(packet));
    const needed = this.#groups.findLastIndex(({ recovery }) => recovery === undefined || recovery.isOver);
    for (let dropped = 0; dropped < needed; dropped++) this.#dropEarliest();
  }

  #dropEarliest(): void {
    this.#bytes -= this.#groups.shift()?.bytes ?? 0;
  }
}

function payloadOf({ bytes }: HubPacket): Uint8Array {
  return bytes.subarray(PACKET_HEADER_BYTES);
}
