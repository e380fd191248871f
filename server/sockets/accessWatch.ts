// Repeats the access check while a stream runs, so that a revoked, expired, disabled or moved link ends it within two
// seconds.
import type { Refusal } from './refusal.ts';

export type StreamAccess = StreamGranted | ({ readonly ok: false } & Refusal);

export interface StreamGranted {
  readonly ok: true;
  /** The session that the link belongs to, if one of the product's own pages made it. */
  readonly session?: string | undefined;
  /** Where recordings are watched: the archive ID of the opened device. */
  readonly archiveId?: string | undefined;
}

export type AskAccess = () => Promise<StreamAccess>;

export interface AccessWatchDeps {
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onFault: (error: Error) => void;
}

type Refuse = (refusal: Refusal) => void;

interface Watched {
  readonly ask: AskAccess;
  readonly refusals: Set<Refuse>;
}

const ROUND_INTERVAL_MS = 1_000;

/** Each distinct check runs once per round, however many sockets depend on it. */
export class AccessWatch {
  readonly #deps: AccessWatchDeps;
  readonly #watched = new Map<string, Watched>();
  #cancelRound: (() => void) | undefined;
  #isClosed = false;

  constructor(deps: AccessWatchDeps) {
    this.#deps = deps;
  }

  /**
   * Calls `refuse` once when access is denied. Returns a function that removes the check. `question` identifies it: the link and
   * what it opens.
   */
  add(question: readonly (string | number)[], ask: AskAccess, refuse: Refuse): () => void {
    const text = JSON.stringify(question);
    const watched = this.#watched.get(text) ?? { ask, refusals: new Set() };
    watched.refusals.add(refuse);
    this.#watched.set(text, watched);
    this.#schedule();
    return () => {
      watched.refusals.delete(refuse);
      if (watched.refusals.size === 0 && this.#watched.get(text) === watched) this.#watched.delete(text);
    };
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelRound?.();
    this.#watched.clear();
  }

  #schedule(): void {
    if (this.#isClosed || this.#watched.size === 0) return;
    this.#cancelRound ??= this.#deps.runAfter(ROUND_INTERVAL_MS, () => {
      this.#askAll().then(
        () => this.#endRound(),
        (error: unknown) => {
          // A database that is briefly unavailable must not end all streams; the next round checks again.
          this.#deps.onFault(new Error('access could not be asked again', { cause: error }));
          this.#endRound();
        },
      );
    });
  }

  #endRound(): void {
    this.#cancelRound = undefined;
    this.#schedule();
  }

  async #askAll(): Promise<void> {
    await Promise.all([...this.#watched].map(([text, watched]) => this.#ask(text, watched)));
  }

  async #ask(text: string, watched: Watched): Promise<void> {
    const access = await watched.ask();
    if (access.ok || this.#isClosed) return;
    this.#watched.delete(text);
    for (const refuse of watched.refusals) refuse(access);
  }
}
