// Records when terminals connect and disconnect, several at once: thousands of them may connect at the same time.
import type { Report, ReportFeed } from '../../device/reportFeed.ts';
import { inBackground } from '../../faults/background.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { PresenceSessionStore } from '../../store/fleet/presenceSessions.ts';
import { type PresenceChange, sessionsOf } from './presenceChanges.ts';

export interface PresenceRecorderDeps {
  readonly store: Omit<PresenceSessionStore, 'between'>;
  readonly feed: Pick<ReportFeed, 'subscribe'>;
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onFault: (error: Error) => void;
  readonly onLimit?: OnLimit | undefined;
}

/**
 * Connects and disconnects of terminals that the database has not taken yet: a fleet of ten thousand that loses its network several times.
 * Further ones are not noted: the session ends when its terminal comes again, or when the gateway stops.
 */
export const PRESENCE_CHANGES_LIMIT: Limit = { name: 'positions.presence-changes.all', max: 100_000 };
/** Changes written in one transaction, some milliseconds of work. */
const PART = 500;
const WRITE_DELAY_MS = 1_000;
const RETRY_DELAY_MS = 5_000;
/** The part of a session that is lost when the gateway is killed. A note with each message would be exact, and cost as much as positions. */
const SEEN_INTERVAL_MS = 60_000;

export class PresenceRecorder {
  readonly #deps: PresenceRecorderDeps;
  readonly #unsubscribe: () => void;
  #changes: PresenceChange[] = [];
  #cancelWrite: (() => void) | undefined;
  #cancelSeen: (() => void) | undefined;
  #writing: Promise<void> | undefined;
  #stopping: Promise<void> | undefined;

  /** Sessions that the last run left open are ended first; terminals may connect meanwhile. */
  constructor(deps: PresenceRecorderDeps) {
    this.#deps = deps;
    this.#unsubscribe = deps.feed.subscribe('presence', (report) => this.#take(report));
    this.#writing = this.#begin();
    this.#seenLater();
  }

  /** Stops before the gateway cuts the terminals: that ends the open sessions. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #begin(): Promise<void> {
    try {
      await this.#deps.store.endLeftOpen();
    } catch (cause) {
      this.#deps.onFault(new Error('presences that were left open could not be ended', { cause }));
    }
    this.#writing = undefined;
    if (this.#changes.length > 0) this.#writeIn(0);
  }

  #take(report: Report): void {
    if (report.kind !== 'presence') return;
    if (this.#changes.length >= PRESENCE_CHANGES_LIMIT.max) {
      this.#deps.onLimit?.(PRESENCE_CHANGES_LIMIT);
      return;
    }
    const { device, isOnline, atMs } = report;
    this.#changes.push({ incarnation: device.incarnation, isOnline, atMs });
    this.#writeIn(WRITE_DELAY_MS);
  }

  #writeIn(delayMs: number): void {
    if (this.#stopping !== undefined) return;
    this.#cancelWrite ??= this.#deps.runAfter(delayMs, () => this.#write());
  }

  #write(): void {
    this.#cancelWrite?.();
    this.#cancelWrite = undefined;
    if (this.#writing !== undefined || this.#changes.length === 0) return;
    const part = this.#changes.slice(0, PART);
    this.#writing = this.#writePart(part).then((isDone) => {
      this.#writing = undefined;
      if (this.#changes.length > 0) this.#writeIn(isDone ? 0 : RETRY_DELAY_MS);
    });
  }

  async #writePart(part: readonly PresenceChange[]): Promise<boolean> {
    try {
      await this.#deps.store.write(sessionsOf(part));
      this.#changes.splice(0, part.length);
      return true;
    } catch (cause) {
      this.#deps.onFault(
        new Error(`${part.length} comings and goings of terminals could not be stored yet`, { cause }),
      );
      return false;
    }
  }

  #seenLater(): void {
    this.#cancelSeen = this.#deps.runAfter(SEEN_INTERVAL_MS, () => {
      const { store, now, onFault } = this.#deps;
      inBackground('presences could not be noted', store.noteSeen(now()), onFault);
      this.#seenLater();
    });
  }

  async #stop(): Promise<void> {
    this.#unsubscribe();
    this.#cancelSeen?.();
    this.#cancelWrite?.();
    this.#cancelWrite = undefined;
    await this.#writing;
    while (this.#changes.length > 0 && (await this.#writePart(this.#changes.slice(0, PART))));
    try {
      await this.#deps.store.endAll(this.#deps.now(), 'gateway-stopped');
    } catch (cause) {
      this.#deps.onFault(new Error('presences could not be ended', { cause }));
    }
  }
}
