// Sends the messages of one sender: a few at a time, at its pace, the one that has waited longest first.
import { inBackground } from '../../faults/background.ts';
import { faultOf } from '../../faults/onFault.ts';
import { PendingWork } from '../../faults/pendingWork.ts';
import type { StoredMessage } from '../../store/notify/plannedMessage.ts';
import { deliverMessage } from './deliverMessage.ts';
import type { DeliveringSender, DeliveryDeps } from './deliveryDeps.ts';
import { TOO_OLD_AFTER_MS } from './nextAttempt.ts';
import { paceWaitMs } from './pacing.ts';
import { TOO_OLD } from './prepareMessage.ts';

const MESSAGES_AT_ONCE_OF_SENDER = 4;
/** Read with one statement; they are looked at again before they are sent. */
const BATCH = 20;
/** Ended with one statement. */
const PART = 500;
const MINUTE_MS = 60_000;
/** After a fault of the database, or of what opens senders. */
const FAULT_PAUSE_MS = 10_000;

export class SenderLoop {
  readonly #id: number;
  readonly #deps: DeliveryDeps;
  /** The sender is deleted and nothing of it waits any more. */
  readonly #onGone: () => void;
  readonly #closing = new AbortController();
  readonly #pending = new PendingWork();
  readonly #underWay = new Set<number>();
  #sender: DeliveringSender | undefined;
  /** Due and not begun. */
  #batch: StoredMessage[] = [];
  /** Of the sender, as the loop has heard of it. */
  #edits = 0;
  #lastBeginMs: number | undefined;
  #lastEndedOldMs = Number.NEGATIVE_INFINITY;
  #pausedUntilMs = 0;
  #cancelTimer: (() => void) | undefined;
  #isTurning = false;
  #isWantedAgain = false;

  constructor(id: number, deps: DeliveryDeps, onGone: () => void) {
    this.#id = id;
    this.#deps = deps;
    this.#onGone = onGone;
  }

  /** There may be something to send. */
  wake(): void {
    if (this.#closing.signal.aborted) return;
    this.#isWantedAgain = true;
    if (!this.#isTurning) this.#run(this.#turns());
  }

  /** The sender was edited: what was read and not begun is read again. */
  reload(): void {
    this.#edits++;
    this.#batch = [];
    this.wake();
  }

  /** Breaks off what is under way, and waits for its end. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#cancelTimer?.();
    await this.#pending.settled();
  }

  /** Waited for at the end alone. */
  #run(work: Promise<void>): void {
    inBackground('the delivery failed', this.#pending.add(work), this.#deps.onFault);
  }

  async #turns(): Promise<void> {
    this.#isTurning = true;
    while (this.#isWantedAgain && !this.#closing.signal.aborted) {
      this.#isWantedAgain = false;
      try {
        await this.#turn();
      } catch (cause) {
        this.#fail('messages that are due could not be read', cause);
      }
    }
    this.#isTurning = false;
  }

  async #turn(): Promise<void> {
    if (this.#underWay.size >= MESSAGES_AT_ONCE_OF_SENDER) return;
    const pauseMs = this.#pausedUntilMs - this.#deps.now();
    // A longer one: the clock was set back since.
    if (pauseMs > 0 && pauseMs <= FAULT_PAUSE_MS) return this.#wakeIn(pauseMs);
    if (this.#batch.length === 0) await this.#read();
    this.#beginSome();
  }

  async #read(): Promise<void> {
    const { queue, openSender, now, health } = this.#deps;
    const edits = this.#edits;
    this.#sender = await openSender(this.#id);
    if (this.#sender === undefined) return this.#endAll();
    await this.#endOld();
    if (!this.#sender.enabled) {
      health.forget(this.#id);
      return this.#wakeIn(MINUTE_MS);
    }
    const nowMs = now();
    // As of before the statement: what ends meanwhile may have been read as it was before.
    const underWay = new Set(this.#underWay);
    const limit = BATCH + underWay.size;
    const due = await queue.due(this.#id, nowMs, limit);
    // Edited meanwhile: the next turn, which is wanted already, reads both again.
    if (edits !== this.#edits) return;
    this.#batch = due.filter(({ id }) => !underWay.has(id));
    if (due.length < limit) this.#wakeAt(await queue.nextDueMs(this.#id, nowMs));
  }

  #beginSome(): void {
    const { now } = this.#deps;
    while (this.#underWay.size < MESSAGES_AT_ONCE_OF_SENDER && !this.#closing.signal.aborted) {
      const [message] = this.#batch;
      const sender = this.#sender;
      if (message === undefined || sender === undefined) return;
      const waitMs = paceWaitMs({ perMinute: sender.perMinute, lastBeginMs: this.#lastBeginMs, nowMs: now() });
      if (waitMs > 0) {
        this.#wakeIn(waitMs);
        return;
      }
      this.#batch.shift();
      this.#lastBeginMs = now();
      this.#run(this.#deliver(message, sender));
    }
  }

  async #deliver(message: StoredMessage, sender: DeliveringSender): Promise<void> {
    this.#underWay.add(message.id);
    try {
      const onBegin = (): void => {
        this.#lastBeginMs = this.#deps.now();
      };
      await deliverMessage(message, { sender, closing: this.#closing.signal, onBegin }, this.#deps);
    } catch (cause) {
      this.#fail(`the message ${message.id} could not be delivered`, cause);
    } finally {
      this.#underWay.delete(message.id);
      this.wake();
    }
  }

  /** Nobody can send them any more. */
  async #endAll(): Promise<void> {
    this.#deps.health.forget(this.#id);
    const all = { firstDueBeforeMs: Number.MAX_SAFE_INTEGER, state: 'canceled', answer: 'no-sender' } as const;
    while ((await this.#endSome(all)) === PART && !this.#closing.signal.aborted);
    if (this.#underWay.size === 0) this.#onGone();
  }

  /** Also of a sender that is turned off: what waited for a day is no news. */
  async #endOld(): Promise<void> {
    const nowMs = this.#deps.now();
    if (Math.abs(nowMs - this.#lastEndedOldMs) < MINUTE_MS) return;
    this.#lastEndedOldMs = nowMs;
    const old = { firstDueBeforeMs: nowMs - TOO_OLD_AFTER_MS, state: 'failed', answer: TOO_OLD } as const;
    while ((await this.#endSome(old)) === PART && !this.#closing.signal.aborted);
  }

  async #endSome(end: {
    readonly firstDueBeforeMs: number;
    readonly state: 'failed' | 'canceled';
    readonly answer: string;
  }): Promise<number> {
    const { queue, figures, now, onChanged } = this.#deps;
    const { firstDueBeforeMs, state, answer } = end;
    const ids = await queue.finishOfSender(this.#id, { firstDueBeforeMs, limit: PART }, { state, answer, atMs: now() });
    if (ids.length === 0) return 0;
    if (this.#sender !== undefined) figures.note(this.#sender.kind, state, ids.length);
    onChanged(ids);
    return ids.length;
  }

  #fail(what: string, cause: unknown): void {
    if (this.#closing.signal.aborted) return;
    this.#deps.onFault(faultOf(what, cause));
    this.#pausedUntilMs = this.#deps.now() + FAULT_PAUSE_MS;
    this.#wakeIn(FAULT_PAUSE_MS);
  }

  #wakeAt(atMs: number | undefined): void {
    if (atMs === undefined) return;
    // Looked at each minute at least: the clock may be set.
    this.#wakeIn(Math.min(Math.max(atMs - this.#deps.now(), 1), MINUTE_MS));
  }

  #wakeIn(delayMs: number): void {
    this.#cancelTimer?.();
    if (this.#closing.signal.aborted) return;
    this.#cancelTimer = this.#deps.runAfter(delayMs, () => this.wake());
  }
}
