// Archives that are made and read in the calling thread: what a thread does, without its start.
import { loadArchive } from '../../../server/backup/archive/loadArchive.ts';
import { surveyArchive } from '../../../server/backup/archive/surveyArchive.ts';
import { verifyArchive } from '../../../server/backup/archive/verifyArchive.ts';
import { writeArchive } from '../../../server/backup/archive/writeArchive.ts';
import { buildRestored } from '../../../server/backup/restore/buildRestored.ts';
import { planRestore } from '../../../server/backup/restore/planRestore.ts';
import type { BackupThreads } from '../../../server/backup/thread/backupThread.ts';
import type { OnFault } from '../../../server/faults/onFault.ts';

export function inProcessBackups(onFault: OnFault): BackupThreads {
  return {
    write: (task, options) => writeArchive(task, { ...options, onFault }),
    verify: (task, options) => verifyArchive(task, options),
    survey: (task, options) => surveyArchive(task, options),
    load: (task, options) => loadArchive(task, { ...options, onFault }),
    build: (task, options) => buildRestored(task, { ...options, onFault }),
    plan: (task, options) => planRestore(task, { ...options, onFault }),
  };
}
