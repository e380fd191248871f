// Writes events to the database: many changes in one transaction, each event once, whatever happened to it meanwhile.
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { ChangedEvent, DayCount, EventBatch, EventLogStore, NewEvent } from '../../store/events/eventLog.ts';
import type { ChangeKind, EventChange } from './eventTracker.ts';
import { StoredWatchers } from './storedWatchers.ts';
import { findToldAgain, isNewAndLate } from './toldAgain.ts';
import type { TrackedEvent } from './trackedEvent.ts';
import { type Batch, WaitingEvents } from './waitingEvents.ts';

export interface StoredChange {
  readonly event: TrackedEvent & { readonly id: number };
  /** `begun` takes precedence over everything else that happened to the event. */
  readonly kind: ChangeKind;
}

/** Decides who is notified of events, before they are written: both are stored together. */
export interface EventPlanner {
  /** Takes the events that the database does not have yet, in their order. Called again for each attempt to write them. */
  plan(events: readonly TrackedEvent[]): {
    readonly messages: NonNullable<EventBatch['messages']>;
    /** Called when the attempt has succeeded. */
    readonly stored: () => void;
  };
}

export interface EventWriterDeps {
  /** Left out: nobody is notified. */
  readonly planner?: EventPlanner | undefined;
  readonly store: Pick<EventLogStore, 'write' | 'begunBetween'>;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onStored: (changes: readonly StoredChange[]) => void;
  readonly onFault: (error: Error) => void;
  readonly onLimit: OnLimit;
}

/**
 * Events that the database does not have yet. The least severe are dropped, the oldest of them first; critical events are kept beyond it.
 */
export const WAITING_EVENTS_LIMIT: Limit = { name: 'events.waiting.all', max: 20_000 };
/**
 * After a quiet time an event is written at once; in a busy one many share a transaction. A position that begins an event is
 * confirmed once the event is stored, so that its terminal waits as long.
 */
const FIRST_DELAY_MS = 10;
const BUSY_DELAY_MS = 30;
const RETRY_DELAY_MS = 5_000;
const EVENTS_A_TRANSACTION = 2_000;
const MAX_ATTEMPTS = 3;

export class EventWriter {
  readonly #deps: EventWriterDeps;
  readonly #waiting = new WaitingEvents();
  #cancelFlush: (() => void) | undefined;
  #writing: Promise<void> | undefined;
  readonly #failedAlone = new WeakMap<TrackedEvent, { readonly attempts: number; readonly successes: number }>();
  readonly #watchers = new StoredWatchers();
  #batchSize = EVENTS_A_TRANSACTION;
  #successes = 0;
  #isClosed = false;

  constructor(deps: EventWriterDeps) {
    this.#deps = deps;
  }

  get waitingCount(): number {
    return this.#waiting.size;
  }

  add(changes: readonly EventChange[]): void {
    for (const { event, kind } of changes) {
      if (event.isKnown === true || (!this.#waiting.has(event) && !this.#makeRoomFor(event))) continue;
      this.#waiting.put(event, kind);
    }
    this.#flushIn(FIRST_DELAY_MS);
  }

  /** Settles when the events, in their present state, are stored or given up. */
  whenStored(events: readonly TrackedEvent[]): Promise<void> {
    return this.#watchers.wait(events.filter((event) => this.#waiting.has(event)));
  }

  /** Writes the rest. Events that the database does not accept now are lost, which is reported. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#writing;
    while (this.#waiting.size > 0) {
      const before = this.#waiting.size;
      this.#flush();
      await this.#writing;
      if (this.#waiting.size >= before) break;
    }
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    const lost = this.#waiting.size;
    this.#waiting.clear();
    if (lost > 0) this.#deps.onFault(new Error(`${lost} events were lost at shutdown: the database did not take them`));
  }

  #flushIn(delayMs: number): void {
    if (this.#waiting.size === 0 || this.#writing !== undefined || this.#isClosed) return;
    this.#cancelFlush ??= this.#deps.runAfter(delayMs, () => this.#flush());
  }

  #flush(): void {
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    if (this.#waiting.size === 0 || this.#writing !== undefined) return;
    const batch = this.#waiting.takeFirst(this.#batchSize);
    // Whoever begins to wait during the write waits for the next one: the event has changed since the write began.
    const below = this.#watchers.nextNumber;
    this.#writing = this.#write(batch).then((isStored) => {
      this.#writing = undefined;
      if (isStored) {
        this.#watchers.tell(
          batch.map(([event]) => event),
          below,
        );
      }
      this.#flushIn(isStored ? BUSY_DELAY_MS : RETRY_DELAY_MS);
    });
  }

  async #write(batch: Batch): Promise<boolean> {
    let ids: number[];
    let added: TrackedEvent[];
    let counted: Prepared['counted'];
    let planned: ReturnType<EventPlanner['plan']> | undefined;
    try {
      await this.#leaveOutToldAgain(batch);
      const events = batch.map(([event]) => event).filter(({ isKnown }) => isKnown !== true);
      added = events.filter(({ id }) => id === undefined);
      const prepared = prepare(events);
      ({ counted } = prepared);
      planned = this.#plan(batch, added);
      ids = await this.#deps.store.write({ ...prepared.write, messages: planned?.messages });
    } catch (cause) {
      this.#waiting.settle(batch);
      this.#keep(batch, cause);
      return false;
    }
    this.#waiting.settle(batch);
    this.#batchSize = Math.min(EVENTS_A_TRANSACTION, this.#batchSize * 2);
    this.#successes++;
    for (const [at, event] of added.entries()) event.id = ids[at];
    for (const [event, countedMs] of counted) event.countedMs = countedMs;
    this.#tellStored(batch, () => planned?.stored());
    return true;
  }

  /** Plans the messages of the added events; undefined where that fails: the events are stored without messages. */
  #plan(batch: Batch, added: readonly TrackedEvent[]): ReturnType<EventPlanner['plan']> | undefined {
    const { planner, onFault } = this.#deps;
    if (planner === undefined || added.length === 0) return undefined;
    try {
      if (this.#failsByItself(batch)) throw new Error('the database takes other events');
      return planner.plan(added);
    } catch (cause) {
      onFault(new Error(`nobody is told of ${added.length} events`, { cause }));
      return undefined;
    }
  }

  /** Whether this is the last attempt for an event that fails alone. It is made without messages: the database may refuse these. */
  #failsByItself(batch: Batch): boolean {
    const [only] = batch;
    if (only === undefined || batch.length > 1) return false;
    const failed = this.#failedAlone.get(only[0]);
    return failed !== undefined && failed.attempts >= MAX_ATTEMPTS - 1 && this.#successes > failed.successes;
  }

  async #leaveOutToldAgain(batch: Batch): Promise<void> {
    const events = batch.map(([event]) => event);
    if (!events.some(isNewAndLate)) return;
    for (const event of await findToldAgain(events, this.#deps.store)) {
      event.isKnown = true;
      // The next event of the condition is then found independently.
      event.isAnswered = true;
      this.#waiting.drop(event);
    }
  }

  /** Reports the events as stored, whatever happens to the messages. */
  #tellStored(batch: Batch, messagesStored: () => void): void {
    const changes = batch.flatMap(([event, kind]) => (hasId(event) ? [{ event, kind }] : []));
    for (const tell of [messagesStored, () => this.#deps.onStored(changes)]) {
      try {
        tell();
      } catch (cause) {
        this.#deps.onFault(new Error('events are stored, but not everybody could be told', { cause }));
      }
    }
  }

  /**
   * Failed changes are tried again, after the others and in smaller parts, until a bad event is alone. It is given up once the database
   * has accepted others meanwhile.
   */
  #keep(batch: Batch, cause: unknown): void {
    const [first] = batch;
    this.#batchSize = Math.max(1, batch.length >> 1);
    if (batch.length === 1 && first !== undefined && this.#isHopeless(first[0])) {
      this.#deps.onFault(new Error(`an event of type ${first[0].type} cannot be stored`, { cause }));
      this.#watchers.tell([first[0]]);
      return;
    }
    this.#deps.onFault(new Error(`${batch.length} events could not be stored yet`, { cause }));
    for (const [event, kind] of batch) if (event.isKnown !== true) this.#waiting.put(event, kind);
  }

  #isHopeless(event: TrackedEvent): boolean {
    const failed = this.#failedAlone.get(event) ?? { attempts: 0, successes: this.#successes };
    this.#failedAlone.set(event, { ...failed, attempts: failed.attempts + 1 });
    return failed.attempts >= MAX_ATTEMPTS && this.#successes > failed.successes;
  }

  #makeRoomFor(event: TrackedEvent): boolean {
    if (this.#waiting.size < WAITING_EVENTS_LIMIT.max) return true;
    this.#deps.onLimit(WAITING_EVENTS_LIMIT);
    if (event.id !== undefined || event.severity === 'critical') return true;
    const dropped = this.#waiting.dropLeastSevere(event.severity);
    if (dropped === undefined) return false;
    this.#watchers.tell([dropped]);
    return true;
  }
}

function hasId(event: TrackedEvent): event is TrackedEvent & { readonly id: number } {
  return event.id !== undefined;
}

interface Prepared {
  readonly write: EventBatch;
  /** The part of each event's duration that the daily counts include afterwards. */
  readonly counted: readonly (readonly [TrackedEvent, number])[];
}

/** The batch that is written now. */
function prepare(events: readonly TrackedEvent[]): Prepared {
  const added: NewEvent[] = [];
  const changed: ChangedEvent[] = [];
  const days = new Map<string, DayCount>();
  const counted: (readonly [TrackedEvent, number])[] = [];
  for (const event of events) {
    const archiveNumber = event.device?.archiveNumber ?? 0;
    const { id } = event;
    if (id === undefined) added.push({ ...event, archiveNumber });
    else changed.push({ ...event, id });
    const lastedMs = event.endAtMs === 0 ? 0 : event.endAtMs - event.beginAtMs;
    counted.push([event, lastedMs]);
    const seconds = Math.round(lastedMs / 1000) - Math.round(event.countedMs / 1000);
    const count = id === undefined ? 1 : 0;
    if (count === 0 && seconds === 0) continue;
    const key = `${archiveNumber}/${event.type}/${event.localDay}`;
    const before = days.get(key) ?? { archiveNumber, type: event.type, day: event.localDay, count: 0, seconds: 0 };
    days.set(key, { ...before, count: before.count + count, seconds: before.seconds + seconds });
  }
  return { write: { added, changed, days: [...days.values()] }, counted };
}
