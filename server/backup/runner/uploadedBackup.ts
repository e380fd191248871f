// An archive that a member handed in, put among the backups. What is in it is known once it has been read with its key.

import type { Outcome } from '../../store/outcome.ts';
import type { StoredBackup } from '../../store/system/backupRows.ts';
import type { BackupStore } from '../../store/system/backups.ts';
import type { TakeFault, TakenUpload, Uploads } from '../../uploads/uploads.ts';
import { type ArchiveFaultCode, archiveFailure } from '../archive/faults.ts';
import type { Head } from '../archive/head.ts';
import { archiveBytes, readHead } from '../archive/readArchive.ts';
import type { BackupFolder } from './backupFolder.ts';

export interface UploadedBackupDeps {
  readonly store: Pick<BackupStore, 'insert' | 'end' | 'find' | 'remove'>;
  readonly folder: Pick<BackupFolder, 'isUsable' | 'newName' | 'adopt'>;
  readonly uploads: Pick<Uploads, 'take'>;
  readonly now: () => number;
}

export interface UploadedArchive {
  readonly upload: string;
  readonly by: { readonly id: number; readonly username: string };
}

export type UploadedRefusal = TakeFault | ArchiveFaultCode | 'folder-missing';

export async function takeUploadedBackup(
  { upload, by }: UploadedArchive,
  deps: UploadedBackupDeps,
): Promise<Outcome<StoredBackup, UploadedRefusal>> {
  if (!(await deps.folder.isUsable())) return { ok: false, reason: 'folder-missing' };
  return deps.uploads.take<StoredBackup, UploadedRefusal>(
    { id: upload, userId: by.id, purpose: 'backup' },
    async (taken) => {
      try {
        const head = await readHead(archiveBytes(taken.path));
        return { ok: true, value: await adopt({ taken, head, by: by.username }, deps) };
      } catch (error) {
        const failure = archiveFailure(error);
        if (failure === undefined) throw error;
        return { ok: false, reason: failure.fault };
      }
    },
  );
}

interface Adopted {
  readonly taken: TakenUpload;
  readonly head: Head;
  readonly by: string;
}

/** Until it is done, the next start takes it for a backup that was interrupted, and removes its file. */
async function adopt({ taken, head, by }: Adopted, { store, folder, now }: UploadedBackupDeps): Promise<StoredBackup> {
  const file = folder.newName(head.createdAtMs);
  const { id } = await store.insert({
    ...{ file, atMs: head.createdAtMs, madeBy: by, isManual: true, isUploaded: true, note: head.note },
    ...{ productVersion: head.productVersion, engine: head.engine, encryption: head.encryption.kind },
    ...{ history: [], files: [], sealedKey: '' },
  });
  try {
    await folder.adopt(taken.path, file);
  } catch (error) {
    await store.remove(id);
    throw error;
  }
  const { bytes, sha256 } = taken;
  const archive = { bytes, sha256, rows: 0, schemaVersion: head.schemaVersion };
  await store.end(id, { state: 'done', fault: '', detail: '', atMs: now(), archive });
  const backup = await store.find(id);
  if (backup === undefined) throw new Error('a backup that was just added is gone');
  return backup;
}
