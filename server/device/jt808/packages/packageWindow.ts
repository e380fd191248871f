// Which package of a long message goes out next. Knows neither sockets nor clocks.

/** Which packages the terminal acknowledges: each one, or only the one that completes the message. */
export type Acknowledged = 'each' | 'last';

/** Packages by their numbers, from 1. */
export class PackageWindow {
  readonly #total: number;
  readonly #size: number;
  readonly #expected: Acknowledged;
  /** A bit a package. */
  readonly #acknowledged: Uint8Array;
  #acknowledgedCount = 0;
  /** The first that has never been sent. */
  #fresh = 1;
  /** Sent, and neither acknowledged nor to be sent again. */
  readonly #onTheWay = new Set<number>();
  /** To be sent again, and whether the terminal has asked for it: then it has lost what it may have acknowledged before. */
  readonly #again = new Map<number, 'asked' | 'unanswered'>();

  constructor(total: number, size: number, expected: Acknowledged = 'each') {
    this.#total = total;
    this.#size = size;
    this.#expected = expected;
    this.#acknowledged = new Uint8Array((total >> 3) + 1);
  }

  get isComplete(): boolean {
    return this.#acknowledgedCount === this.#total;
  }

  get isWaiting(): boolean {
    return this.#onTheWay.size > 0;
  }

  get isAllSent(): boolean {
    return this.#fresh > this.#total;
  }

  get acknowledgedCount(): number {
    return this.#acknowledgedCount;
  }

  /** The number of the package to send next; undefined while the terminal has to answer first, or when all are sent. */
  next(): number | undefined {
    if (this.#expected === 'each' && this.#onTheWay.size >= this.#size) return undefined;
    const [repeated] = this.#again.keys();
    return repeated ?? (this.#fresh <= this.#total ? this.#fresh : undefined);
  }

  /** Still the one to send: it may have been acknowledged while it was read. */
  isWanted(number: number): boolean {
    return number === this.#fresh || this.#again.has(number);
  }

  sent(number: number): void {
    if (number === this.#fresh) this.#fresh++;
    this.#again.delete(number);
    this.#onTheWay.add(number);
    if (this.#expected === 'last' && number !== this.#total) this.acknowledge(number);
  }

  /** Whether an acknowledgement counts; of what was sent in vain, a late one does. One that nobody waits for may still be a refusal. */
  isOpen(number: number): boolean {
    if (this.#expected === 'last' && this.#isAcknowledged(number)) return true;
    return this.#onTheWay.has(number) || this.#again.get(number) === 'unanswered';
  }

  /** False for a package that was never sent, or has its acknowledgement. */
  acknowledge(number: number): boolean {
    if (!this.isOpen(number) || this.#isAcknowledged(number)) return false;
    this.#onTheWay.delete(number);
    this.#again.delete(number);
    this.#mark(number, true);
    this.#acknowledgedCount++;
    return true;
  }

  /** The terminal wants it again, acknowledged or not. False for one that has not been sent, or that it has asked for before. */
  repeat(number: number): boolean {
    if (!Number.isInteger(number) || number < 1 || number >= this.#fresh) return false;
    if (this.#again.get(number) === 'asked') return false;
    if (this.#isAcknowledged(number)) {
      this.#mark(number, false);
      this.#acknowledgedCount--;
    }
    this.#onTheWay.delete(number);
    this.#again.set(number, 'asked');
    return true;
  }

  /** Nothing has come back for too long. */
  repeatAll(): void {
    for (const number of this.#onTheWay) this.#again.set(number, 'unanswered');
    this.#onTheWay.clear();
  }

  #isAcknowledged(number: number): boolean {
    return ((this.#acknowledged[number >> 3] ?? 0) & (1 << (number & 7))) !== 0;
  }

  #mark(number: number, isAcknowledged: boolean): void {
    const byte = this.#acknowledged[number >> 3] ?? 0;
    const bit = 1 << (number & 7);
    this.#acknowledged[number >> 3] = isAcknowledged ? byte | bit : byte & ~bit;
  }
}
