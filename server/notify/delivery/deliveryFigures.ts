// Counts of the delivery since the start, for the metrics.
import type { MessageState, SenderKind } from '../../../shared/protocol/notify/notifyWords.ts';

/** `retry`: an attempt after which another one follows. */
export const DELIVERY_OUTCOMES = ['sent', 'retry', 'failed', 'canceled'] as const;
export type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number];

export class DeliveryFigures {
  /** Messages in the outbox at the last count. */
  waiting = 0;
  readonly #counts = new Map<string, number>();
  #onSent: (seconds: number) => void = () => undefined;

  note(kind: SenderKind, outcome: DeliveryOutcome, count = 1): void {
    const name = nameOf(kind, outcome);
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + count);
  }

  count(kind: SenderKind, outcome: DeliveryOutcome): number {
    return this.#counts.get(nameOf(kind, outcome)) ?? 0;
  }

  /** Notes how long after its first due time a message was sent. */
  sentAfter(ms: number): void {
    this.#onSent(Math.max(0, ms) / 1_000);
  }

  /** Calls `tell` for each message with the delay of its sending. */
  onSent(tell: (seconds: number) => void): void {
    this.#onSent = tell;
  }
}

export function outcomeOf(state: MessageState): DeliveryOutcome {
  return state === 'waiting' ? 'retry' : state;
}

const nameOf = (kind: SenderKind, outcome: DeliveryOutcome): string => `${kind} ${outcome}`;
