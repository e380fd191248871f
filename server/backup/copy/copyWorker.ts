// Copies backups into the bucket and deletes copies there: one at a time, and failures again after growing waits.
import type { BackupFault } from '../../../shared/protocol/backup/backupWords.ts';
import { faultOf, type OnFault } from '../../faults/onFault.ts';
import type { StoredBackup } from '../../store/system/backupRows.ts';
import type { BackupStore } from '../../store/system/backups.ts';
import type { BackupFolder } from '../runner/backupFolder.ts';
import type { Bucket } from './bucket/bucket.ts';
import type { CopyRemovals } from './removals.ts';
import { Backoff } from './retries.ts';
import { type CopyOutcome, type UploadDeps, uploadCopy } from './uploadCopy.ts';

export interface CopyWorkerDeps extends UploadDeps {
  readonly store: Pick<BackupStore, 'list' | 'endCopy'>;
  readonly removals: Pick<CopyRemovals, 'list' | 'done'>;
  readonly bucket: UploadDeps['bucket'] & Pick<Bucket, 'remove'>;
  readonly folder: Pick<BackupFolder, 'isUsable' | 'has' | 'pathOf'>;
  /** Clock for waits, which nobody sets. */
  readonly monotonicMs: () => number;
  /** Called when the state of a copy has changed. */
  readonly onChanged: () => void;
  /** Called with failures that belong in the log for an operator. */
  readonly onFailure: (failure: CopyFailure) => void;
  readonly onFault: OnFault;
}

export interface CopyFailure {
  readonly file: string;
  readonly does: 'copy' | 'delete';
  readonly fault: BackupFault;
  readonly detail: string;
}

/** Temporary faults, after which the backup stays in the queue. */
const PASSING: readonly BackupFault[] = ['copy-unreachable', 'folder-missing'];

export class CopyWorker {
  readonly #deps: CopyWorkerDeps;
  readonly #copying: Backoff;
  readonly #removing: Backoff;
  readonly #closing = new AbortController();
  #running: { readonly file: string; readonly abort: AbortController } | undefined;

  constructor(deps: CopyWorkerDeps) {
    this.#deps = deps;
    this.#copying = new Backoff(deps);
    this.#removing = new Backoff(deps);
  }

  /** One round through the whole queue, unless a wait is in progress. One round at a time. */
  async work(): Promise<void> {
    try {
      if (!this.#removing.isWaiting) await this.#removeAll();
      if (!this.#copying.isWaiting) await this.#copyAll();
    } catch (error) {
      if (!this.#isClosed) throw error;
    }
  }

  /** Called when the backup's copy is no longer wanted. */
  drop(file: string): void {
    if (this.#running?.file === file) this.#running.abort.abort();
  }

  /** Ends the copying; the backup stays in the queue for the next start. */
  close(): void {
    this.#closing.abort();
    this.#running?.abort.abort();
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  async #removeAll(): Promise<void> {
    const { store, removals, bucket, onFailure } = this.#deps;
    const kept = new Set((await store.list()).map(({ file }) => file));
    // A backup that is still in the list is only about to be deleted.
    const files = (await removals.list()).filter((file) => !kept.has(file));
    for (const file of files) {
      if (this.#isClosed) return;
      const removed = await bucket.remove(file, this.#closing.signal);
      if (!removed.ok) {
        this.#removing.failed();
        return onFailure({ file, does: 'delete', fault: removed.fault, detail: removed.detail });
      }
      await removals.done(file);
    }
    this.#removing.succeeded();
  }

  /** Copies the newest first: it is the one that is needed. */
  async #copyAll(): Promise<void> {
    const { store } = this.#deps;
    while (!this.#isClosed) {
      const next = (await store.list()).find(({ copyState }) => copyState === 'waiting');
      if (next === undefined) return;
      const outcome = await this.#copied(next);
      if (outcome === 'ended') continue;
      if (outcome.ok) this.#copying.succeeded();
      await this.#note(next, outcome);
      if (outcome.ok || !PASSING.includes(outcome.fault)) continue;
      this.#copying.failed();
      return;
    }
  }

  async #note({ id, file }: StoredBackup, outcome: CopyOutcome): Promise<void> {
    const { store, onChanged, onFailure } = this.#deps;
    if (outcome.ok) {
      await store.endCopy(id, { state: 'done', fault: '' });
    } else {
      const { fault, detail } = outcome;
      await store.endCopy(id, { state: PASSING.includes(fault) ? 'waiting' : 'failed', fault });
      onFailure({ file, does: 'copy', fault, detail });
    }
    onChanged();
  }

  async #copied({ file, bytes, sha256 }: StoredBackup): Promise<CopyOutcome | 'ended'> {
    const { folder } = this.#deps;
    const abort = new AbortController();
    this.#running = { file, abort };
    try {
      if (!(await folder.isUsable())) return { ok: false, fault: 'folder-missing', detail: 'the folder of backups' };
      if (!(await folder.has(file))) return { ok: false, fault: 'file-missing', detail: file };
      return await uploadCopy({ path: folder.pathOf(file), file, bytes, sha256 }, this.#deps, abort.signal);
    } catch (error) {
      return abort.signal.aborted ? 'ended' : await this.#faultOf(error);
    } finally {
      this.#running = undefined;
    }
  }

  /** A fault of the folder, or an internal one. */
  async #faultOf(error: unknown): Promise<CopyOutcome> {
    const { folder, onFault } = this.#deps;
    const detail = error instanceof Error ? error.message : String(error);
    if (!(await folder.isUsable())) return { ok: false, fault: 'folder-missing', detail };
    onFault(faultOf('a backup could not be copied', error));
    return { ok: false, fault: 'internal', detail };
  }
}
