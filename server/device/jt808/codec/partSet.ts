import type { Header, PartNumber } from './header.ts';

/** Cost of keeping one package, beyond its body. Counted, so that empty packages cannot pile up at no cost. */
const PART_OVERHEAD_BYTES = 128;

/** Where package 1 states the message that it belongs to: a reply serial (2 bytes) or a media id (4 bytes), always in front. */
const IDENTITY_BYTES = new Map([
  [0x0104, 2],
  [0x0201, 2],
  [0x0500, 2],
  [0x0700, 2],
  [0x0801, 4],
  [0x0802, 2],
  [0x0805, 2],
  [0x1205, 2],
]);

export type PartHeader = Header & { readonly part: PartNumber };

interface Part {
  readonly serial: number;
  readonly bytes: Uint8Array;
  /** Counts up with each package of the set. */
  readonly arrival: number;
}

/** The packages of one message that have come so far. */
export class PartSet {
  readonly messageId: number;
  readonly total: number;
  readonly #parts = new Map<number, Part>();
  #arrivals = 0;
  /** Bytes of the bodies, and the overhead of keeping them. */
  costBytes = 0;
  lastArrivalMs = 0;
  requests = 0;
  lastRequestMs = 0;
  /** The message is too large: its packages are refused until it expires, and none is kept. */
  isRefused = false;

  constructor(header: PartHeader) {
    this.messageId = header.messageId;
    this.total = header.part.total;
  }

  get received(): number {
    return this.#parts.size;
  }

  get isComplete(): boolean {
    return this.#parts.size === this.total;
  }

  /** Serial of package 1. Where that package is missing, its serial is computed from the lowest package held, which may be wrong. */
  get firstSerial(): { readonly serial: number; readonly isCertain: boolean } {
    const first = this.#parts.get(1);
    if (first !== undefined) return { serial: first.serial, isCertain: true };
    let lowest = this.total;
    for (const number of this.#parts.keys()) lowest = Math.min(lowest, number);
    const serial = ((this.#parts.get(lowest)?.serial ?? 0) - (lowest - 1)) & 0xffff;
    return { serial, isCertain: false };
  }

  first(): Uint8Array | undefined {
    return this.#parts.get(1)?.bytes;
  }

  add(header: PartHeader, bytes: Uint8Array): void {
    this.#put(header.part.number, { serial: header.serial, bytes, arrival: this.#arrivals++ });
  }

  /** How the package relates to this set. */
  relationOf(header: PartHeader, bytes: Uint8Array): 'missing' | 'duplicate' | 'renewed' | 'foreign' {
    const { number } = header.part;
    const held = this.#parts.get(number);
    if (held !== undefined) {
      if (isEqual(held.bytes, bytes)) return 'duplicate';
      return number === 1 && this.#hasSameIdentity(held.bytes, bytes) ? 'renewed' : 'foreign';
    }
    // Package 1 was not asked for, and its serial does not precede the others: another message begins.
    const isOther = number === 1 && this.requests === 0 && header.serial !== this.firstSerial.serial;
    return isOther && this.received > 0 ? 'foreign' : 'missing';
  }

  /** Drops packages that a package of another message proves to be old: all, or all that came before the latest package 1. */
  restartBefore(number: number): void {
    const first = this.#parts.get(1);
    const old = this.#parts.get(number);
    const isNewFirst = first !== undefined && old !== undefined && first.arrival > old.arrival;
    const kept = isNewFirst ? [...this.#parts].filter(([, part]) => part.arrival >= first.arrival) : [];
    this.clear();
    for (const [each, part] of kept) this.#put(each, part);
    this.requests = 0;
  }

  clear(): void {
    this.#parts.clear();
    this.costBytes = 0;
  }

  /** At most `limit` numbers that are missing, ascending. */
  missing(limit: number): number[] {
    const numbers: number[] = [];
    for (let number = 1; number <= this.total && numbers.length < limit; number++) {
      if (!this.#parts.has(number)) numbers.push(number);
    }
    return numbers;
  }

  /** The packages in the order of their numbers. */
  inOrder(): { readonly serial: number; readonly bytes: Uint8Array }[] {
    return [...this.#parts].sort(([a], [b]) => a - b).map(([, part]) => part);
  }

  #put(number: number, part: Part): void {
    this.costBytes -= costOf(this.#parts.get(number)?.bytes);
    this.#parts.set(number, part);
    this.costBytes += costOf(part.bytes);
  }

  #hasSameIdentity(held: Uint8Array, bytes: Uint8Array): boolean {
    const length = IDENTITY_BYTES.get(this.messageId);
    return (
      length !== undefined && held.length >= length && isEqual(held.subarray(0, length), bytes.subarray(0, length))
    );
  }
}

/** The cost of keeping a package, its body included. */
export function costOf(bytes: Uint8Array | undefined): number {
  return bytes === undefined ? 0 : bytes.length + PART_OVERHEAD_BYTES;
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}
