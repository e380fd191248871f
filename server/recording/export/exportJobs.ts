// The exports that wait, run or ended lately, by the name that their page gave them, for its progress bar and its cancel button.
// The download itself is the browser's.
import type { Readable } from 'node:stream';
import type { ExportState } from '../../../shared/protocol/api/recordings.ts';
import type { DeviceOwners } from '../../limits/deviceOwners.ts';
import { hasShare } from '../../limits/groupPlaces.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import { RecentMap } from '../../limits/recentMap.ts';
import { watchStalls } from './stallWatch.ts';

/** `stalled`: the download took no more data, or next to none while others waited. */
type Outcome = Exclude<ExportState['state'], 'waiting' | 'running'>;

export interface ExportCaller {
  /** The one who may ask about the export. */
  readonly owner: string;
  /**
   * The account whose share of the places it takes: one user has many owners, a link of the session for each device and links given
   * away.
   */
  readonly account: string;
  /** The device whose recordings it exports: it counts for the device's member group. */
  readonly deviceId: string;
}

export interface ExportJob {
  /** Aborted by every end but success. */
  readonly signal: AbortSignal;
  /** Whether the export may run: false when it ended while it waited. */
  readonly turn: Promise<boolean>;
  progress(share: number): void;
  /** Gives the place back. Only the first end counts. */
  end(outcome: Outcome): void;
  /** Whether another caller would get its turn if this export ended. */
  isWaitedFor(): boolean;
  /** Ends the export as if it had never been, since there is nothing to export. */
  forget(): void;
}

interface Entry {
  readonly key: string;
  readonly caller: ExportCaller;
  readonly memberGroup: number;
  readonly abort: AbortController;
  readonly takeTurn: (mayRun: boolean) => void;
  state: ExportState;
}

interface Ended {
  readonly state: ExportState;
  readonly atMs: number;
}

/** The member group and account whose places are counted. */
type Taker = Pick<Entry, 'memberGroup'> & { readonly caller: Pick<ExportCaller, 'account'> };

export interface ExportJobsDeps {
  readonly owners: Pick<DeviceOwners, 'ofDevice' | 'count'>;
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onLimit: OnLimit;
}

/**
 * Exports that run at a time: they share two cores with live video. Shared by member groups, like the waiting places. The next waits for
 * its turn, and the member group with the fewest is next.
 */
export const EXPORTS_LIMIT: Limit = { name: 'exports.running.process', max: 4 };
/**
 * Exports of one user that run at a time, in all sessions and by all links of the user: fewer than the total, so that one account never has
 * all places. The next waits.
 */
export const EXPORTS_ACCOUNT_LIMIT: Limit = { name: 'exports.running.account', max: 2 };
/** Exports that wait for their turn. Shared by member groups. A further one is refused with 429 `too-many-exports`. */
export const WAITING_LIMIT: Limit = { name: 'exports.waiting.process', max: 64 };
/**
 * Exports of one user that wait for their turn, in all sessions and by all links of the user. A further one is refused with 429
 * `too-many-exports`.
 */
export const WAITING_ACCOUNT_LIMIT: Limit = { name: 'exports.waiting.account', max: 8 };
/** Ended exports of one caller whose result can be queried, for ten minutes. The oldest is forgotten. */
export const ENDED_LIMIT: Limit = { name: 'exports.ended.owner', max: 20 };
/** Callers with remembered ended exports. The one updated longest ago is forgotten. */
export const ENDED_OWNERS_LIMIT: Limit = { name: 'exports.ended-owners.process', max: 500 };
/** Time for which an ended export can be asked about. */
const KEPT_MS = 10 * 60_000;

export class ExportJobs {
  readonly onLimit: OnLimit;
  readonly #deps: ExportJobsDeps;
  /** Waiting and running exports, in the order in which they came. */
  readonly #entries = new Map<string, Entry>();
  readonly #ended = new RecentMap<RecentMap<Ended>>(ENDED_OWNERS_LIMIT.max);
  #unnamed = 0;

  constructor(deps: ExportJobsDeps) {
    this.#deps = deps;
    this.onLimit = deps.onLimit;
  }

  /** Puts an export in the queue; it may have its turn at once. */
  enter(caller: ExportCaller, name: string | undefined): ExportJob | 'name-taken' | 'full' {
    const key = keyOf(caller.owner, name ?? `#${++this.#unnamed}`);
    if (this.#entries.has(key) || this.#endedOf(caller.owner, key) !== undefined) return 'name-taken';
    const taker = { caller, memberGroup: this.#deps.owners.ofDevice(caller.deviceId) };
    const mustWait = this.#limitBeforeRunning(taker);
    const full = mustWait && this.#limitBeforeWaiting(taker);
    if (mustWait) this.onLimit(mustWait);
    if (full) {
      this.onLimit(full);
      return 'full';
    }
    let takeTurn: (mayRun: boolean) => void = () => undefined;
    const turn = new Promise<boolean>((resolve) => {
      takeTurn = resolve;
    });
    const state: ExportState = { state: 'waiting', share: 0 };
    const entry: Entry = { ...taker, key, abort: new AbortController(), takeTurn, state };
    this.#entries.set(key, entry);
    this.#giveTurns();
    return {
      signal: entry.abort.signal,
      turn,
      progress: (share) => {
        if (entry.state.state === 'running') entry.state = { state: 'running', share };
      },
      end: (outcome) => this.#end(entry, outcome),
      isWaitedFor: () => this.#isWaitedFor(entry),
      forget: () => {
        if (this.#entries.get(key) === entry) this.#leave(entry);
      },
    };
  }

  /** The body for the caller: it ends with the job, and the job ends when no more of it is taken. */
  deliver(job: ExportJob, clips: Readable): Readable {
    const onStalled = (limit: Limit): void => {
      this.onLimit(limit);
      job.end('stalled');
    };
    const body = watchStalls(clips, { runAfter: this.#deps.runAfter, isWaitedFor: job.isWaitedFor, onStalled });
    const { signal } = job;
    const destroy = (): void => void body.destroy(new Error('the export has ended', { cause: signal.reason }));
    if (signal.aborted) destroy();
    else signal.addEventListener('abort', destroy);
    return body;
  }

  find(owner: string, name: string): ExportState | undefined {
    const key = keyOf(owner, name);
    return this.#entries.get(key)?.state ?? this.#endedOf(owner, key)?.state;
  }

  /** False when no such export waits or runs. */
  cancel(owner: string, name: string): boolean {
    const entry = this.#entries.get(keyOf(owner, name));
    if (entry === undefined) return false;
    this.#end(entry, 'cancelled');
    return true;
  }

  close(): void {
    for (const entry of [...this.#entries.values()]) this.#end(entry, 'failed');
  }

  #end(entry: Entry, outcome: Outcome): void {
    if (this.#entries.get(entry.key) !== entry) return;
    entry.state = { state: outcome, share: outcome === 'done' ? 1 : entry.state.share };
    this.#remember(entry);
    this.#leave(entry);
    if (outcome !== 'done') entry.abort.abort(new Error(`the export has ended: ${outcome}`));
  }

  #leave(entry: Entry): void {
    this.#entries.delete(entry.key);
    entry.takeTurn(false);
    this.#giveTurns();
  }

  /**
   * Starts the waiting exports whose turn it is: first of the member group with the fewest running, then of the account with the
   * fewest running.
   */
  #giveTurns(): void {
    for (;;) {
      const candidates = this.#in('waiting').filter((entry) => this.#limitBeforeRunning(entry) === undefined);
      const [next] = candidates.sort(
        (a, b) =>
          this.#running(ofGroup(a)).length - this.#running(ofGroup(b)).length ||
          this.#running(ofAccount(a)).length - this.#running(ofAccount(b)).length,
      );
      if (next === undefined) return;
      next.state = { state: 'running', share: 0 };
      next.takeTurn(true);
    }
  }

  #isWaitedFor(entry: Entry): boolean {
    return this.#in('waiting').some(
      (waiting) =>
        waiting.caller.owner !== entry.caller.owner && this.#limitBeforeRunning(waiting, entry) === undefined,
    );
  }

  #in(state: 'waiting' | 'running'): Entry[] {
    return [...this.#entries.values()].filter((entry) => entry.state.state === state);
  }

  #running(counts: (entry: Entry) => boolean): Entry[] {
    return this.#in('running').filter(counts);
  }

  /** `without`: an export to be treated as ended. */
  #limitBeforeRunning(taker: Taker, without?: Entry): Limit | undefined {
    const running = this.#running((entry) => entry !== without);
    if (running.filter(ofAccount(taker)).length >= EXPORTS_ACCOUNT_LIMIT.max) return EXPORTS_ACCOUNT_LIMIT;
    return this.#hasShare(EXPORTS_LIMIT, running, taker) ? undefined : EXPORTS_LIMIT;
  }

  #limitBeforeWaiting(taker: Taker): Limit | undefined {
    const waiting = this.#in('waiting');
    if (waiting.filter(ofAccount(taker)).length >= WAITING_ACCOUNT_LIMIT.max) return WAITING_ACCOUNT_LIMIT;
    return this.#hasShare(WAITING_LIMIT, waiting, taker) ? undefined : WAITING_LIMIT;
  }

  #hasShare({ max: places }: Limit, taken: readonly Entry[], { memberGroup }: Taker): boolean {
    return hasShare(memberGroup, taken, { places, groups: this.#deps.owners.count });
  }

  #endedOf(owner: string, key: string): Ended | undefined {
    const ended = this.#ended.get(owner)?.get(key);
    return ended !== undefined && this.#deps.now() - ended.atMs < KEPT_MS ? ended : undefined;
  }

  #remember({ key, caller, state }: Entry): void {
    const ended = this.#ended.get(caller.owner) ?? new RecentMap<Ended>(ENDED_LIMIT.max);
    if (ended.set(key, { state, atMs: this.#deps.now() }) !== undefined) this.onLimit(ENDED_LIMIT);
    if (this.#ended.set(caller.owner, ended) !== undefined) this.onLimit(ENDED_OWNERS_LIMIT);
  }
}

function ofAccount({ caller }: Taker): (entry: Entry) => boolean {
  return (entry) => entry.caller.account === caller.account;
}

function ofGroup({ memberGroup }: Taker): (entry: Entry) => boolean {
  return (entry) => entry.memberGroup === memberGroup;
}

function keyOf(owner: string, name: string): string {
  return JSON.stringify([owner, name]);
}
