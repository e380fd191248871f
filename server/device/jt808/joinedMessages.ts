// The results of messages that came in packages: a terminal that sends a package again must get the same answer as before.
import type { CompletedSet } from './codec/completedSet.ts';
import type { MessageBody } from './codec/message.ts';
import type { CompleteMessage } from './codec/parts.ts';

export type JoinedOutcome =
  | { readonly kind: 'answered'; readonly replies: readonly MessageBody[] }
  /** The message could not be kept: it is handled again with the next repetition of the package that completed it. */
  | { readonly kind: 'wanted'; readonly message: CompleteMessage }
  /** The message could not be kept, and is not held for another attempt any more. */
  | { readonly kind: 'given-up' };

export interface JoinedLimits {
  /** Bytes of all messages held for another attempt. */
  readonly maxBytes: number;
  readonly expireAfterMs: number;
}

/** A message is handled again this often; then its packages are refused until the terminal begins it again. */
const MAX_ATTEMPTS = 5;

/** The joined messages of one connection. */
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

  /** Notes the answer to a message, which repetitions get too. */
  answered({ set }: CompleteMessage, replies: readonly MessageBody[]): void {
    this.#forget(set);
    this.#replies.set(set, replies);
  }

  /** Notes that the message was not kept. */
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

  /** Undefined while nothing is known of the message, as while it is being handled. */
  outcomeOf(set: CompletedSet): JoinedOutcome | undefined {
    const replies = this.#replies.get(set);
    if (replies !== undefined) return { kind: 'answered', replies };
    const message = this.#wanted.get(set);
    if (message !== undefined) return { kind: 'wanted', message };
    return this.#failures.has(set) ? { kind: 'given-up' } : undefined;
  }

  /** Drops messages for which no repetition came. */
  dropExpired(): void {
    for (const set of this.#wanted.keys()) if (this.#now() >= this.#expiryMsOf(set)) this.#forget(set);
  }

  /** The time at which something expires; undefined: nothing does. */
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
