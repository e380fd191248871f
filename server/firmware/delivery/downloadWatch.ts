// Follows a terminal that downloads an image by itself.
import { ReceivedRanges } from '../../device/attachments/receivedRanges.ts';

export interface DownloadWatchDeps {
  readonly bytes: number;
  readonly signal: AbortSignal;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  /** Called with the offset behind the bytes that were sent last. */
  readonly onProgress: (bytes: number) => void;
}

export type DownloadEnd = 'complete' | 'stalled' | 'aborted';

/** Time without a byte. */
export const STALLED_MS = 15 * 60_000;
/** Silence after which a terminal that has fetched the end but not all of the rest is complete: it had the rest from an earlier attempt. */
export const END_REACHED_MS = 60_000;
/** For a terminal that fetches an image in more pieces than this, completion is judged by its silence. */
const MAX_RANGES = 1_000;

export class DownloadWatch {
  readonly #deps: DownloadWatchDeps;
  readonly #ranges: ReceivedRanges;
  readonly #settle: (end: DownloadEnd) => void;
  readonly #abort = (): void => this.#end('aborted');
  #hasBegun = false;
  #hasReachedEnd = false;
  #hasEnded = false;
  #cancelTimer: (() => void) | undefined;
  readonly result: Promise<DownloadEnd>;

  constructor(deps: DownloadWatchDeps) {
    this.#deps = deps;
    this.#ranges = new ReceivedRanges(deps.bytes, MAX_RANGES);
    let settle: (end: DownloadEnd) => void = () => undefined;
    this.result = new Promise((resolve) => {
      settle = resolve;
    });
    this.#settle = settle;
    deps.signal.addEventListener('abort', this.#abort, { once: true });
    this.#wait();
    if (deps.signal.aborted) this.#abort();
  }

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  note(offset: number, bytes: number): void {
    if (this.#hasEnded) return;
    this.#hasBegun = true;
    const to = offset + bytes;
    if (this.#ranges.takes(offset, bytes)) this.#ranges.add(offset, bytes);
    this.#hasReachedEnd ||= to >= this.#deps.bytes;
    this.#deps.onProgress(Math.min(to, this.#deps.bytes));
    if (this.#ranges.isComplete) this.#end('complete');
    else this.#wait();
  }

  close(): void {
    this.#end('aborted');
  }

  #wait(): void {
    this.#cancelTimer?.();
    const { runAfter } = this.#deps;
    this.#cancelTimer = this.#hasReachedEnd
      ? runAfter(END_REACHED_MS, () => this.#end('complete'))
      : runAfter(STALLED_MS, () => this.#end('stalled'));
  }

  #end(end: DownloadEnd): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#cancelTimer?.();
    this.#deps.signal.removeEventListener('abort', this.#abort);
    this.#settle(end);
  }
}
