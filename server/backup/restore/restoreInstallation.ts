// A whole restore, while no gateway runs on the installation: the new state is built, and replaces the present one.
import type { FileLock } from '../../store/backup/fileLock.ts';
import { type ArchiveFailure, archiveFailure } from '../archive/faults.ts';
import type { Built, RestoreTask } from './buildRestored.ts';
import { discardRestore, exchangeRestored, type Installation, type RestoredExchange } from './restoration.ts';
import { newRestoreId } from './restoreFolder.ts';
import { lockRestore } from './restoreLock.ts';

export interface RestoreDeps extends Installation {
  /** Builds in a thread: see `createBackupThreads`. */
  readonly build: (task: RestoreTask) => Promise<Built | ArchiveFailure>;
  /** Called before anything is built, for example to back up the present state. A returned failure ends the restore. */
  readonly prepare: () => Promise<RestoreFailure | undefined>;
}

export type WantedRestore = Pick<RestoreTask, 'path' | 'key' | 'choices'>;

/** Whoever starts a gateway on the new state calls the exchange's `undo` or `finish`; then another restore can begin. */
export type Restored = Built & { readonly exchange: RestoredExchange };
export type RestoreFailure =
  | ArchiveFailure
  | { readonly ok: false; readonly fault: 'restore-running' | 'backup-failed' | 'other-gateways' };

/**
 * After a failure, also after an exception, everything is in its previous state. Where that isn't possible at once, for example without the
 * database server, `recoverRestore` completes it.
 */
export async function restoreInstallation(
  wanted: WantedRestore,
  deps: RestoreDeps,
): Promise<Restored | RestoreFailure> {
  const lock = await lockRestore(deps.dataDir);
  if (lock === undefined) return { ok: false, fault: 'restore-running' };
  try {
    const failure = await deps.prepare();
    const outcome = failure ?? (await buildAndExchange(wanted, deps));
    if (outcome.ok) return { ...outcome, exchange: releasing(outcome.exchange, lock) };
    lock.release();
    return outcome;
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function buildAndExchange(wanted: WantedRestore, deps: RestoreDeps): Promise<Restored | ArchiveFailure> {
  const { dataDir, database } = deps;
  const id = newRestoreId();
  const discard = () => discardRestore(id, deps).catch(deps.onFault);
  try {
    const built = await deps.build({ ...wanted, id, dataDir, database });
    if (!built.ok) {
      await discard();
      return built;
    }
    return { ...built, exchange: await exchangeRestored(id, deps) };
  } catch (error) {
    await discard();
    const failure = archiveFailure(error);
    if (failure === undefined) throw error;
    return failure;
  }
}

/** The lock is released even after a failure: what is left then stops another restore, or is completed by the next start. */
function releasing({ undo, finish }: RestoredExchange, lock: FileLock): RestoredExchange {
  return { undo: () => undo().finally(lock.release), finish: () => finish().finally(lock.release) };
}
