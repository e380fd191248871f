// What the runner of backups tells of those that are to be copied, and of copies that are not wanted any more.
import type { StoredBackup } from '../../store/system/backupRows.ts';
import type { BackupStore } from '../../store/system/backups.ts';
import type { CopyWorker } from './copyWorker.ts';
import type { CopyRemovals } from './removals.ts';

export interface CopyOrders {
  /** It has passed its test. */
  want(id: number): Promise<void>;
  /** The backup is about to be deleted. */
  forget(backup: Pick<StoredBackup, 'id' | 'file' | 'copyState'>): Promise<void>;
}

export interface CopyOrdersDeps {
  readonly store: Pick<BackupStore, 'orderCopy' | 'endCopy'>;
  readonly removals: Pick<CopyRemovals, 'add'>;
  /** Without one no copies are wanted, and those of earlier are deleted once there is one again. */
  readonly hasBucket: boolean;
  /** Left out: the gateway is closed, and the next one sees what waits. */
  readonly worker?: Pick<CopyWorker, 'drop'> & { readonly workSoon: () => void };
}

export function createCopyOrders({ store, removals, hasBucket, worker }: CopyOrdersDeps): CopyOrders {
  return {
    want: async (id) => {
      if (hasBucket && (await store.orderCopy(id))) worker?.workSoon();
    },
    forget: async ({ id, file, copyState }) => {
      if (copyState === 'none') return;
      // Noted before anything is deleted: a stop in between would leave a copy that nobody knows of.
      await removals.add(file);
      await store.endCopy(id, { state: 'none', fault: '' });
      worker?.drop(file);
      worker?.workSoon();
    },
  };
}
