// The messages between the main thread and one that makes, reads or loads an archive.
import type { ArchiveFailure } from '../archive/faults.ts';
import type { Loaded, LoadTask } from '../archive/loadArchive.ts';
import type { Surveyed, SurveyTask } from '../archive/surveyArchive.ts';
import type { Verified, VerifyTask } from '../archive/verifyArchive.ts';
import type { ArchiveProgress, WriteTask, Written } from '../archive/writeArchive.ts';
import type { Built, RestoreTask } from '../restore/buildRestored.ts';
import type { PlanTask, RestorePlan } from '../restore/planRestore.ts';

export type BackupWork =
  | { readonly does: 'write'; readonly task: WriteTask }
  | { readonly does: 'verify'; readonly task: VerifyTask }
  | { readonly does: 'survey'; readonly task: SurveyTask }
  | { readonly does: 'load'; readonly task: LoadTask }
  | { readonly does: 'build'; readonly task: RestoreTask }
  | { readonly does: 'plan'; readonly task: PlanTask };

/** `waits`: gives precedence to everything else on the machine. */
export type BackupThreadData = BackupWork & { readonly waits: boolean };

export type BackupSuccess = Written | Verified | Surveyed | Loaded | Built | RestorePlan;

export interface ToBackup {
  readonly type: 'begin' | 'cancel';
}

export type FromBackup =
  /** The program is loaded and waits for the message to begin. */
  | { readonly type: 'ready' }
  | { readonly type: 'progress'; readonly progress: ArchiveProgress }
  /** A connection broke; the work that used it reports this too. */
  | { readonly type: 'fault'; readonly message: string }
  | { readonly type: 'done'; readonly outcome: BackupSuccess | ArchiveFailure }
  /** A fault that is internal, or of the disk or the database. */
  | { readonly type: 'failed'; readonly message: string };
