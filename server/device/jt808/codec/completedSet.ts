/** The packages of a message that is complete: tells a repetition of one of them from a package of the next message. */
export class CompletedSet {
  readonly #key: string;
  readonly #serials: Uint16Array;
  readonly #hashes: Uint32Array;
  /** Number of the package that came last: its acknowledgement was the answer to the whole message. */
  readonly decidedBy: number;
  /** Time of completion, or of the latest failure. */
  atMs: number;
  /** The message is still wanted: its packages count with new serials too, because not every terminal repeats the old ones. */
  isWanted = false;

  constructor(key: string, packages: CompletedPackages, decidedBy: number, atMs: number) {
    this.#key = key;
    this.#serials = Uint16Array.from(packages, ({ serial }) => serial);
    this.#hashes = Uint32Array.from(packages, ({ bytes }) => hashOf(bytes));
    this.decidedBy = decidedBy;
    this.atMs = atMs;
  }

  get total(): number {
    return this.#serials.length;
  }

  has(key: string, number: number, { serial, bytes }: CompletedPackages[number]): boolean {
    if (key !== this.#key || (!this.isWanted && serial !== this.#serials[number - 1])) return false;
    return this.#hashes[number - 1] === hashOf(bytes);
  }
}

/** The packages in the order of their numbers. */
export type CompletedPackages = readonly { readonly serial: number; readonly bytes: Uint8Array }[];

/** FNV-1a: enough to tell a repetition from the next message with the same serial. */
function hashOf(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
