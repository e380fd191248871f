// The work of the thread: one task, after which it ends.
import { parentPort, workerData } from 'node:worker_threads';
import type { ArchiveFailure } from '../archive/faults.ts';
import { loadArchive } from '../archive/loadArchive.ts';
import { surveyArchive } from '../archive/surveyArchive.ts';
import { verifyArchive } from '../archive/verifyArchive.ts';
import { type ArchiveRun, writeArchive } from '../archive/writeArchive.ts';
import { buildRestored } from '../restore/buildRestored.ts';
import { planRestore } from '../restore/planRestore.ts';
import type { BackupSuccess, BackupThreadData, BackupWork, FromBackup, ToBackup } from './messages.ts';

/** Minimum interval of progress messages: each one notifies pages. */
const PROGRESS_MS = 250;

export async function runThread(): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error('the thread of a backup was started as a program');
  const tell = (message: FromBackup): void => port.postMessage(message);
  const canceling = new AbortController();
  const beginning = new Promise<void>((resolve) => {
    port.on('message', (message: ToBackup) => {
      if (message.type === 'begin') resolve();
      else canceling.abort();
    });
  });
  let toldAtMs = Number.NEGATIVE_INFINITY;
  const run: ArchiveRun = {
    signal: canceling.signal,
    onProgress: (progress) => {
      const nowMs = performance.now();
      if (nowMs - toldAtMs < PROGRESS_MS) return;
      toldAtMs = nowMs;
      tell({ type: 'progress', progress });
    },
    onFault: (error) => tell({ type: 'fault', message: error.message }),
  };
  tell({ type: 'ready' });
  await beginning;
  try {
    tell({ type: 'done', outcome: await perform(workerData as BackupThreadData, run) });
  } catch (error) {
    tell({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
  } finally {
    port.close();
  }
}

function perform(data: BackupWork, run: ArchiveRun): Promise<BackupSuccess | ArchiveFailure> {
  switch (data.does) {
    case 'write':
      return writeArchive(data.task, run);
    case 'verify':
      return verifyArchive(data.task, run);
    case 'survey':
      return surveyArchive(data.task, run);
    case 'load':
      return loadArchive(data.task, run);
    case 'build':
      return buildRestored(data.task, run);
    case 'plan':
      return planRestore(data.task, run);
  }
}
