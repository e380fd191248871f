// Turns for reading many positions: a month of them keeps the database's reading connection and the main thread busy.
import type { DeviceOwners } from '../limits/deviceOwners.ts';
import { hasShare } from '../limits/groupPlaces.ts';
import type { Limit, OnLimit } from '../limits/limit.ts';

/**
 * Lines, charts, pages of positions and summaries that are read at a time. Shared by the member groups of the sessions, like the waiting
 * ones. The next waits for its turn, and the member group with the fewest is next.
 */
export const TRACKS_LIMIT: Limit = { name: 'tracks.running.process', max: 8 };
/** Lines, charts, pages of positions and summaries of one user that are read at a time, in all sessions. The next waits. */
export const TRACKS_ACCOUNT_LIMIT: Limit = { name: 'tracks.running.account', max: 2 };
/**
 * Reads of tracks that wait for their turn. A page with eight devices requests the lines, the charts and the summaries of all of them at
 * once. Shared by the member groups of the sessions. A further one is refused with 429 `too-many-tracks`.
 */
export const TRACKS_WAITING_LIMIT: Limit = { name: 'tracks.waiting.process', max: 256 };
/** Reads of tracks of one user that wait for their turn. A further one is refused with 429 `too-many-tracks`. */
export const TRACKS_WAITING_ACCOUNT_LIMIT: Limit = { name: 'tracks.waiting.account', max: 48 };

/** The one that asks for a turn. */
export interface TrackAsker {
  readonly account: string;
  /** The member group whose devices the session shows. */
  readonly memberGroup: number;
}

interface Waiting extends TrackAsker {
  readonly begin: () => void;
}

/** `full`: too many wait already. `gone`: the caller did not wait for the turn. */
export type NoTurn = 'full' | 'gone';

export interface TrackTurnsDeps {
  readonly owners: Pick<DeviceOwners, 'count'>;
  readonly onLimit: OnLimit;
}

export class TrackTurns {
  readonly #deps: TrackTurnsDeps;
  readonly #running = new Set<TrackAsker>();
  /** Waiting requests, the longest waiting first. */
  readonly #waiting: Waiting[] = [];

  constructor(deps: TrackTurnsDeps) {
    this.#deps = deps;
  }

  /** Takes a turn; the returned function gives it back, and may be called twice. */
  async take(asker: TrackAsker, gone: AbortSignal): Promise<(() => void) | NoTurn> {
    const { onLimit } = this.#deps;
    const reached = this.#reached(asker);
    let turn: TrackAsker = { ...asker };
    if (reached !== undefined) {
      const full = this.#full(asker);
      onLimit(full ?? reached);
      if (full !== undefined) return 'full';
      const waited = await this.#wait(asker, gone);
      if (waited === undefined) return 'gone';
      turn = waited;
    } else this.#running.add(turn);
    return () => {
      if (this.#running.delete(turn)) this.#beginNext();
    };
  }

  #reached(asker: TrackAsker): Limit | undefined {
    const running = [...this.#running];
    if (running.filter(ofAccount(asker)).length >= TRACKS_ACCOUNT_LIMIT.max) return TRACKS_ACCOUNT_LIMIT;
    return this.#hasShare(TRACKS_LIMIT, running, asker) ? undefined : TRACKS_LIMIT;
  }

  #full(asker: TrackAsker): Limit | undefined {
    const own = this.#waiting.filter(ofAccount(asker)).length;
    if (own >= TRACKS_WAITING_ACCOUNT_LIMIT.max) return TRACKS_WAITING_ACCOUNT_LIMIT;
    return this.#hasShare(TRACKS_WAITING_LIMIT, this.#waiting, asker) ? undefined : TRACKS_WAITING_LIMIT;
  }

  #hasShare({ max: places }: Limit, taken: readonly TrackAsker[], { memberGroup }: TrackAsker): boolean {
    return hasShare(memberGroup, taken, { places, groups: this.#deps.owners.count });
  }

  /** Undefined where the caller has gone. */
  #wait(asker: TrackAsker, gone: AbortSignal): Promise<TrackAsker | undefined> {
    return new Promise((resolve) => {
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        resolve(undefined);
      };
      const begin = (): void => {
        gone.removeEventListener('abort', leave);
        resolve(waiting);
      };
      const waiting: Waiting = { ...asker, begin };
      if (gone.aborted) return resolve(undefined);
      this.#waiting.push(waiting);
      gone.addEventListener('abort', leave, { once: true });
    });
  }

  /** Selects from those that may have more turns: the member group with the fewest, and in it the one that has waited longest. */
  #beginNext(): void {
    const running = [...this.#running];
    const runningOf = (asker: TrackAsker): number => running.filter(ofGroup(asker)).length;
    const [next] = this.#waiting
      .filter((waiting) => this.#reached(waiting) === undefined)
      .sort((left, right) => runningOf(left) - runningOf(right));
    if (next === undefined) return;
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    this.#running.add(next);
    next.begin();
  }
}

function ofAccount({ account }: TrackAsker): (other: TrackAsker) => boolean {
  return (other) => other.account === account;
}

function ofGroup({ memberGroup }: TrackAsker): (other: TrackAsker) => boolean {
  return (other) => other.memberGroup === memberGroup;
}
