// Reads an archive like the gateway's own database: it is loaded into an empty one of the embedded engine, so that rows of earlier schemas
// and of the other engine are migrated in the process.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackupFault } from '../../../shared/protocol/backup/backupWords.ts';
import type { OnFault } from '../../faults/onFault.ts';
import { openDatabase } from '../../store/engine/database.ts';
import { createStores, type Stores } from '../../store/stores.ts';
import type { StoredBackup } from '../../store/system/backupRows.ts';
import type { KeptFree } from '../archive/keptFree.ts';
import type { ArchiveKey } from '../archive/keys.ts';
import { keyFrom, type Sealing } from '../plan/backupPlans.ts';
import type { BackupFolder } from '../runner/backupFolder.ts';
import { sealedKeyOf } from '../runner/sealedKeys.ts';
import type { BackupRunOptions, BackupThreads } from '../thread/backupThread.ts';

export interface ArchivedStoresDeps {
  readonly threads: Pick<BackupThreads, 'load'>;
  readonly folder: Pick<BackupFolder, 'has' | 'pathOf' | 'makeTestFolder'>;
  readonly keptFree: KeptFree;
  readonly box: Pick<Sealing, 'open'>;
  readonly onFault: OnFault;
}

export interface ReadArchive {
  readonly backup: Pick<StoredBackup, 'file' | 'encryption' | 'sealedKey' | 'rows'>;
  /** Passphrase or recovery key; '': the key that is sealed with the backup. */
  readonly key: string;
}

export type ReadOutcome<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly fault: Exclude<BackupFault, ''> };

/** 0: the archive has no such table. */
export type RowsOf = (table: string) => number;

export interface ArchivedStores {
  /**
   * `read`: works on the archive's stores, which are gone afterwards, and can ask how many rows a table came with. Rejects with faults that
   * are not the archive's.
   */
  read<Value>(
    archive: ReadArchive,
    options: BackupRunOptions,
    read: (stores: Stores, rowsOf: RowsOf) => Promise<Value>,
  ): Promise<ReadOutcome<Value>>;
}

export function createArchivedStores({ threads, folder, keptFree, box, onFault }: ArchivedStoresDeps): ArchivedStores {
  return {
    read: async ({ backup, key: text }, options, read) => {
      const key = archiveKey({ backup, key: text }, box);
      if (typeof key === 'string') return { ok: false, fault: key };
      if (!(await folder.has(backup.file))) return { ok: false, fault: 'file-missing' };
      // If a crash leaves the folder, it is removed at the next start.
      const place = await folder.makeTestFolder();
      try {
        const database = { engine: 'sqlite', file: join(place, 'fleetglass.db') } as const;
        const task = { path: folder.pathOf(backup.file), key, database, keptFree, expectedRows: backup.rows };
        const loaded = await threads.load(task, options);
        if (!loaded.ok) return { ok: false, fault: loaded.fault };
        const { tables } = loaded.manifest;
        const rowsOf: RowsOf = (table) => tables.find(({ name }) => name === table)?.rows ?? 0;
        return { ok: true, value: await readFrom(database.file, (stores) => read(stores, rowsOf), onFault) };
      } finally {
        await rm(place, { recursive: true, force: true });
      }
    },
  };
}

async function readFrom<Value>(
  file: string,
  read: (stores: Stores) => Promise<Value>,
  onFault: OnFault,
): Promise<Value> {
  const { db, reading, close } = await openDatabase({ engine: 'sqlite', file }, { onFault, onLost: onFault });
  try {
    return await read(createStores(db, undefined, reading));
  } finally {
    await close();
  }
}

/** The key, or why there is none. */
function archiveKey({ backup, key }: ReadArchive, box: Pick<Sealing, 'open'>): ArchiveKey | 'key-needed' | 'wrong-key' {
  const { encryption } = backup;
  if (encryption === 'none') return { kind: 'none' };
  if (key !== '') return keyFrom(encryption, key) ?? 'wrong-key';
  return sealedKeyOf(backup, box) ?? 'key-needed';
}
