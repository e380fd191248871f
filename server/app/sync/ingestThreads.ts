// Starts a thread for each file that is read, and takes from it what can be written.
import type { Worker, WorkerOptions } from 'node:worker_threads';
import { inBackground } from '../../faults/background.ts';
import { faultOf, type OnFault } from '../../faults/onFault.ts';
import { startThread } from '../../faults/threads.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import { compiledThread } from '../../store/engine/sqlite/sourceThread.ts';
import type { ReadRecording, ReadRequest } from '../../sync/readers/readRecording.ts';
import type { FromIngestThread, IngestThreadData, ToIngestThread } from './ingestMessages.ts';

/**
 * Time in which the thread that reads a file gives nothing: it is stuck in what it reads. The thread is ended, and what it gave is kept.
 */
export const READER_SILENCE_LIMIT: Limit = { name: 'sync.reader-silence-ms.file', max: 60_000 };
/** Tables of a file that lie make the thread end, and not the process. */
const RESOURCES = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 } as const;

/** Compiled, this module and its worker are .js. */
const program = import.meta.url.endsWith('.js') ? new URL('./ingest.worker.js', import.meta.url) : undefined;
const source = new URL('./ingest.worker.ts', import.meta.url);

export interface ReadRecordingDeps {
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onFault: OnFault;
  readonly onLimit?: OnLimit | undefined;
}

/** Each file has a thread, which ends with it: nothing that a file does can outlast it. */
export function createReadRecording(deps: ReadRecordingDeps): ReadRecording {
  return async (request) => {
    if (request.signal.aborted) return;
    await new ThreadReading(request, deps).run();
  };
}

async function start(workerData: IngestThreadData, onEnd: (error: unknown) => void): Promise<Worker> {
  const options: WorkerOptions = { workerData, resourceLimits: RESOURCES };
  if (program !== undefined) return startThread(program, options, onEnd);
  return startThread(await compiledThread(source), { ...options, eval: true, execArgv: [] }, onEnd);
}

class ThreadReading {
  readonly #request: ReadRequest;
  readonly #deps: ReadRecordingDeps;
  readonly #ended: Promise<void>;
  #resolve: () => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;
  #cancelWatch: () => void = () => undefined;
  /** Packets are being written: the thread waits for us. */
  #writing: Promise<void> | undefined;

  constructor(request: ReadRequest, deps: ReadRecordingDeps) {
    this.#request = request;
    this.#deps = deps;
    this.#ended = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  async run(): Promise<void> {
    const { path, hints, signal } = this.#request;
    const worker = await start({ path, hints }, (error) => this.#threadEnded(error));
    worker.on('message', (message: FromIngestThread) => {
      if (message.type === 'done') this.#resolve();
      else this.#writing = this.#write(worker, message);
    });
    const stop = (): void => this.#resolve();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    this.#watch();
    try {
      await this.#ended;
      await this.#writing;
    } finally {
      this.#cancelWatch();
      signal.removeEventListener('abort', stop);
      inBackground('a thread that reads recordings could not be ended', worker.terminate(), this.#deps.onFault);
    }
  }

  async #write(worker: Worker, { packets }: FromIngestThread & { readonly type: 'packets' }): Promise<void> {
    this.#cancelWatch();
    try {
      const wantsMore = await this.#request.take(packets);
      if (this.#request.signal.aborted) return;
      const answer: ToIngestThread = { wantsMore };
      worker.postMessage(answer);
      this.#watch();
    } catch (error) {
      this.#reject(error);
    }
  }

  #watch(): void {
    this.#cancelWatch = this.#deps.runAfter(READER_SILENCE_LIMIT.max, () => {
      this.#deps.onLimit?.(READER_SILENCE_LIMIT);
      this.#resolve();
    });
  }

  /** A file that takes too much memory is to blame itself; anything else is a fault of ours. */
  #threadEnded(error: unknown): void {
    if (error === undefined) {
      this.#resolve();
      return;
    }
    const fault = faultOf('the thread that reads a recording of a device ended', error);
    if (!isOutOfMemory(error)) {
      this.#reject(fault);
      return;
    }
    this.#deps.onFault(fault);
    this.#resolve();
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
