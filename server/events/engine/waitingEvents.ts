// The events that wait for the database: each once, in the order in which they came, with quick access to the least severe.
import { SEVERITIES, type Severity } from '../../../shared/protocol/events/eventWords.ts';
import type { ChangeKind } from './eventTracker.ts';
import type { TrackedEvent } from './trackedEvent.ts';

export type Batch = readonly (readonly [TrackedEvent, ChangeKind])[];

/** Precedence of a change among several of the same event. */
const WEIGHT: Readonly<Record<ChangeKind, number>> = { begun: 3, repeated: 2, ended: 1, seen: 0 };
const LEAST_SEVERE_FIRST = SEVERITIES.filter((severity) => severity !== 'critical').toReversed();

export class WaitingEvents {
  readonly #kinds = new Map<TrackedEvent, ChangeKind>();
  /** Events of which the database has nothing, by severity, the oldest first. Critical ones are never dropped. */
  readonly #droppable = new Map<Severity, Set<TrackedEvent>>();
  /** Events that are being written: it is not known yet whether the database has them. */
  readonly #inFlight = new Set<TrackedEvent>();

  get size(): number {
    return this.#kinds.size;
  }

  has(event: TrackedEvent): boolean {
    return this.#kinds.has(event);
  }

  put(event: TrackedEvent, kind: ChangeKind): void {
    const other = this.#kinds.get(event);
    this.#kinds.set(event, other !== undefined && WEIGHT[other] > WEIGHT[kind] ? other : kind);
    if (event.id !== undefined || event.severity === 'critical' || this.#inFlight.has(event)) return;
    const sameSeverity = this.#droppable.get(event.severity) ?? new Set();
    this.#droppable.set(event.severity, sameSeverity.add(event));
  }

  /** Takes the first changes to write them. `settle` follows, whatever the outcome is. */
  takeFirst(count: number): Batch {
    const batch: [TrackedEvent, ChangeKind][] = [];
    for (const entry of this.#kinds) {
      if (batch.length >= count) break;
      batch.push(entry);
    }
    for (const [event] of batch) {
      this.#kinds.delete(event);
      this.#droppable.get(event.severity)?.delete(event);
      this.#inFlight.add(event);
    }
    return batch;
  }

  settle(batch: Batch): void {
    for (const [event] of batch) this.#inFlight.delete(event);
  }

  /** Drops the oldest of the least severe; undefined where all are more severe than `than`. */
  dropLeastSevere(than: Severity): TrackedEvent | undefined {
    for (const severity of LEAST_SEVERE_FIRST) {
      const [oldest] = this.#droppable.get(severity) ?? [];
      if (oldest !== undefined) {
        this.#droppable.get(severity)?.delete(oldest);
        this.#kinds.delete(oldest);
        return oldest;
      }
      if (severity === than) return undefined;
    }
    return undefined;
  }

  drop(event: TrackedEvent): void {
    this.#kinds.delete(event);
    this.#droppable.get(event.severity)?.delete(event);
  }

  clear(): void {
    this.#kinds.clear();
    this.#droppable.clear();
  }
}
