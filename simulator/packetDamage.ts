// What a bad line does to media packets: doubles, spoils, loses, swaps or cuts some of them. The same seed does the same damage.

export type DamageKind = 'doubled' | 'flipped' | 'lost' | 'reordered' | 'truncated';

export class PacketDamage {
  readonly #kind: DamageKind;
  readonly #everyPacket: number;
  #random: number;
  #packets = 0;
  /** Overtaken by the packet after it. */
  #held: Uint8Array | undefined;

  /** One packet in `everyPacket` is damaged. */
  constructor(kind: DamageKind, everyPacket: number, seed: number) {
    this.#kind = kind;
    this.#everyPacket = everyPacket;
    this.#random = seed;
  }

  /** What arrives in place of a packet: nothing, something else, or two packets. */
  apply(packet: Uint8Array): Uint8Array[] {
    const held = this.#held;
    this.#held = undefined;
    if (held !== undefined) return [packet, held];
    this.#packets++;
    if (this.#packets % this.#everyPacket !== 0) return [packet];
    switch (this.#kind) {
      case 'doubled':
        return [packet, packet];
      case 'flipped':
        return [this.#flipped(packet)];
      case 'lost':
        return [];
      case 'reordered':
        this.#held = packet;
        return [];
      case 'truncated':
        return [packet.subarray(0, this.#below(packet.length))];
    }
  }

  /** One bit, in the header or the body. */
  #flipped(packet: Uint8Array): Uint8Array {
    const copy = Uint8Array.from(packet);
    const at = this.#below(copy.length);
    copy[at] = (copy[at] ?? 0) ^ (1 << this.#below(8));
    return copy;
  }

  /** A whole number from 0 to below the limit. */
  #below(limit: number): number {
    this.#random = (Math.imul(this.#random, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#random / 2 ** 32) * limit);
  }
}
