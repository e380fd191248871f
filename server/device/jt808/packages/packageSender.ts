// Sends one long message: packages are made one by one, and only as fast as the terminal acknowledges them.
import { faultOf } from '../../../faults/onFault.ts';
import type { Limit, OnLimit } from '../../../limits/limit.ts';
import { GeneralResult } from '../codec/codes.ts';
import type { ResendRequest } from '../codec/messages/general.ts';
import type { Outbox } from '../outbox.ts';
import type { LongMessage, PackagesResult } from './longMessage.ts';
import { PackagePump, type PackagePumpDeps } from './packagePump.ts';
import { PackageReader } from './packageSource.ts';
import { PackageWindow } from './packageWindow.ts';

/**
 * Packages of one long message (0x8108) that a terminal wants again: a quarter of the longest message. What is acknowledged too late
 * doesn't count. The message fails with `protocol-error`.
 */
export const PACKAGE_REPEATS_LIMIT: Limit = { name: 'terminals.package-repeats.message', max: 16_384 };
/** Times that a terminal may reject the same package as bad. */
const MAX_BAD_ANSWERS = 3;
/** Time since the last answer. */
export const ANSWER_TIMEOUT_MS = 10_000;
/** Rounds in which everything that is not acknowledged is sent again. */
const MAX_ROUNDS = 2;
/**
 * Time after the last acknowledgement: terminals that join packages at the end then ask for those that they have lost. If the connection
 * ends meanwhile, the message counts as delivered: a terminal that restarts to install an image says nothing more.
 */
export const SETTLING_MS = 3_000;

export interface PackageSenderDeps extends PackagePumpDeps {
  readonly outbox: Pick<Outbox, 'sendPackage' | 'onDrained'>;
  readonly onLimit: OnLimit;
}

export interface PackageSet {
  readonly total: number;
  /** Serial of package 1; the serials count up from it, and wrap. */
  readonly firstSerial: number;
}

export class PackageSender {
  readonly #deps: PackageSenderDeps;
  readonly #message: LongMessage;
  readonly #set: PackageSet;
  readonly #reader: PackageReader;
  readonly #window: PackageWindow;
  readonly #pump: PackagePump;
  readonly #badAnswers = new Map<number, number>();
  readonly #settle: (result: PackagesResult) => void;
  readonly #abort = (): void => this.end({ ok: false, reason: 'aborted' });
  #repeats = 0;
  #rounds = 0;
  /** The last package may be sent. */
  #mayEnd = false;
  #hasEnded = false;
  #cancelTimer: (() => void) | undefined;
  /** Settles in any case. */
  readonly result: Promise<PackagesResult>;

  constructor(message: LongMessage, set: PackageSet, deps: PackageSenderDeps) {
    this.#deps = deps;
    this.#message = message;
    this.#set = set;
    this.#reader = new PackageReader(message.source);
    this.#window = new PackageWindow(set.total, message.window, message.intervalMs === undefined ? 'each' : 'last');
    this.#pump = new PackagePump(deps, {
      intervalMs: message.intervalMs,
      next: () => this.#window.next(),
      send: (number) => this.#send(number),
    });
    let settle: (result: PackagesResult) => void = () => undefined;
    this.result = new Promise((resolve) => {
      settle = resolve;
    });
    this.#settle = settle;
    message.signal.addEventListener('abort', this.#abort, { once: true });
    this.#waitForAnswer();
    this.#pump.run();
  }

  /** Each package has been sent at least once. */
  get isAllSent(): boolean {
    return this.#window.isAllSent;
  }

  /** Whether the answer is to a package that waits for one. */
  expects(serial: number, messageId: number): boolean {
    return messageId === this.#message.messageId && this.#window.isOpen(this.#numberOf(serial));
  }

  /** An answer 0x0001. Packages that were not sent, or were acknowledged before, can't be acknowledged. */
  answer(serial: number, messageId: number, result: number): void {
    if (this.#hasEnded || !this.expects(serial, messageId)) return;
    const number = this.#numberOf(serial);
    if (result === GeneralResult.Ok) {
      this.#window.acknowledge(number);
      this.#heard();
    } else if (result === GeneralResult.BadMessage && this.#mayBeBad(number)) {
      this.#window.repeat(number);
      this.#heard();
    } else {
      this.end({ ok: false, reason: 'refused', result });
    }
  }

  /** A request 0x0005; gives whether it is about this message. Numbers of packages that were not sent are ignored. */
  resend({ firstSerial, numbers }: ResendRequest): boolean {
    if (this.#hasEnded || firstSerial !== this.#set.firstSerial) return false;
    let isHeard = false;
    for (const number of new Set(numbers)) {
      if (!this.#window.repeat(number)) continue;
      isHeard = true;
      if (++this.#repeats <= PACKAGE_REPEATS_LIMIT.max) continue;
      this.#deps.onLimit(PACKAGE_REPEATS_LIMIT);
      this.end({ ok: false, reason: 'too-many-repeats' });
      return true;
    }
    if (isHeard) this.#heard();
    return true;
  }

  /** Complete messages are delivered, even if the terminal has no time to answer again: it may restart at once. */
  end(result: PackagesResult): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#cancelTimer?.();
    this.#pump.stop();
    this.#message.signal.removeEventListener('abort', this.#abort);
    this.#settle(this.#window.isComplete ? { ok: true } : result);
  }

  #numberOf(serial: number): number {
    return ((serial - this.#set.firstSerial) & 0xffff) + 1;
  }

  #mayBeBad(number: number): boolean {
    const answers = (this.#badAnswers.get(number) ?? 0) + 1;
    if (answers >= MAX_BAD_ANSWERS) return false;
    this.#badAnswers.set(number, answers);
    if (++this.#repeats <= PACKAGE_REPEATS_LIMIT.max) return true;
    this.#deps.onLimit(PACKAGE_REPEATS_LIMIT);
    return false;
  }

  #heard(): void {
    this.#rounds = 0;
    this.#message.onProgress?.(this.#window.acknowledgedCount);
    this.#waitForAnswer();
    this.#pump.run();
  }

  #waitForAnswer(): void {
    this.#cancelTimer?.();
    if (this.#hasEnded) return;
    const { runAfter } = this.#deps;
    this.#cancelTimer = this.#window.isComplete
      ? runAfter(SETTLING_MS, () => this.end({ ok: true }))
      : runAfter(ANSWER_TIMEOUT_MS, () => this.#noAnswer());
  }

  #noAnswer(): void {
    if (this.#rounds >= MAX_ROUNDS) {
      this.end({ ok: false, reason: 'timeout' });
      return;
    }
    // Otherwise the wait is for the file.
    if (this.#window.isWaiting || this.#pump.waitsForSocket) {
      this.#rounds++;
      this.#window.repeatAll();
    }
    this.#waitForAnswer();
    this.#pump.run();
  }

  async #send(number: number): Promise<void> {
    const piece = await this.#read(number);
    if (this.#hasEnded || piece === undefined || !this.#window.isWanted(number)) return;
    const { total, firstSerial } = this.#set;
    if (number === total && !this.#mayEnd && !(await this.#askEnd())) return;
    const { messageId } = this.#message;
    const body = { kind: 'part', id: messageId, part: { total, number }, bytes: piece } as const;
    const sentBytes = this.#deps.outbox.sendPackage(body, (firstSerial + number - 1) & 0xffff);
    if (sentBytes === undefined) {
      this.end({ ok: false, reason: 'closed' });
      return;
    }
    this.#window.sent(number);
    this.#message.onSentBytes?.(sentBytes);
    if (this.#message.intervalMs !== undefined) this.#sentOnTime();
  }

  /** These packages aren't acknowledged: the progress is what has been sent. */
  #sentOnTime(): void {
    this.#message.onProgress?.(this.#window.acknowledgedCount);
    this.#waitForAnswer();
  }

  async #askEnd(): Promise<boolean> {
    this.#mayEnd = (await this.#message.beforeEnd?.()) ?? true;
    if (!this.#mayEnd) this.end({ ok: false, reason: 'aborted' });
    return !this.#hasEnded;
  }

  async #read(number: number): Promise<Uint8Array | undefined> {
    try {
      const piece = await this.#reader.read(number);
      if (piece === undefined) this.end({ ok: false, reason: 'source-short' });
      return piece;
    } catch (cause) {
      this.#deps.onFault(faultOf('the source of a long message could not be read', cause));
      this.end({ ok: false, reason: 'source-failed' });
      return undefined;
    }
  }
}
