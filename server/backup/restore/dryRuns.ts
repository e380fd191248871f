// The dry run with which a restore is confirmed. One at a time, and in memory: after a restart a new one is needed.
import { inBackground } from '../../faults/background.ts';
import type { OnFault } from '../../faults/onFault.ts';
import type { StoredBackup } from '../../store/system/backupRows.ts';
import type { ArchiveFailure, ArchiveFaultCode } from '../archive/faults.ts';
import type { ArchiveKey } from '../archive/keys.ts';
import type { BackupRunOptions } from '../thread/backupThread.ts';
import type { RestorePlan } from './planRestore.ts';

export interface RestoreSource {
  readonly backup: Pick<StoredBackup, 'id' | 'file' | 'createdAtMs'>;
  readonly key: ArchiveKey;
}

type DryRunState =
  | { readonly kind: 'running'; readonly rows: number }
  | { readonly kind: 'failed'; readonly fault: ArchiveFaultCode | 'internal' }
  /** `id`: the id with which it is confirmed. */
  | { readonly kind: 'ready'; readonly id: string; readonly plan: RestorePlan };

export interface DryRun {
  readonly source: RestoreSource;
  readonly state: DryRunState;
}

export interface DryRunsDeps {
  readonly plan: (source: RestoreSource, options: BackupRunOptions) => Promise<RestorePlan | ArchiveFailure>;
  readonly createId: () => string;
  readonly onChanged: () => void;
  readonly onFault: OnFault;
}

interface Running {
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

export class DryRuns {
  readonly #deps: DryRunsDeps;
  #current: DryRun | undefined;
  #running: Running | undefined;
  #isClosed = false;

  constructor(deps: DryRunsDeps) {
    this.#deps = deps;
  }

  get current(): DryRun | undefined {
    return this.#current;
  }

  /** Replaces one that has ended. False while one is running. */
  begin(source: RestoreSource): boolean {
    if (this.#running !== undefined || this.#isClosed) return false;
    const abort = new AbortController();
    this.#become({ source, state: { kind: 'running', rows: 0 } });
    const done = this.#run(source, abort).finally(() => {
      this.#running = undefined;
    });
    this.#running = { abort, done };
    inBackground('a dry run could not be finished', done, this.#deps.onFault);
    return true;
  }

  /** The data of the confirmed dry run; undefined where there is another one, or none. */
  confirmed(id: string): (RestoreSource & { readonly plan: RestorePlan }) | undefined {
    const current = this.#current;
    if (current?.state.kind !== 'ready' || current.state.id !== id) return undefined;
    return { ...current.source, plan: current.state.plan };
  }

  /** Ends a running one, and forgets the key. */
  async drop(): Promise<void> {
    this.#running?.abort.abort();
    await this.#running?.done;
    if (this.#current !== undefined) this.#become(undefined);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.drop();
  }

  async #run(source: RestoreSource, { signal }: AbortController): Promise<void> {
    const { plan, createId, onFault } = this.#deps;
    const onProgress = ({ rows }: { readonly rows: number }): void => {
      this.#become({ source, state: { kind: 'running', rows } });
    };
    try {
      const outcome = await plan(source, { signal, onProgress });
      const state: DryRunState = outcome.ok
        ? { kind: 'ready', id: createId(), plan: outcome }
        : { kind: 'failed', fault: outcome.fault };
      this.#become(signal.aborted ? undefined : { source, state });
    } catch (error) {
      onFault(new Error('a dry run failed', { cause: error }));
      this.#become({ source, state: { kind: 'failed', fault: 'internal' } });
    }
  }

  #become(current: DryRun | undefined): void {
    this.#current = current;
    this.#deps.onChanged();
  }
}
