// What the delivery has done since the start, for the metrics.
import type { MessageState, SenderKind } from '../../../shared/protocol/notify/notifyWords.ts';

/** `retry`: an attempt after which another one follows. */
export const DELIVERY_OUTCOMES = ['sent', 'retry', 'failed', 'canceled'] as const;
export type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number];

export class DeliveryFigures {
  /** Messages in the outbox, as last counted. */
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

  /** A message was sent so long after it was first due. */
  sentAfter(ms: number): void {
    this.#onSent(Math.max(0, ms) / 1_000);
  }

  /** Tells of each message how long after its time it was sent. */
  onSent(tell: (seconds: number) => void): void {
    this.#onSent = tell;
  }
}

export function outcomeOf(state: MessageState): DeliveryOutcome {
  return state === 'waiting' ? 'retry' : state;
}

const nameOf = (kind: SenderKind, outcome: DeliveryOutcome): string => `${kind} ${outcome}`;
