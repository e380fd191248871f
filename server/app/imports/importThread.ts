// Has files read in a thread, and owns it. What a file does to its reader ends with the thread: its time, its memory, its faults.
import type { Worker, WorkerOptions } from 'node:worker_threads';
import { type AskedThread, createAskedThread } from '../../faults/askedThread.ts';
import { inBackground } from '../../faults/background.ts';
import type { OnFault } from '../../faults/onFault.ts';
import { startThread } from '../../faults/threads.ts';
import type { After } from '../../faults/timers.ts';
import type { FileRow } from '../../http/devices/import/readFile.ts';
import { createYielder } from '../../http/devices/import/yielder.ts';
import type { ReadFence } from '../../http/fences/import/readFence.ts';
import type { ImportReader, UnreadableFile } from '../../http/imports/importReader.ts';
import { GroupTurns } from '../../limits/groupTurns.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import { compiledThread } from '../../store/engine/sqlite/sourceThread.ts';
import type { DevicesAnswer, FencesAnswer, ImportAnswer, ImportQuestion } from './messages.ts';
import { unpackRows } from './rowPieces.ts';

/**
 * Time in which a file is read; the largest file of devices takes two seconds on a slow processor. Files are read one after another, in a
 * thread, in turn between member groups. The thread is ended, and the file is refused with 422 `file-too-complex`.
 */
export const IMPORT_TIME_LIMIT: Limit = { name: 'imports.reading-ms.file', max: 30_000 };
/** Memory of the thread that reads a file. The thread is ended, and the file is refused with 422 `file-too-complex`. */
export const IMPORT_MEMORY_LIMIT: Limit = { name: 'imports.memory-mb.file', max: 320 };
/** Heap for short-lived objects, in addition to that limit. */
const YOUNG_GENERATION_MB = 32;
/** Imports come one after another while a member corrects a file. */
const IDLE_MS = 60_000;

/** Compiled, this module and its worker are .js. */
const program = import.meta.url.endsWith('.js') ? new URL('./import.worker.js', import.meta.url) : undefined;
const source = new URL('./import.worker.ts', import.meta.url);

async function start(maxOldGenerationSizeMb: number, onEnd: (error: unknown) => void): Promise<Worker> {
  const resourceLimits = { maxOldGenerationSizeMb, maxYoungGenerationSizeMb: YOUNG_GENERATION_MB };
  const options: WorkerOptions = { resourceLimits };
  if (program !== undefined) return startThread(program, options, onEnd);
  return startThread(await compiledThread(source), { ...options, eval: true, execArgv: [] }, onEnd);
}

export interface ImportThreadDeps {
  readonly runAfter: After;
  readonly onFault: OnFault;
  readonly onLimit: OnLimit;
  /** Less, for tests. */
  readonly memoryMb?: number;
}

export interface ImportThread extends ImportReader {
  close(): Promise<void>;
}

/**
 * The thread is started by the first file, and ended when none has come for a while. Files are read one after another, in turn between
 * member groups: a file that is hard to read takes half a minute, and a group may have many of them.
 */
export function createImportThread(deps: ImportThreadDeps): ImportThread {
  const thread = new ImportsInTurn(deps);
  return {
    devices: async ({ bytes, memberGroup }, encoding) => {
      const read = (await thread.read(memberGroup, { type: 'devices', bytes, encoding })) as
        | DevicesAnswer
        | UnreadableFile;
      if ('code' in read || !read.file.ok) return 'code' in read ? read : read.file;
      return { ...read.file, rows: await unpackRows<FileRow>(read.pieces, createYielder()) };
    },
    fences: async ({ bytes, memberGroup }, reading) => {
      const read = (await thread.read(memberGroup, { type: 'fences', bytes, reading })) as
        | FencesAnswer
        | UnreadableFile;
      if ('code' in read || !read.file.ok) return 'code' in read ? read : read.file;
      return { ...read.file, fences: await unpackRows<ReadFence>(read.pieces, createYielder()) };
    },
    close: () => thread.close(),
  };
}

class ImportsInTurn {
  readonly #deps: ImportThreadDeps;
  readonly #turns = new GroupTurns(1);
  #thread: AskedThread<ImportQuestion, ImportAnswer> | undefined;
  #isClosed = false;
  #cancelIdle: () => void = () => undefined;

  constructor(deps: ImportThreadDeps) {
    this.#deps = deps;
  }

  read(memberGroup: number, question: ImportQuestion): Promise<ImportAnswer | UnreadableFile> {
    return this.#turns.run(memberGroup, () => this.#readNow(question));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelIdle();
    await this.#thread?.close();
  }

  async #readNow(question: ImportQuestion): Promise<ImportAnswer | UnreadableFile> {
    if (this.#isClosed) throw new Error('the thread of imports is closed');
    this.#cancelIdle();
    this.#thread ??= this.#create();
    let limit: Limit | undefined;
    const cancelWatch = this.#deps.runAfter(IMPORT_TIME_LIMIT.max, () => {
      limit = IMPORT_TIME_LIMIT;
      this.#endThread();
    });
    try {
      return await this.#thread.ask(question);
    } catch (error) {
      limit ??= isOutOfMemory(error) ? IMPORT_MEMORY_LIMIT : undefined;
      if (limit === undefined) throw error;
      this.#deps.onLimit(limit);
      return { ok: false, code: 'file-too-complex' };
    } finally {
      cancelWatch();
      if (!this.#isClosed) this.#cancelIdle = this.#deps.runAfter(IDLE_MS, () => this.#endThread());
    }
  }

  #create(): AskedThread<ImportQuestion, ImportAnswer> {
    return createAskedThread({
      name: 'the thread of imports',
      start: (onEnd) => start(this.#deps.memoryMb ?? IMPORT_MEMORY_LIMIT.max, onEnd),
      // A file that takes too much memory is to blame itself.
      onFault: (error) => isOutOfMemory(error) || this.#deps.onFault(error),
    });
  }

  #endThread(): void {
    const thread = this.#thread;
    this.#thread = undefined;
    if (thread !== undefined)
      inBackground('the thread of imports could not be ended', thread.close(), this.#deps.onFault);
  }
}

/** The thread's error is the cause of the error that reports its end. */
function isOutOfMemory(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
