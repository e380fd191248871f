// Adds an archive that a member uploaded to the backups: the head is checked in the call, the rest in the background, since many gigabytes
// are read and perhaps copied. The contents of an encrypted one are known once it has been tested with its key.
import type { BackupFault } from '../../../shared/protocol/backup/backupWords.ts';
import { NEWEST_SCHEMA } from '../../store/backup/migrateHere.ts';
import type { Outcome } from '../../store/outcome.ts';
import type { StoredBackup } from '../../store/system/backupRows.ts';
import type { TakeFault, TakenUpload, Uploads, WantedUpload } from '../../uploads/uploads.ts';
import {
  type ArchiveFailure,
  ArchiveFault,
  type ArchiveFaultCode,
  throwIfCanceled,
  withFailures,
} from '../archive/faults.ts';
import type { Head } from '../archive/head.ts';
import { archiveBytes, readHead } from '../archive/readArchive.ts';
import type { Surveyed } from '../archive/surveyArchive.ts';
import type { BackupSteps, BackupStepsDeps, StepOptions } from './backupSteps.ts';

export type UploadsToTake = Pick<Uploads, 'whole' | 'take' | 'drop'>;

export interface UploadedArchive {
  readonly upload: string;
  readonly by: { readonly id: number; readonly username: string };
}

export interface BegunTaking {
  readonly backup: StoredBackup;
  /** Schema version in the archive's head. */
  readonly schemaVersion: number;
  readonly wanted: WantedUpload;
}

export type UploadedRefusal = Exclude<TakeFault, 'hash'> | ArchiveFaultCode | 'folder-missing';

/** Refuses by the archive's head. Until it is finished, the next start treats it as an interrupted backup, and removes its file. */
export async function beginTaking(
  { upload, by }: UploadedArchive,
  { store, folder }: Pick<BackupStepsDeps, 'store' | 'folder'>,
  uploads: UploadsToTake,
): Promise<Outcome<BegunTaking, UploadedRefusal>> {
  if (!(await folder.isUsable())) return { ok: false, reason: 'folder-missing' };
  const wanted: WantedUpload = { id: upload, userId: by.id, purpose: 'backup' };
  const whole = await uploads.whole(wanted);
  if (!whole.ok) return whole;
  const read = await headOf(whole.value);
  if (!read.ok) return { ok: false, reason: read.fault };
  const { head } = read;
  const backup = await store.insert({
    ...{ file: folder.newName(head.createdAtMs), atMs: head.createdAtMs, madeBy: by.username, note: head.note },
    ...{ isManual: true, isUploaded: true, productVersion: head.productVersion, engine: head.engine },
    ...{ encryption: head.encryption.kind, history: [], files: [], sealedKey: '' },
  });
  return { ok: true, value: { backup, wanted, schemaVersion: head.schemaVersion } };
}

function headOf({
  path,
}: Pick<TakenUpload, 'path'>): Promise<{ readonly ok: true; readonly head: Head } | ArchiveFailure> {
  return withFailures(async () => {
    const head = await readHead(archiveBytes(path));
    if (head.schemaVersion > NEWEST_SCHEMA) throw new ArchiveFault('newer-schema', `schema ${head.schemaVersion}`);
    return { ok: true, head };
  });
}

export interface TakingDeps {
  readonly steps: BackupSteps;
  readonly uploads: UploadsToTake;
}

/** Reads all of it and moves it to the other backups. The list shows the outcome. */
export async function finishTaking(
  begun: BegunTaking,
  { steps, uploads }: TakingDeps,
  options: StepOptions,
): Promise<void> {
  const { backup, wanted } = begun;
  const { store, folder, now } = steps.deps;
  const outcome = await steps.caught(() => withFailures(() => taken(begun, { steps, uploads }, options)));
  // The upload stays; the next start notes the interruption.
  if (outcome.ok || options.isClosing()) return;
  const { fault, detail } = outcome;
  await folder.remove(backup.file);
  await store.end(backup.id, { state: fault === 'canceled' ? 'canceled' : 'failed', fault, detail, atMs: now() });
  if (isOfArchive(fault)) await uploads.drop(wanted.id, wanted.userId);
}

async function taken(
  { backup, wanted, schemaVersion }: BegunTaking,
  { steps, uploads }: TakingDeps,
  options: StepOptions,
): Promise<{ readonly ok: true }> {
  const { store, folder, threads, now } = steps.deps;
  let contents: Surveyed['contents'];
  const outcome = await uploads.take(
    wanted,
    async ({ path, bytes, sha256 }) => {
      await folder.adopt(path, backup.file, options.signal);
      if (contents !== undefined) await store.learn(backup.id, contents);
      const archive = { bytes, sha256, rows: contents?.rows ?? 0, schemaVersion };
      await store.end(backup.id, { state: 'done', fault: '', detail: '', atMs: now(), archive });
      return { ok: true, value: undefined };
    },
    async (path) => {
      const surveyed = await threads.survey({ path }, options);
      throwIfCanceled(options.signal);
      if (!surveyed.ok) throw new ArchiveFault(surveyed.fault, surveyed.detail);
      contents = surveyed.contents;
      return surveyed;
    },
  );
  if (!outcome.ok) throw new ArchiveFault('damaged', `the upload is ${outcome.reason}`);
  return { ok: true };
}

/** Faults of the disk and cancellations keep the upload, which can be added again. */
function isOfArchive(fault: BackupFault): boolean {
  return !['canceled', 'disk-full', 'folder-missing', 'internal'].includes(fault);
}
