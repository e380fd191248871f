// Starts the threads of reports, and asks them.
import type { Worker } from 'node:worker_threads';
import type { RecordingPolicy } from '../../../shared/protocol/api/deviceRecording.ts';
import { inBackground } from '../../faults/background.ts';
import { faultOf, type OnFault } from '../../faults/onFault.ts';
import { startThread } from '../../faults/threads.ts';
import type { RunReport } from '../../reports/jobs/reportJobs.ts';
import type { ReportOutcome } from '../../reports/reportTask.ts';
import type { AskResults } from '../../reports/results/results.ts';
import type { DatabaseLocation } from '../../store/engine/database.ts';
import { compiledThread } from '../../store/engine/sqlite/sourceThread.ts';
import { damageFault } from '../../store/fleet/blocks/damagedBlocks.ts';
import type { FromRead, FromRun, ReportThreadData, ToRead } from './messages.ts';

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
    const { database, recordingPreset, onFault } = deps;
    const worker = await start({ does: 'run', database, recordingPreset, task }, fail);
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

interface Waiting {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
}

/** One thread reads all results; it is started by the first question, and again by the first after its end. */
export function createAskResults(onFault: OnFault): { readonly ask: AskResults; close(): Promise<void> } {
  const waiting = new Map<number, Waiting>();
  let running: Promise<Worker> | undefined;
  let isClosed = false;
  let lastId = 0;
  const lose = (error: unknown): void => {
    running = undefined;
    const reason = faultOf('the thread that reads reports ended', error);
    for (const { reject } of waiting.values()) reject(reason);
    waiting.clear();
    if (!isClosed) onFault(reason);
  };
  const listen = (worker: Worker): Worker =>
    worker.on('message', (message: FromRead) => {
      const asked = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.ok) asked?.resolve(message.answer as never);
      else asked?.reject(new Error(message.message));
    });
  const begin = async (): Promise<Worker> => {
    try {
      return listen(await start({ does: 'read' }, lose));
    } catch (error) {
      // The next question tries again.
      running = undefined;
      throw error;
    }
  };
  return {
    ask: async (request) => {
      if (isClosed) throw new Error('the reports are closed');
      running ??= begin();
      const worker = await running;
      return new Promise((resolve, reject) => {
        const id = ++lastId;
        waiting.set(id, { resolve, reject });
        worker.postMessage({ id, request } satisfies ToRead);
      });
    },
    close: async () => {
      isClosed = true;
      await (await running)?.terminate();
    },
  };
}
