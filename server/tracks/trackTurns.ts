// Turns for what reads many positions: a month of them keeps the database's reading connection and the main thread busy.
import type { Limit, OnLimit } from '../limits/limit.ts';

/** At a time. */
export const TRACKS_LIMIT: Limit = { name: 'tracks.running.process', max: 8 };
export const TRACKS_ACCOUNT_LIMIT: Limit = { name: 'tracks.running.account', max: 2 };
/** Behind those. A page with eight devices asks for the lines, the charts and the summaries of all of them at once. */
export const TRACKS_WAITING_LIMIT: Limit = { name: 'tracks.waiting.process', max: 256 };
export const TRACKS_WAITING_ACCOUNT_LIMIT: Limit = { name: 'tracks.waiting.account', max: 48 };

interface Waiting {
  readonly account: string;
  readonly begin: () => void;
}

/** `full`: too many wait already. `gone`: whoever asked did not wait for the turn. */
export type NoTurn = 'full' | 'gone';

export class TrackTurns {
  readonly #onLimit: OnLimit;
  readonly #running = new Map<string, number>();
  #runningInAll = 0;
  /** The longest waiting first. */
  readonly #waiting: Waiting[] = [];

  constructor(onLimit: OnLimit) {
    this.#onLimit = onLimit;
  }

  /** Takes a turn of an account; the result gives it back, and is to be called once. */
  async take(account: string, gone: AbortSignal): Promise<(() => void) | NoTurn> {
    const reached = this.#reached(account);
    if (reached !== undefined) {
      const full = this.#full(account);
      this.#onLimit(full ?? reached);
      if (full !== undefined) return 'full';
      if (!(await this.#wait(account, gone))) return 'gone';
    } else this.#count(account, 1);
    return () => {
      this.#count(account, -1);
      this.#beginNext();
    };
  }

  #reached(account: string): Limit | undefined {
    if ((this.#running.get(account) ?? 0) >= TRACKS_ACCOUNT_LIMIT.max) return TRACKS_ACCOUNT_LIMIT;
    return this.#runningInAll >= TRACKS_LIMIT.max ? TRACKS_LIMIT : undefined;
  }

  #full(account: string): Limit | undefined {
    if (this.#waiting.length >= TRACKS_WAITING_LIMIT.max) return TRACKS_WAITING_LIMIT;
    const own = this.#waiting.filter((each) => each.account === account).length;
    return own >= TRACKS_WAITING_ACCOUNT_LIMIT.max ? TRACKS_WAITING_ACCOUNT_LIMIT : undefined;
  }

  #wait(account: string, gone: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        resolve(false);
      };
      const begin = (): void => {
        gone.removeEventListener('abort', leave);
        resolve(true);
      };
      const waiting: Waiting = { account, begin };
      if (gone.aborted) return resolve(false);
      this.#waiting.push(waiting);
      gone.addEventListener('abort', leave, { once: true });
    });
  }

  /** The one that has waited longest among the accounts that may have more. */
  #beginNext(): void {
    const at = this.#waiting.findIndex(({ account }) => this.#reached(account) === undefined);
    const [next] = at < 0 ? [] : this.#waiting.splice(at, 1);
    if (next === undefined) return;
    this.#count(next.account, 1);
    next.begin();
  }

  #count(account: string, change: 1 | -1): void {
    this.#runningInAll += change;
    const running = (this.#running.get(account) ?? 0) + change;
    if (running > 0) this.#running.set(account, running);
    else this.#running.delete(account);
  }
}
