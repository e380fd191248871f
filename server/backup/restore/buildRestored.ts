// Builds the new state beside the present one: an archive's database and files, with what a restore preserves. No gateway uses the present
// database meanwhile. Called in a thread of its own: on the embedded database, statements run in the calling thread.
import { mkdir } from 'node:fs/promises';
import { belowDataDir } from '../../installation.ts';
import { createSchema, inSchema, restoreSchemas } from '../../store/backup/schemaExchange.ts';
import { HISTORY_PARTS, type HistoryPart } from '../../store/backup/tableParts.ts';
import type { DatabaseLocation } from '../../store/engine/database.ts';
import { type ArchiveFailure, ArchiveFault, withFailures } from '../archive/faults.ts';
import type { Head } from '../archive/head.ts';
import type { KeptFree } from '../archive/keptFree.ts';
import type { ArchiveKey } from '../archive/keys.ts';
import { loadArchive } from '../archive/loadArchive.ts';
import type { Manifest } from '../archive/manifest.ts';
import type { ArchiveRun } from '../archive/writeArchive.ts';
import { carryOver, type KeptByRestore } from './carryOver.ts';
import type { RestoreChoices } from './restoreChoices.ts';
import { restoredDatabase, restorePath, stagedFiles } from './restoreFolder.ts';

export interface RestoreTask {
  readonly id: string;
  readonly dataDir: string;
  /** The present database, in this program's schema. */
  readonly database: DatabaseLocation;
  /** Path of the archive. */
  readonly path: string;
  readonly key: ArchiveKey;
  readonly choices: RestoreChoices;
  /** Left out: nothing is recorded. */
  readonly keptFree?: KeptFree | undefined;
}

export interface Built {
  readonly ok: true;
  readonly head: Head;
  readonly manifest: Manifest;
  readonly kept: KeptByRestore;
}

/** After a failure, the caller has to discard what was built. */
export function buildRestored(task: RestoreTask, run: ArchiveRun): Promise<Built | ArchiveFailure> {
  return withFailures(async () => {
    const restored = await placeFor(task, run);
    const { path, key, dataDir, id, keptFree } = task;
    const filesFolder = belowDataDir(dataDir, stagedFiles(id));
    const loaded = await loadArchive({ path, key, database: restored, filesFolder, keptFree }, run);
    if (!loaded.ok) throw new ArchiveFault(loaded.fault, loaded.detail);
    const { head, manifest } = loaded;
    const kept = await carryOver({ ...task, restored, missing: missingHistory(manifest) }, run);
    return { ok: true, head, manifest, kept };
  });
}

function missingHistory({ history }: Manifest): HistoryPart[] {
  return HISTORY_PARTS.filter((part) => !history.includes(part));
}

async function placeFor({ id, dataDir, database }: RestoreTask, { onFault }: ArchiveRun): Promise<DatabaseLocation> {
  await mkdir(belowDataDir(dataDir, restorePath(id)), { recursive: true, mode: 0o700 });
  if (database.engine === 'sqlite') return { engine: 'sqlite', file: belowDataDir(dataDir, restoredDatabase(id)) };
  const { fresh } = restoreSchemas(id);
  await createSchema(database.url, fresh, onFault);
  return inSchema(database.url, fresh);
}
