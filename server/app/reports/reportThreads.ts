// Starts the threads of reports, and asks them.
import type { Worker } from 'node:worker_threads';
import type { RecordingPolicy } from '../../../shared/protocol/api/deviceRecording.ts';
import { createAskedThread } from '../../faults/askedThread.ts';
import { inBackground } from '../../faults/background.ts';
import { faultOf, type OnFault } from '../../faults/onFault.ts';
import { startThread } from '../../faults/threads.ts';
import type { ThreadWatch } from '../../faults/threadWatch.ts';
import type { RunReport } from '../../reports/jobs/reportJobs.ts';
import type { ReportOutcome } from '../../reports/reportTask.ts';
import type { ResultAnswer, ResultRequest } from '../../reports/results/resultRequests.ts';
import type { AskResults } from '../../reports/results/results.ts';
import type { DatabaseLocation } from '../../store/engine/database.ts';
import { compiledThread } from '../../store/engine/sqlite/sourceThread.ts';
import { damageFault } from '../../store/fleet/blocks/damagedBlocks.ts';
import type { FromRun, ReportThreadData } from './messages.ts';

/** Compiled, this module and its worker are .js. */
const program = import.meta.url.endsWith('.js') ? new URL('./report.worker.js', import.meta.url) : undefined;
const source = new URL('./report.worker.ts', import.meta.url);

async function start(workerData: ReportThreadData, onEnd: (error: unknown) => void): Promise<Worker> {
  if (program !== undefined) return startThread(program, { workerData }, onEnd);
  return startThread(await compiledThread(source), { workerData, eval: true, execArgv: [] }, onEnd);
}

export interface RunReportsDeps {
  readonly database: DatabaseLocation;
  readonly recordingPreset: RecordingPolicy;
  readonly overheadPercent: number;
  readonly onFault: OnFault;
}

/** Each report has a thread, which ends with it: whoever cancels it need not wait for a statement. */
export function createRunReport(deps: RunReportsDeps): RunReport {
  return async (task, { signal, onProgress }) => {
    let end: (outcome: ReportOutcome) => void = () => undefined;
    const ended = new Promise<ReportOutcome>((resolve) => {
      end = resolve;
    });
    const fail = (error: unknown): void => {
      const { message } = faultOf('the thread of a report ended', error);
      end({ ok: false, fault: 'internal', message });
    };
    const { database, recordingPreset, overheadPercent, onFault } = deps;
    const worker = await start({ does: 'run', database, recordingPreset, overheadPercent, task }, fail);
    worker.on('message', (message: FromRun) => {
      if (message.type === 'progress') onProgress(message.progress);
      else if (message.type === 'damaged') onFault(damageFault(message.block));
      else end(message.outcome);
    });
    const stop = (): void => inBackground('a report could not be ended', worker.terminate(), onFault);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await ended;
    } finally {
      signal.removeEventListener('abort', stop);
      await worker.terminate();
    }
  };
}

/** One thread reads all results. */
export function createAskResults(
  onFault: OnFault,
  watch?: ThreadWatch,
): { readonly ask: AskResults; close(): Promise<void> } {
  const thread = createAskedThread<ResultRequest, ResultAnswer>({
    name: 'the thread that reads reports',
    start: (onEnd) => start({ does: 'read' }, onEnd),
    onFault,
    watch,
  });
  return { ask: (request) => thread.ask(request) as Promise<never>, close: () => thread.close() };
}
