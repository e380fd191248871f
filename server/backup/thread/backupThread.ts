// Makes, reads and loads archives, each in a thread of its own.
import type { Worker } from 'node:worker_threads';
import { faultOf, type OnFault } from '../../faults/onFault.ts';
import { startThread } from '../../faults/threads.ts';
import { compiledThread } from '../../store/engine/sqlite/sourceThread.ts';
import type { ArchiveFailure } from '../archive/faults.ts';
import type { Loaded, LoadTask } from '../archive/loadArchive.ts';
import type { Surveyed, SurveyTask } from '../archive/surveyArchive.ts';
import type { Verified, VerifyTask } from '../archive/verifyArchive.ts';
import type { ArchiveProgress, WriteTask, Written } from '../archive/writeArchive.ts';
import type { Built, RestoreTask } from '../restore/buildRestored.ts';
import type { PlanTask, RestorePlan } from '../restore/planRestore.ts';
import type { BackupSuccess, BackupThreadData, BackupWork, FromBackup, ToBackup } from './messages.ts';

export interface BackupRunOptions {
  /** Once it is aborted, the outcome is `canceled`, unless there was one before; nothing unfinished is left then. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ArchiveProgress) => void;
}

/** Each rejects with faults that are not the archive's: internal ones, the disk's, the database's. */
export interface BackupThreads {
  write(task: WriteTask, options: BackupRunOptions): Promise<Written | ArchiveFailure>;
  verify(task: VerifyTask, options: BackupRunOptions): Promise<Verified | ArchiveFailure>;
  /** Examines an archive from elsewhere, without a key. */
  survey(task: SurveyTask, options: BackupRunOptions): Promise<Surveyed | ArchiveFailure>;
  load(task: LoadTask, options: BackupRunOptions): Promise<Loaded | ArchiveFailure>;
  /** Builds a restored state beside the present one. */
  build(task: RestoreTask, options: BackupRunOptions): Promise<Built | ArchiveFailure>;
  /** Determines what a restore would do, without doing it. */
  plan(task: PlanTask, options: BackupRunOptions): Promise<RestorePlan | ArchiveFailure>;
}

/**
 * `onFault` is called with database connections that break. Nobody is served while the gateway is closed: with the priority of the process,
 * threads have it open again soon, even on a busy machine.
 */
export function createBackupThreads(onFault: OnFault, besides: 'an open gateway' | 'a closed gateway'): BackupThreads {
  const waits = besides === 'an open gateway';
  const run = (work: BackupWork, options: BackupRunOptions) => runIn({ ...work, waits }, options, onFault);
  return {
    write: (task, options) => run({ does: 'write', task }, options) as Promise<Written | ArchiveFailure>,
    verify: (task, options) => run({ does: 'verify', task }, options) as Promise<Verified | ArchiveFailure>,
    survey: (task, options) => run({ does: 'survey', task }, options) as Promise<Surveyed | ArchiveFailure>,
    load: (task, options) => run({ does: 'load', task }, options) as Promise<Loaded | ArchiveFailure>,
    build: (task, options) => run({ does: 'build', task }, options) as Promise<Built | ArchiveFailure>,
    plan: (task, options) => run({ does: 'plan', task }, options) as Promise<RestorePlan | ArchiveFailure>,
  };
}

/** After compilation, this module and its worker are .js. */
const program = import.meta.url.endsWith('.js') ? new URL('./backup.worker.js', import.meta.url) : undefined;
const source = new URL('./backup.worker.ts', import.meta.url);

async function start(workerData: BackupThreadData, onEnd: (error: unknown) => void): Promise<Worker> {
  if (program !== undefined) return startThread(program, { workerData }, onEnd);
  return startThread(await compiledThread(source), { workerData, eval: true, execArgv: [] }, onEnd);
}

async function runIn(
  data: BackupThreadData,
  { signal, onProgress }: BackupRunOptions,
  onFault: OnFault,
): Promise<BackupSuccess | ArchiveFailure> {
  const { promise, resolve, reject } = settling<BackupSuccess | ArchiveFailure>();
  const worker = await start(data, (error) => reject(faultOf('the thread of a backup ended', error)));
  const send = (type: ToBackup['type']): void => worker.postMessage({ type } satisfies ToBackup);
  let hasBegun = false;
  worker.on('message', (message: FromBackup) => {
    switch (message.type) {
      case 'ready':
        hasBegun = !signal.aborted;
        if (hasBegun) send('begin');
        return;
      case 'progress':
        return onProgress(message.progress);
      case 'fault':
        return onFault(new Error(message.message));
      case 'done':
        return resolve(message.outcome);
      case 'failed':
        return reject(new Error(message.message));
    }
  });
  // A thread that has begun is not ended from here: it removes what it has written. A thread that is still loading its program, which takes
  // seconds on a busy machine, would keep the canceling member waiting.
  const cancel = (): void => {
    if (hasBegun) send('cancel');
    else resolve(CANCELED);
  };
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', cancel);
    await worker.terminate();
  }
}

const CANCELED: ArchiveFailure = { ok: false, fault: 'canceled', detail: 'canceled before it began' };

interface Settling<Value> {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value) => void;
  readonly reject: (reason: unknown) => void;
}

function settling<Value>(): Settling<Value> {
  let [resolve, reject]: [(value: Value) => void, (reason: unknown) => void] = [() => undefined, () => undefined];
  const promise = new Promise<Value>((toResolve, toReject) => {
    [resolve, reject] = [toResolve, toReject];
  });
  return { promise, resolve, reject };
}
