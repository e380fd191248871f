// The orders of the backup runner: copies that are wanted, and copies that no longer are.
import type { StoredBackup } from '../../store/system/backupRows.ts';
import type { BackupStore } from '../../store/system/backups.ts';
import type { CopyWorker } from './copyWorker.ts';
import type { CopyRemovals } from './removals.ts';

export interface CopyOrders {
  /** Called when the backup has passed its test. */
  want(id: number): Promise<void>;
  /** Called when the backup is about to be deleted. */
  forget(backup: Pick<StoredBackup, 'id' | 'file' | 'copyState'>): Promise<void>;
}

export interface CopyOrdersDeps {
  readonly store: Pick<BackupStore, 'orderCopy' | 'endCopy'>;
  readonly removals: Pick<CopyRemovals, 'add'>;
  /** Without a bucket no copies are wanted, and earlier ones are deleted once there is a bucket again. */
  readonly hasBucket: boolean;
  /** Left out: the gateway is closed, and the next one finds the orders. */
  readonly worker?: Pick<CopyWorker, 'drop'> & { readonly workSoon: () => void };
}

export function createCopyOrders({ store, removals, hasBucket, worker }: CopyOrdersDeps): CopyOrders {
  return {
    want: async (id) => {
      if (hasBucket && (await store.orderCopy(id))) worker?.workSoon();
    },
    forget: async ({ id, file, copyState }) => {
      if (copyState === 'none') return;
      // The removal is noted before anything is deleted: a stop in between would leave an unknown copy.
      await removals.add(file);
      await store.endCopy(id, { state: 'none', fault: '' });
      worker?.drop(file);
      worker?.workSoon();
    },
  };
}
