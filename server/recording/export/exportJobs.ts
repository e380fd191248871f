// The exports that run and those that ended lately, by the name that their page gave them: for its progress bar and its
// cancel button. The download itself is the browser's.

export interface ExportState {
  readonly state: 'running' | 'done' | 'failed' | 'cancelled';
  /** 0 to 1. */
  readonly share: number;
}

export interface ExportJob {
  readonly signal: AbortSignal;
  progress(share: number): void;
  end(state: 'done' | 'failed' | 'cancelled'): void;
}

interface Entry {
  readonly owner: string;
  readonly abort: AbortController;
  state: ExportState;
}

/** They share two cores with what is live. */
const MAX_RUNNING = 4;
/** How long an ended one can be asked about. */
const KEPT_MS = 10 * 60_000;

export class ExportJobs {
  readonly #after: (delayMs: number, run: () => void) => () => void;
  readonly #entries = new Map<string, Entry>();
  #unnamed = 0;

  constructor(after: (delayMs: number, run: () => void) => () => void) {
    this.#after = after;
  }

  /** Undefined when too many run already, or the name is taken. */
  begin(owner: string, name: string | undefined): ExportJob | undefined {
    const running = [...this.#entries.values()].filter(({ state }) => state.state === 'running').length;
    const key = keyOf(owner, name ?? `#${++this.#unnamed}`);
    if (running >= MAX_RUNNING || this.#entries.has(key)) return undefined;
    const entry: Entry = { owner, abort: new AbortController(), state: { state: 'running', share: 0 } };
    this.#entries.set(key, entry);
    return {
      signal: entry.abort.signal,
      progress: (share) => {
        if (entry.state.state === 'running') entry.state = { state: 'running', share };
      },
      end: (state) => {
        if (entry.state.state !== 'running') return;
        entry.state = { state, share: state === 'done' ? 1 : entry.state.share };
        this.#after(KEPT_MS, () => this.#entries.delete(key));
      },
    };
  }

  find(owner: string, name: string): ExportState | undefined {
    return this.#entries.get(keyOf(owner, name))?.state;
  }

  /** False when there is none that runs. */
  cancel(owner: string, name: string): boolean {
    const entry = this.#entries.get(keyOf(owner, name));
    if (entry?.state.state !== 'running') return false;
    entry.state = { ...entry.state, state: 'cancelled' };
    entry.abort.abort(new Error('cancelled'));
    this.#after(KEPT_MS, () => this.#entries.delete(keyOf(owner, name)));
    return true;
  }

  close(): void {
    for (const { abort } of this.#entries.values()) abort.abort(new Error('the gateway stops'));
  }
}

function keyOf(owner: string, name: string): string {
  return JSON.stringify([owner, name]);
}
