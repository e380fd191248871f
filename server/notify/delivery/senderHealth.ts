// Tracks which senders keep failing. The database has the same figures, for the time after a restart.
import type { AttemptOutcome } from '../../../shared/protocol/notify/notifyWords.ts';
import type { StoredHealth } from '../../store/notify/outbox/senderHealth.ts';

/** One failure may be caused by a recipient; this number in a row, over the time below, is caused by the sender. */
const FAILURES_IN_A_ROW = 5;
const FAILING_FOR_MS = 60_000;

interface Failures {
  readonly count: number;
  readonly sinceMs: number;
  readonly lastMs: number;
}

/** Pure. */
function keepsFailing({ count, sinceMs, lastMs }: Failures): boolean {
  return count >= FAILURES_IN_A_ROW && lastMs - sinceMs >= FAILING_FOR_MS;
}

export class SenderHealth {
  #onFailing: (sender: number, isFailing: boolean) => void = () => undefined;
  readonly #failures = new Map<number, Failures>();
  readonly #failing = new Set<number>();

  /** Calls when a sender begins to keep failing, or stops. */
  watch(onFailing: (sender: number, isFailing: boolean) => void): void {
    this.#onFailing = onFailing;
  }

  get failing(): ReadonlySet<number> {
    return this.#failing;
  }

  /** Reports the senders that kept failing when the gateway ended. */
  start(stored: readonly StoredHealth[]): void {
    for (const { sender, failures, failingSinceMs, lastFailureAtMs } of stored) {
      this.#take(sender, { count: failures, sinceMs: failingSinceMs, lastMs: lastFailureAtMs });
    }
  }

  note(sender: number, outcome: AttemptOutcome, atMs: number): void {
    if (outcome === 'sent') {
      this.forget(sender);
      return;
    }
    const { count, sinceMs } = this.#failures.get(sender) ?? { count: 0, sinceMs: atMs };
    // The clock may have been set back since the first failure.
    this.#take(sender, { count: count + 1, sinceMs: Math.min(sinceMs, atMs), lastMs: atMs });
  }

  /** Called when the sender works, was deleted or was turned off. */
  forget(sender: number): void {
    this.#failures.delete(sender);
    if (this.#failing.delete(sender)) this.#onFailing(sender, false);
  }

  #take(sender: number, failures: Failures): void {
    this.#failures.set(sender, failures);
    if (!keepsFailing(failures) || this.#failing.has(sender)) return;
    this.#failing.add(sender);
    this.#onFailing(sender, true);
  }
}
