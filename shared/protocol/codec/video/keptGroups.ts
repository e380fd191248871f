// The pictures that a decoder needs to begin now: those since the last key frame, and more if gradual refresh begins at that one.
import type { Dependence } from '../../stream/streamPacket.ts';
import { RecoveryCount } from './recoveryPoint.ts';

export interface KeptPicture {
  readonly key: boolean;
  readonly discontinuity: boolean;
  readonly dependence?: Dependence | undefined;
}

interface Group<Item> {
  readonly items: Item[];
  bytes: number;
  /** Counts up to the picture that is right without the groups before; undefined for a group that needs none. */
  readonly recovery: RecoveryCount | undefined;
}

/** Whether a decoder that has the pictures before goes on at a key frame, while one that lacks them shows nothing for a while. */
export function continues({ key, discontinuity, dependence }: KeptPicture): boolean {
  return key && dependence === 'recovering' && !discontinuity;
}

/**
 * Groups of pictures in decoding order. If gradual refresh begins with a group, the groups before it are kept until it is right
 * without them.
 */
export class KeptGroups<Item> {
  #groups: Group<Item>[] = [];
  #bytes = 0;
  #count = 0;

  /** Bytes of all pictures. */
  get bytes(): number {
    return this.#bytes;
  }

  get count(): number {
    return this.#count;
  }

  /** Whether pictures are kept beside those since the last key frame. */
  get hasEarlier(): boolean {
    return this.#groups.length > 1;
  }

  /** From a key frame on, oldest first; empty when there is none. */
  items(): readonly Item[] {
    const [only] = this.#groups;
    return this.hasEarlier || only === undefined ? this.#groups.flatMap(({ items }) => items) : only.items;
  }

  /** Adds the next picture. A picture that is no key frame and has no group before it is not kept. */
  add(item: Item, picture: KeptPicture, accessUnit: Uint8Array): void {
    if (picture.key && !continues(picture)) this.clear();
    else this.#pass(accessUnit);
    if (picture.key) {
      const recovery = picture.dependence === 'recovering' ? new RecoveryCount(accessUnit) : undefined;
      this.#groups.push({ items: [], bytes: 0, recovery });
    }
    const group = this.#groups.at(-1);
    if (group === undefined) return;
    group.items.push(item);
    group.bytes += accessUnit.byteLength;
    this.#bytes += accessUnit.byteLength;
    this.#count++;
  }

  dropEarliest(): void {
    const dropped = this.#groups.shift();
    this.#bytes -= dropped?.bytes ?? 0;
    this.#count -= dropped?.items.length ?? 0;
  }

  clear(): void {
    this.#groups = [];
    this.#bytes = 0;
    this.#count = 0;
  }

  /** Once a picture of a group is right, nothing before that group is needed. */
  #pass(accessUnit: Uint8Array): void {
    for (const { recovery } of this.#groups) recovery?.pass(accessUnit);
    const needed = this.#groups.findLastIndex(({ recovery }) => recovery === undefined || recovery.isOver);
    for (let dropped = 0; dropped < needed; dropped++) this.dropEarliest();
  }
}
