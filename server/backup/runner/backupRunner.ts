// Makes backups and tries to restore them, one at a time. Backups outlast the gateway, running work does not.
import type { RunningBackup } from '../../../shared/protocol/api/system/backups.ts';
import { inBackground } from '../../faults/background.ts';
import { faultOf } from '../../faults/onFault.ts';
import { PendingWork } from '../../faults/pendingWork.ts';
import type { Limit } from '../../limits/limit.ts';
import type { Outcome } from '../../store/outcome.ts';
import type { StoredBackup } from '../../store/system/backupRows.ts';
import { fitsArchive } from '../archive/fitsArchive.ts';
import type { ArchiveKey } from '../archive/keys.ts';
import type { BackupSteps, BegunBackup, WantedBackup } from './backupSteps.ts';
import { applyRetention, isNewestTested } from './retention.ts';
import { chosenKey, type KeyRefusal } from './sealedKeys.ts';
import {
  beginTaking,
  finishTaking,
  type UploadedArchive,
  type UploadedRefusal,
  type UploadsToTake,
} from './uploadedBackup.ts';

interface Running {
  readonly abort: AbortController;
  readonly progress: RunningBackup;
}

/** Backups made by hand, none of which the plan deletes. A further one is refused with 409 `too-many-backups`. */
export const MANUAL_BACKUPS_LIMIT: Limit = { name: 'backup.manual', max: 200 };

export type StartRefusal = 'busy' | 'key-missing' | 'too-many';
export type TestRefusal = 'busy' | 'no-such-backup' | KeyRefusal;
export type TakeRefusal = 'busy' | 'too-many' | UploadedRefusal;
type TakenArchive = Promise<Outcome<StoredBackup, TakeRefusal>>;
export type RemoveRefusal = 'busy' | 'no-such-backup' | 'last-tested' | 'folder-missing';

export class BackupRunner {
  readonly #steps: BackupSteps;
  readonly #work = new PendingWork();
  #running: Running | undefined;
  /** True between a request and its entry in the list. */
  #isBeginning = false;
  #isClosed = false;
  #isClearedUp = false;

  constructor(steps: BackupSteps) {
    this.#steps = steps;
  }

  get running(): RunningBackup | undefined {
    return this.#running?.progress;
  }

  get isBusy(): boolean {
    return this.#isBeginning || this.#running !== undefined || this.#isClosed;
  }

  async start(): Promise<void> {
    const { folder } = this.#steps.deps;
    await this.#unlessFaulty(folder.start());
    await this.clearUp();
  }

  /**
   * Clears up after earlier runs, once: not while another gateway may be working on a backup. A killed gateway still counts for a while, so
   * this is tried again.
   */
  async clearUp(): Promise<void> {
    const { store, folder, now, isAlone } = this.#steps.deps;
    if (this.#isClearedUp || this.isBusy || !(await isAlone())) return;
    await this.#begin(async () => {
      const running = (await store.list()).filter(({ state }) => state === 'running');
      await store.interruptRunning(now());
      this.#isClearedUp = true;
      await this.#unlessFaulty(folder.clearUp(running.map(({ file }) => file)));
      return { ok: true, value: undefined };
    });
  }

  /** A failing share must not keep the gateway from starting. */
  async #unlessFaulty(clearing: Promise<void>): Promise<void> {
    await clearing.catch((cause: unknown) => {
      this.#steps.deps.onFault(faultOf('what an earlier run of backups has left could not be removed', cause));
    });
  }

  /** Begins a backup; the list shows its outcome. */
  make(wanted: WantedBackup): Promise<Outcome<StoredBackup, StartRefusal>> {
    return this.#begin(async () => {
      if (wanted.madeBy !== '' && (await this.#areTooMany())) return { ok: false, reason: 'too-many' };
      const begun = await this.#steps.begin(wanted);
      if (begun === undefined) return { ok: false, reason: 'key-missing' };
      this.#runSoon(begun.backup, 'write', (abort) => this.#makeAndTest(begun, abort));
      return { ok: true, value: begun.backup };
    });
  }

  /**
   * Tests a backup again, for example one that was copied back. `typed`: its passphrase or recovery key; '': the one that the installation
   * has. A wrong one is refused at once.
   */
  testAgain(id: number, typed: string): Promise<Outcome<StoredBackup, TestRefusal>> {
    return this.#begin<StoredBackup, Exclude<TestRefusal, 'busy'>>(async () => {
      const backup = await this.#steps.deps.store.find(id);
      if (backup?.state !== 'done') return { ok: false, reason: 'no-such-backup' };
      const key = await this.#keyToTest(backup, typed);
      if (typeof key === 'string') return { ok: false, reason: key };
      this.#runSoon(backup, 'test', (running) => this.#steps.test(backup, key, this.#optionsOf(running)));
      return { ok: true, value: backup };
    });
  }

  /** Begins to add an archive that a member uploaded to the backups; the list shows the outcome. */
  takeUploaded(archive: UploadedArchive, uploads: UploadsToTake): TakenArchive {
    return this.#begin<StoredBackup, UploadedRefusal | 'too-many'>(async () => {
      if (await this.#areTooMany()) return { ok: false, reason: 'too-many' };
      const steps = this.#steps;
      const begun = await beginTaking(archive, steps.deps, uploads);
      if (!begun.ok) return begun;
      const { backup } = begun.value;
      this.#runSoon(backup, 'take', (abort) => finishTaking(begun.value, { steps, uploads }, this.#optionsOf(abort)));
      return { ok: true, value: backup };
    });
  }

  /** False for a backup that isn't in progress. A canceled test has no result. */
  cancel(id: number): boolean {
    if (this.#running?.progress.id !== id) return false;
    this.#running.abort.abort();
    return true;
  }

  /** Returns the removed backup. */
  remove(id: number): Promise<Outcome<StoredBackup, RemoveRefusal>> {
    return this.#begin(async () => {
      const { store, folder, copies, onChanged } = this.#steps.deps;
      const backups = await store.list();
      const backup = backups.find((each) => each.id === id);
      if (backup === undefined) return { ok: false, reason: 'no-such-backup' };
      if (isNewestTested(backups, id)) return { ok: false, reason: 'last-tested' };
      // Otherwise its file would stay without an entry.
      if (backup.state === 'done' && !(await folder.isUsable())) return { ok: false, reason: 'folder-missing' };
      await copies.forget(backup);
      if (backup.state === 'done') await folder.remove(backup.file);
      await store.remove(id);
      onChanged();
      return { ok: true, value: backup };
    });
  }

  /** Interrupts running work, which is noted when the gateway starts again. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#running?.abort.abort();
    await this.#work.settled();
  }

  async #areTooMany(): Promise<boolean> {
    const { store, onLimit } = this.#steps.deps;
    const byHand = (await store.list()).filter(({ isManual, state }) => isManual && state === 'done');
    if (byHand.length < MANUAL_BACKUPS_LIMIT.max) return false;
    onLimit(MANUAL_BACKUPS_LIMIT);
    return true;
  }

  async #keyToTest(backup: StoredBackup, typed: string): Promise<ArchiveKey | KeyRefusal> {
    const key = chosenKey(backup, typed, () => this.#steps.keyOf(backup));
    if (typeof key === 'string' || typed === '') return key;
    return (await fitsArchive(this.#steps.deps.folder.pathOf(backup.file), key)) ? key : 'wrong-key';
  }

  /** One call at a time checks what is running. */
  async #begin<Value, Refusal extends string>(
    work: () => Promise<Outcome<Value, Refusal>>,
  ): Promise<Outcome<Value, Refusal | 'busy'>> {
    if (this.isBusy) return { ok: false, reason: 'busy' };
    this.#isBeginning = true;
    try {
      return await this.#work.add(work());
    } finally {
      this.#isBeginning = false;
    }
  }

  async #makeAndTest(begun: BegunBackup, abort: AbortController): Promise<void> {
    const { deps } = this.#steps;
    const made = await this.#steps.write(begun, this.#optionsOf(abort));
    if (this.#isClosed) return;
    if (made !== undefined) {
      this.#setProgress(abort, { id: made.id, does: 'test', rows: 0, bytes: 0 });
      // The sealed key, which later tests and restores use, is tested as well.
      await this.#steps.test(made, this.#steps.keyOf(made), this.#optionsOf(abort));
    }
    if (!this.#isClosed) await applyRetention(deps, (await deps.plans.read()).values);
  }

  #runSoon({ id }: StoredBackup, does: RunningBackup['does'], work: (abort: AbortController) => Promise<void>): void {
    const abort = new AbortController();
    // The gateway was closed while the work began.
    if (this.#isClosed) abort.abort();
    this.#running = { abort, progress: { id, does, rows: 0, bytes: 0 } };
    const { onFault, onChanged } = this.#steps.deps;
    const done = work(abort).finally(() => {
      this.#running = undefined;
      onChanged();
    });
    inBackground('a backup could not be finished', this.#work.add(done), onFault);
    onChanged();
  }

  #optionsOf(abort: AbortController) {
    return {
      signal: abort.signal,
      isClosing: () => this.#isClosed,
      onProgress: ({ rows, bytes }: Pick<RunningBackup, 'rows' | 'bytes'>): void => {
        if (this.#running !== undefined) this.#setProgress(abort, { ...this.#running.progress, rows, bytes });
      },
    };
  }

  #setProgress(abort: AbortController, progress: RunningBackup): void {
    this.#running = { abort, progress };
    this.#steps.deps.onChanged();
  }
}
