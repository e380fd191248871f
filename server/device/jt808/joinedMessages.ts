// What became of messages that came in packages: terminals send a package again, and then have to hear the same as before.
import type { CompletedSet } from './codec/completedSet.ts';
import type { MessageBody } from './codec/message.ts';
import type { CompleteMessage } from './codec/parts.ts';

export type JoinedOutcome =
  | { readonly kind: 'answered'; readonly replies: readonly MessageBody[] }
  /** It could not be kept: it is handled again with the next repetition of the package that completed it. */
  | { readonly kind: 'wanted'; readonly message: CompleteMessage }
  /** It could not be kept, and is not held for another attempt any more. */
  | { readonly kind: 'given-up' };

export interface JoinedLimits {
  /** Bytes of all that is held for another attempt. */
  readonly maxBytes: number;
  readonly expireAfterMs: number;
}

/** A message is handled again this often; then its packages are refused until the terminal begins anew. */
const MAX_ATTEMPTS = 5;

/** Of one connection. */
export class JoinedMessages {
  readonly #now: () => number;
  readonly #limits: JoinedLimits;
  readonly #onFull: () => void;
  readonly #replies = new WeakMap<CompletedSet, readonly MessageBody[]>();
  readonly #failures = new WeakMap<CompletedSet, number>();
  /** The oldest first. */
  readonly #wanted = new Map<CompletedSet, CompleteMessage>();

  constructor(now: () => number, limits: JoinedLimits, onFull: () => void) {
    this.#now = now;
    this.#limits = limits;
    this.#onFull = onFull;
  }

  get heldBytes(): number {
    let held = 0;
    for (const { bytes } of this.#wanted.values()) held += bytes.length;
    return held;
  }

  /** It is settled: repetitions hear this. */
  answered({ set }: CompleteMessage, replies: readonly MessageBody[]): void {
    this.#forget(set);
    this.#replies.set(set, replies);
  }

  /** It was not kept. */
  failed(message: CompleteMessage): void {
    const { set } = message;
    const failures = (this.#failures.get(set) ?? 0) + 1;
    this.#failures.set(set, failures);
    this.#forget(set);
    set.atMs = this.#now();
    set.isWanted = true;
    if (failures >= MAX_ATTEMPTS) return;
    this.#wanted.set(set, message);
    while (this.heldBytes > this.#limits.maxBytes) {
      this.#forget(this.#oldest());
      this.#onFull();
    }
  }

  /** Undefined while nothing is known of it, as while it is being handled. */
  outcomeOf(set: CompletedSet): JoinedOutcome | undefined {
    const replies = this.#replies.get(set);
    if (replies !== undefined) return { kind: 'answered', replies };
    const message = this.#wanted.get(set);
    if (message !== undefined) return { kind: 'wanted', message };
    return this.#failures.has(set) ? { kind: 'given-up' } : undefined;
  }

  /** Drops what no repetition came for. */
  dropExpired(): void {
    for (const set of this.#wanted.keys()) if (this.#now() >= this.#expiryMsOf(set)) this.#forget(set);
  }

  /** When something of it expires; undefined for nothing. */
  nextDueMs(): number | undefined {
    const oldest = this.#oldest();
    return oldest === undefined ? undefined : this.#expiryMsOf(oldest);
  }

  #oldest(): CompletedSet | undefined {
    return this.#wanted.keys().next().value;
  }

  #expiryMsOf({ atMs }: CompletedSet): number {
    return atMs + this.#limits.expireAfterMs;
  }

  #forget(set: CompletedSet | undefined): void {
    if (set !== undefined) this.#wanted.delete(set);
  }
}
