// An item that is being fetched.
import type { SyncItemState, SyncMethod, SyncWait } from '../../../shared/protocol/sync/syncWords.ts';
import type { StoredSyncItem } from '../../store/sync/syncItemRows.ts';
import type { SyncDevice } from '../../store/sync/syncSources.ts';
import type { Bandwidth } from './bandwidth.ts';
import { Hold } from './hold.ts';

/** The new state of an item whose fetching the engine ends. */
export interface StoppedAs {
  readonly state: SyncItemState;
  readonly wait: SyncWait;
}

export interface RunDeps {
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
}

/** Terminals only lose time with shorter pauses. */
const SHORTEST_PAUSE_MS = 2_000;

export class Run {
  readonly item: StoredSyncItem;
  readonly device: SyncDevice;
  readonly hold = new Hold();
  /** Undefined: no limit. */
  readonly bandwidth: Bandwidth | undefined;
  method: SyncMethod;
  state: SyncItemState = 'requested';
  stoppedAs: StoppedAs | undefined;
  receivedBytes: number;
  /** The item's states, which are written in their order. */
  writing: Promise<unknown> = Promise.resolve();
  isFinished = false;
  readonly #deps: RunDeps;
  readonly #begunAtMs: number;
  readonly #abort = new AbortController();
  readonly #closing = new AbortController();
  #uncountedBytes = 0;
  #measuredBytes: number;
  #measuredAtMs: number;
  #cancelPause: () => void = () => undefined;

  constructor(
    { item, device, method, bandwidth }: Pick<Run, 'item' | 'device' | 'method' | 'bandwidth'>,
    deps: RunDeps,
  ) {
    this.item = item;
    this.device = device;
    this.method = method;
    this.bandwidth = bandwidth;
    this.receivedBytes = item.receivedBytes;
    this.#measuredBytes = item.receivedBytes;
    this.#begunAtMs = deps.now();
    this.#measuredAtMs = this.#begunAtMs;
    this.#deps = deps;
  }

  /** Time of this and earlier attempts. A clock that was set back subtracts nothing. */
  get transferMs(): number {
    return this.item.transferMs + Math.max(0, this.#deps.now() - this.#begunAtMs);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  received(bytes: number): void {
    this.receivedBytes += bytes;
    this.#uncountedBytes += bytes;
    const delayMs = this.bandwidth?.take(bytes) ?? 0;
    if (delayMs < SHORTEST_PAUSE_MS || this.hold.has('bandwidth')) return;
    this.hold.set('bandwidth', true);
    this.#cancelPause = this.#deps.runAfter(delayMs, () => this.hold.set('bandwidth', false));
  }

  /** Bytes received since the last call. */
  takeUncounted(): number {
    const bytes = this.#uncountedBytes;
    this.#uncountedBytes = 0;
    return bytes;
  }

  /** Bytes per second since the last call. */
  rate(): number {
    const nowMs = this.#deps.now();
    const passedMs = nowMs - this.#measuredAtMs;
    if (passedMs <= 0) return 0;
    const rate = Math.round(((this.receivedBytes - this.#measuredBytes) * 1_000) / passedMs);
    this.#measuredAtMs = nowMs;
    this.#measuredBytes = this.receivedBytes;
    return rate;
  }

  /** Stops the run. The first reason counts. */
  stop(as: StoppedAs): void {
    this.stoppedAs ??= as;
    this.#abort.abort();
  }

  /** Called when a member pauses it: the terminal is told so, and keeps the unsent part. */
  pause(): void {
    this.stoppedAs = { state: 'paused', wait: '' };
    this.hold.set('member', true);
  }

  /** Called when it has its turn again. */
  resume(): void {
    this.stoppedAs = undefined;
    this.hold.set('member', false);
  }

  /** Playback has no such pause, and an upload that is complete is being read. */
  get canPause(): boolean {
    return this.method === 'ftp' && this.state !== 'checking' && !this.isFinished && !this.#abort.signal.aborted;
  }

  /** Called when the gateway ends. */
  leave(): void {
    this.stop({ state: 'planned', wait: '' });
    this.#closing.abort();
  }

  close(): void {
    this.#cancelPause();
  }
}
