// Sends the messages of one sender: a few at a time, at its pace, and the member groups that share it in turn.
import { inBackground } from '../../faults/background.ts';
import { faultOf } from '../../faults/onFault.ts';
import { PendingWork } from '../../faults/pendingWork.ts';
import type { StoredMessage } from '../../store/notify/plannedMessage.ts';
import { type DeliverOptions, deliverMessage } from './deliverMessage.ts';
import type { DeliveringSender, DeliveryDeps } from './deliveryDeps.ts';
import { nextMessage } from './fairOrder.ts';
import { MAX_RETRY_AFTER_MS, TOO_OLD_AFTER_MS } from './nextAttempt.ts';
import { paceWaitMs } from './pacing.ts';
import { TOO_OLD } from './prepareMessage.ts';
import { SenderTurns } from './senderTurns.ts';

/** Messages read with one statement, which has some of each member group; they are checked again before they are sent. */
const BATCH = 500;
/** Age at which the batch is read again, so that messages that became due meanwhile have their turn. */
const STALE_MS = 5_000;
/** Maximum part of the time that is spent on reading, however many messages wait. */
const READ_SHARE = 0.1;
/** Messages ended with one statement. */
const PART = 500;
const MINUTE_MS = 60_000;
/** Pause after a fault of the database, or when a sender could not be opened. */
const FAULT_PAUSE_MS = 10_000;

export class SenderLoop {
  readonly #id: number;
  readonly #deps: DeliveryDeps;
  /** Called when the sender is deleted and none of its messages wait any more. */
  readonly #onGone: () => void;
  readonly #closing = new AbortController();
  readonly #pending = new PendingWork();
  readonly #turns = new SenderTurns();
  #sender: DeliveringSender | undefined;
  /** Messages that are due and not begun. */
  #batch: readonly StoredMessage[] = [];
  #readAtMs = Number.NEGATIVE_INFINITY;
  #readTookMs = 0;
  /** Whether there may be messages that the batch doesn't have. */
  #hasNews = false;
  /** Time before which the other side wants no further message. */
  #heldUntilMs = 0;
  /** Number of edits of the sender that the loop has been notified of. */
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

  /** Called when there may be something to send. */
  wake(): void {
    this.#hasNews = true;
    this.#goOn();
  }

  #goOn(): void {
    if (this.#closing.signal.aborted) return;
    this.#isWantedAgain = true;
    if (!this.#isTurning) this.#run(this.#turn());
  }

  /** Called when the sender was edited: messages that were read and not begun are read again. */
  reload(): void {
    this.#edits++;
    this.#batch = [];
    this.#heldUntilMs = 0;
    this.wake();
  }

  /** Interrupts the messages under way, and waits for their end. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#cancelTimer?.();
    await this.#pending.settled();
  }

  /** Runs work that is only waited for at the end. */
  #run(work: Promise<void>): void {
    inBackground('the delivery failed', this.#pending.add(work), this.#deps.onFault);
  }

  async #turn(): Promise<void> {
    this.#isTurning = true;
    while (this.#isWantedAgain && !this.#closing.signal.aborted) {
      this.#isWantedAgain = false;
      try {
        await this.#work();
      } catch (cause) {
        this.#fail('messages that are due could not be read', cause);
      }
    }
    this.#isTurning = false;
  }

  async #work(): Promise<void> {
    if (!this.#turns.hasPlace) return;
    const pauseMs = this.#pausedUntilMs - this.#deps.now();
    // A longer pause means that the clock was set back since.
    if (pauseMs > 0 && pauseMs <= FAULT_PAUSE_MS) return this.#wakeIn(pauseMs);
    if (this.#batch.length === 0 || this.#isStale()) await this.#read();
    this.#beginSome();
  }

  #isStale(): boolean {
    const sinceMs = Math.abs(this.#deps.now() - this.#readAtMs);
    return (this.#hasNews || sinceMs >= STALE_MS) && sinceMs >= this.#readTookMs / READ_SHARE;
  }

  async #read(): Promise<void> {
    const { queue, openSender, now, health } = this.#deps;
    const edits = this.#edits;
    this.#hasNews = false;
    // Nothing is sent until the sender is known to exist and to be on.
    this.#batch = [];
    this.#sender = await openSender(this.#id);
    if (this.#sender === undefined) return this.#endAll();
    await this.#endOld();
    if (!this.#sender.enabled) {
      health.forget(this.#id);
      return this.#wakeIn(MINUTE_MS);
    }
    const nowMs = now();
    // The ids are taken before the statement, which may still read messages as due that end meanwhile.
    const underWay = this.#turns.ids;
    const limit = BATCH + underWay.size;
    const due = await queue.due(this.#id, nowMs, limit);
    this.#readAtMs = now();
    this.#readTookMs = Math.max(0, this.#readAtMs - nowMs);
    // The sender was edited meanwhile: the next turn, which is already requested, reads both again.
    if (edits !== this.#edits) return;
    this.#batch = due.filter(({ id }) => !underWay.has(id));
    if (due.length === 0) this.#turns.forgetTurns();
    if (due.length < limit) this.#wakeAt(await queue.nextDueMs(this.#id, nowMs));
  }

  #beginSome(): void {
    const { now } = this.#deps;
    while (this.#turns.hasPlace && !this.#closing.signal.aborted) {
      const sender = this.#sender;
      const message = nextMessage(this.#batch, (group) => this.#turns.turnOf(group));
      if (message === undefined || sender === undefined) return;
      const pace = { perMinute: sender.perMinute, lastBeginMs: this.#lastBeginMs, nowMs: now() };
      const waitMs = Math.max(paceWaitMs(pace), this.#heldMs());
      if (waitMs > 0) {
        this.#wakeIn(waitMs);
        return;
      }
      this.#batch = this.#batch.filter((each) => each !== message);
      this.#lastBeginMs = now();
      this.#run(this.#deliver(message, sender));
    }
  }

  #heldMs(): number {
    const heldMs = this.#heldUntilMs - this.#deps.now();
    // A longer wait than anybody may ask for means that the clock was set back since.
    return heldMs <= MAX_RETRY_AFTER_MS ? heldMs : 0;
  }

  async #deliver(message: StoredMessage, sender: DeliveringSender): Promise<void> {
    this.#turns.begin(message);
    const told: Omit<DeliverOptions, 'sender' | 'closing'> = {
      onBegin: () => {
        this.#lastBeginMs = this.#deps.now();
      },
      onSlowAnswer: () => {
        if (this.#turns.leavePlace(message.id)) this.#goOn();
      },
      onHold: (holdMs) => {
        this.#heldUntilMs = Math.max(this.#heldUntilMs, this.#deps.now() + holdMs);
      },
    };
    try {
      await deliverMessage(message, { sender, closing: this.#closing.signal, ...told }, this.#deps);
    } catch (cause) {
      this.#fail(`the message ${message.id} could not be delivered`, cause);
    } finally {
      this.#turns.end(message.id);
      this.#goOn();
    }
  }

  /** Cancels all messages: without the sender nobody can send them. */
  async #endAll(): Promise<void> {
    this.#deps.health.forget(this.#id);
    const all = { firstDueBeforeMs: Number.MAX_SAFE_INTEGER, state: 'canceled', answer: 'no-sender' } as const;
    while ((await this.#endSome(all)) === PART && !this.#closing.signal.aborted);
    if (this.#turns.isIdle) this.#onGone();
  }

  /** Ends old messages, also of a sender that is turned off: a message that waited for a day is no news. */
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
    // The loop wakes at least each minute: the clock may be set.
    this.#wakeIn(Math.min(Math.max(atMs - this.#deps.now(), 1), MINUTE_MS));
  }

  #wakeIn(delayMs: number): void {
    this.#cancelTimer?.();
    if (this.#closing.signal.aborted) return;
    this.#cancelTimer = this.#deps.runAfter(delayMs, () => this.wake());
  }
}
