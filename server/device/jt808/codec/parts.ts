import type { Edition } from './codes.ts';
import { CompletedSet } from './completedSet.ts';
import type { Header } from './header.ts';
import { costOf, type PartHeader, PartSet } from './partSet.ts';

export interface PartLimits {
  /** Messages under way at once; the one that has been longest without a package makes room. */
  readonly maxSets: number;
  /** Bytes of all packages held, with the overhead of keeping them. */
  readonly maxBytes: number;
  /** Silence after which missing packages are asked for, first and again. */
  readonly missingAfterMs: number;
  readonly maxRequests: number;
  /** Silence after which a message is given up. */
  readonly expireAfterMs: number;
}

/** Time for which a repetition is recognized as such, and an incomplete message waits for its packages. */
export const PACKAGES_EXPIRE_AFTER_MS = 60_000;
const DEFAULT_LIMITS: PartLimits = {
  maxSets: 8,
  maxBytes: 16 * 1024 * 1024,
  missingAfterMs: 5_000,
  maxRequests: 5,
  expireAfterMs: PACKAGES_EXPIRE_AFTER_MS,
};
/** Most missing packages in one request, because terminals take no larger ones; the rest is asked for next time. */
const MAX_NUMBERS_A_REQUEST = 125;
const MAX_REMEMBERED = 4;

export interface CompleteMessage {
  readonly kind: 'complete';
  readonly messageId: number;
  readonly edition: Edition;
  /** The whole body, for decodeBody. */
  readonly bytes: Uint8Array;
  /** Serials in the order of the packages; an acknowledgement may name any of them. */
  readonly serials: readonly number[];
  /** Names the message when its packages come again. */
  readonly set: CompletedSet;
}

export type PartEvent =
  | CompleteMessage
  | { readonly kind: 'stored' }
  /**
   * A package that a terminal sent again because it missed the acknowledgement. `of`: the message that it completed, or the last
   * package of one that is complete; its acknowledgement says how the whole message fared. Without `of`, only acknowledge it.
   */
  | { readonly kind: 'duplicate'; readonly of?: CompletedSet }
  | { readonly kind: 'refused'; readonly reason: 'number' | 'size' };

export type PartReminder =
  /** Packages to ask for, with 0x8003 or, for 0x0801, with 0x8800. `first`: body of package 1, which has the media id. */
  | {
      readonly kind: 'missing';
      readonly messageId: number;
      readonly firstSerial: number;
      readonly numbers: readonly number[];
      readonly first: Uint8Array | undefined;
    }
  | { readonly kind: 'expired'; readonly messageId: number; readonly total: number; readonly received: number };

/**
 * Joins the packages that come over one connection. They are keyed by message id and total, not by serials, which are not
 * consecutive with every terminal. Pure but for the clock given: the owner of the assembler calls `due` at `nextDueMs`.
 */
export class PartAssembler {
  readonly #now: () => number;
  readonly #limits: PartLimits;
  readonly #onFull: ((what: 'sets' | 'bytes') => void) | undefined;
  readonly #sets = new Map<string, PartSet>();
  #remembered: CompletedSet[] = [];

  /** `onFull` is called when a message is given up for lack of room. */
  constructor(now: () => number, limits: Partial<PartLimits> = {}, onFull?: (what: 'sets' | 'bytes') => void) {
    this.#now = now;
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
    this.#onFull = onFull;
  }

  /** Bytes of all packages held, with the overhead of keeping them. */
  get heldBytes(): number {
    let held = 0;
    for (const set of this.#sets.values()) held += set.costBytes;
    return held;
  }

  /** Takes the body of a package, which is kept until its message is complete or given up. */
  add(header: Header, bytes: Uint8Array): PartEvent {
    if (!isPart(header)) return { kind: 'refused', reason: 'number' };
    const key = `${header.messageId}/${header.part.total}`;
    const completed = this.#completedBy(key, header, bytes);
    if (completed !== undefined) return repetitionOf(completed, header.part.number);
    const set = this.#setFor(key, header);
    set.lastArrivalMs = this.#now();
    if (set.isRefused) return { kind: 'refused', reason: 'size' };
    const relation = set.relationOf(header, bytes);
    if (relation === 'duplicate') return { kind: 'duplicate' };
    if (relation === 'foreign') set.restartBefore(header.part.number);
    if (this.heldBytes + costOf(bytes) > this.#limits.maxBytes) {
      set.isRefused = true;
      set.clear();
      this.#onFull?.('bytes');
      return { kind: 'refused', reason: 'size' };
    }
    set.add(header, bytes);
    return set.isComplete ? this.#complete(key, set, header) : { kind: 'stored' };
  }

  /** The reminders that are due now; none is given twice. */
  due(): PartReminder[] {
    const now = this.#now();
    const reminders: PartReminder[] = [];
    for (const [key, set] of this.#sets) {
      const { messageId, total, received } = set;
      if (now < this.#dueMsOf(set)) continue;
      if (this.#isHopeless(set, now)) {
        this.#sets.delete(key);
        reminders.push({ kind: 'expired', messageId, total, received });
        continue;
      }
      set.requests++;
      set.lastRequestMs = now;
      const firstSerial = set.firstSerial.serial;
      const numbers = set.missing(MAX_NUMBERS_A_REQUEST);
      reminders.push({ kind: 'missing', messageId, firstSerial, numbers, first: set.first() });
    }
    return reminders;
  }

  /** The time at which `due` has something to give, on the clock given; undefined: not before another package comes. */
  nextDueMs(): number | undefined {
    let next: number | undefined;
    for (const set of this.#sets.values()) next = Math.min(next ?? Number.POSITIVE_INFINITY, this.#dueMsOf(set));
    return next;
  }

  #dueMsOf(set: PartSet): number {
    const { missingAfterMs, expireAfterMs } = this.#limits;
    const expiresMs = set.lastArrivalMs + expireAfterMs;
    if (set.isRefused) return expiresMs;
    const lastMs = set.requests === 0 ? set.lastArrivalMs : Math.max(set.lastArrivalMs, set.lastRequestMs);
    return Math.min(expiresMs, lastMs + missingAfterMs);
  }

  #isHopeless(set: PartSet, now: number): boolean {
    if (set.isRefused || now >= set.lastArrivalMs + this.#limits.expireAfterMs) return true;
    // A computed first serial is asked for once: asking for the wrong message again would bring no more.
    return set.requests >= (set.firstSerial.isCertain ? this.#limits.maxRequests : 1);
  }

  #setFor(key: string, header: PartHeader): PartSet {
    const known = this.#sets.get(key);
    if (known !== undefined && this.#now() < known.lastArrivalMs + this.#limits.expireAfterMs) return known;
    this.#sets.delete(key);
    if (this.#sets.size >= this.#limits.maxSets) {
      this.#sets.delete(this.#idlest());
      this.#onFull?.('sets');
    }
    const set = new PartSet(header);
    this.#sets.set(key, set);
    return set;
  }

  #idlest(): string {
    const [first] = [...this.#sets].sort(([, a], [, b]) => a.lastArrivalMs - b.lastArrivalMs);
    return first?.[0] ?? '';
  }

  #complete(key: string, set: PartSet, { edition, part }: PartHeader): CompleteMessage {
    this.#sets.delete(key);
    const parts = set.inOrder();
    const completed = new CompletedSet(key, parts, part.number, this.#now());
    this.#remembered = [completed, ...this.#remembered.slice(0, MAX_REMEMBERED - 1)];
    return {
      kind: 'complete',
      messageId: set.messageId,
      edition,
      bytes: joined(parts.map(({ bytes }) => bytes)),
      serials: parts.map(({ serial }) => serial),
      set: completed,
    };
  }

  #completedBy(key: string, { serial, part }: PartHeader, bytes: Uint8Array): CompletedSet | undefined {
    const oldestMs = this.#now() - this.#limits.expireAfterMs;
    return this.#remembered.find((each) => each.atMs > oldestMs && each.has(key, part.number, { serial, bytes }));
  }
}

function repetitionOf(of: CompletedSet, number: number): PartEvent {
  return number === of.decidedBy || number === of.total ? { kind: 'duplicate', of } : { kind: 'duplicate' };
}

function isPart(header: Header): header is PartHeader {
  const { part } = header;
  return part !== undefined && part.number >= 1 && part.number <= part.total;
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
