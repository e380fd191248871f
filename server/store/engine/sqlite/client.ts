// The main thread's side of the database thread: queues statements, sends them in batches, one batch at a time.
import type { Worker } from 'node:worker_threads';
import { faultOf, type OnFault } from '../../../faults/onFault.ts';
import { startThread } from '../../../faults/threads.ts';
import { type ThreadWatch, UNWATCHED } from '../../../faults/threadWatch.ts';
import { runSoon } from '../../../faults/timers.ts';
import type { DatabaseWorkerData, FromDatabase, Statement, StatementResult, ToDatabase } from './messages.ts';
import { sourceThread } from './sourceThread.ts';

/** Keeps one slow batch from holding up everything that was queued behind it. */
const MAX_BATCH = 500;

/** The engine refused a statement. `code` is the engine's own, such as SQLITE_CONSTRAINT_UNIQUE. */
export class SqliteError extends Error {
  override readonly name = 'SqliteError';
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/** Who sends statements. While one has a transaction open, the statements of the others wait. */
export type SessionKey = object;

export type Success = Extract<StatementResult, { ok: true }>;

export interface SqliteClient {
  run(session: SessionKey, statement: Statement): Promise<Success>;
  /** Ends a transaction that its session left open. */
  release(session: SessionKey): Promise<void>;
  close(): Promise<void>;
}

interface Job {
  readonly session: SessionKey;
  readonly statement: Statement;
  readonly resolve: (result: Success) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Starts a database thread and waits until the file is open. Throws when it cannot be. `onLost` is told when the thread
 * ends by itself: no statement is answered from then on.
 */
export async function openSqliteClient(
  workerData: DatabaseWorkerData,
  onLost: OnFault = () => undefined,
  watch: ThreadWatch = UNWATCHED,
): Promise<SqliteClient> {
  const { file } = workerData;
  const program = compiledThread ?? (await sourceThread());
  let onEnd = (_error: unknown): void => undefined;
  const worker = startWorker(program, workerData, (error) => onEnd(error));
  await new Promise<void>((resolve, reject) => {
    onEnd = (cause) => reject(new Error(`${file}: the database thread ended at its start`, { cause }));
    worker.once('message', (report: FromDatabase) => {
      if (report.type === 'unusable') reject(new SqliteError(`${file}: ${report.message}`, report.code));
      else resolve();
    });
  });
  const client = new ThreadClient(worker, onLost, watch);
  onEnd = (error) => client.threadEnded(error);
  return client;
}

/** Compiled, this module and its worker are .js. */
const compiledThread = import.meta.url.endsWith('.js') ? new URL('./sqlite.worker.js', import.meta.url) : undefined;

/** What a batch allocates is over with it: with a larger young generation the thread only holds more of what nobody uses. */
const YOUNG_GENERATION_MB = 12;

function startWorker(program: URL | string, workerData: DatabaseWorkerData, onEnd: (error: unknown) => void): Worker {
  const options = { workerData, resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB } };
  return startThread(program, typeof program === 'string' ? { ...options, eval: true, execArgv: [] } : options, onEnd);
}

class ThreadClient implements SqliteClient {
  readonly #worker: Worker;
  readonly #queue: Job[] = [];
  #inFlight: readonly Job[] = [];
  #owner: SessionKey | undefined;
  #lost: Error | undefined;
  #closing: Promise<void> | undefined;
  #scheduled = false;
  readonly #onLost: OnFault;
  readonly #watch: ThreadWatch;
  #endBatch: () => void = () => undefined;
  #settleEnd: () => void = () => undefined;
  #isAskedToEnd = false;

  constructor(worker: Worker, onLost: OnFault, watch: ThreadWatch) {
    this.#worker = worker;
    this.#onLost = onLost;
    this.#watch = watch;
    worker.on('message', (report: FromDatabase) => {
      if (report.type === 'results') this.#settle(report.results);
    });
  }

  /** After `close`, or by a fault. */
  threadEnded(error: unknown): void {
    const isExpected = this.#isAskedToEnd && error === undefined;
    const reason = isExpected ? new Error('the database is closed') : faultOf('the database thread ended', error);
    this.#lose(reason);
    this.#settleEnd();
    if (!isExpected) this.#onLost(reason);
  }

  run(session: SessionKey, statement: Statement): Promise<Success> {
    if (this.#closing !== undefined) return Promise.reject(new Error('the database is closed'));
    return this.#enqueue(session, statement);
  }

  async release(session: SessionKey): Promise<void> {
    if (this.#owner === session) await this.#enqueue(session, { kind: 'rollback', sql: 'rollback', parameters: [] });
  }

  close(): Promise<void> {
    this.#closing ??= this.#finish();
    return this.#closing;
  }

  async #finish(): Promise<void> {
    if (this.#lost !== undefined) return;
    const ended = new Promise<void>((resolve) => {
      this.#settleEnd = resolve;
    });
    await this.#drained();
    this.#isAskedToEnd = true;
    this.#worker.postMessage({ type: 'close' } satisfies ToDatabase);
    await ended;
  }

  /** Settles once what was asked before is answered; a transaction that nobody ends is not waited for. */
  async #drained(): Promise<void> {
    if (this.#lost !== undefined || this.#owner !== undefined) return;
    await this.#enqueue({}, { kind: 'plain', sql: 'select 1', parameters: [] }).catch(() => undefined);
  }

  #enqueue(session: SessionKey, statement: Statement): Promise<Success> {
    if (this.#lost !== undefined) return Promise.reject(this.#lost);
    return new Promise((resolve, reject) => {
      this.#queue.push({ session, statement, resolve, reject });
      this.#schedule();
    });
  }

  // Waits for the end of the current task, so that what one task asks for travels together.
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    const send = (): void => {
      this.#scheduled = false;
      this.#send();
    };
    runSoon(send, (error) => this.#refuse(error));
  }

  #send(): void {
    if (this.#inFlight.length > 0 || this.#lost !== undefined) return;
    const batch = takeBatch(this.#queue, this.#owner);
    if (batch.length === 0) return;
    this.#inFlight = batch;
    this.#worker.postMessage({ type: 'run', statements: batch.map((job) => job.statement) } satisfies ToDatabase);
    this.#endBatch = this.#watch.begin();
  }

  #settle(results: readonly StatementResult[]): void {
    this.#endBatch();
    const jobs = this.#inFlight;
    this.#inFlight = [];
    for (const [index, job] of jobs.entries()) {
      const result = results[index];
      if (result === undefined) job.reject(new Error('the database thread left a statement unanswered'));
      else if (result.ok) job.resolve(result);
      else job.reject(new SqliteError(result.message, result.code));
    }
    const last = jobs.at(-1);
    if (last !== undefined) this.#owner = nextOwner(this.#owner, last, results.at(-1)?.ok === true);
    this.#send();
  }

  /** The batch could not be sent, such as for a parameter that cannot be copied to another thread. */
  #refuse(error: Error): void {
    for (const job of this.#inFlight) job.reject(error);
    this.#inFlight = [];
    this.#schedule();
  }

  #lose(error: Error): void {
    this.#lost ??= error;
    this.#endBatch();
    for (const job of [...this.#inFlight, ...this.#queue]) job.reject(this.#lost);
    this.#inFlight = [];
    this.#queue.length = 0;
  }
}

/** Takes what may be sent now out of the queue: up to and with the first statement that opens or ends a transaction. */
function takeBatch<T extends { readonly session: SessionKey; readonly statement: Statement }>(
  queue: T[],
  owner: SessionKey | undefined,
): T[] {
  const batch: T[] = [];
  let index = 0;
  while (index < queue.length && batch.length < MAX_BATCH) {
    const job = queue[index];
    if (job === undefined || (owner !== undefined && job.session !== owner)) {
      index += 1;
      continue;
    }
    queue.splice(index, 1);
    batch.push(job);
    if (job.statement.kind !== 'plain') break;
  }
  return batch;
}

/** Whose transaction is open after `last`. A commit that failed leaves it open: its session rolls back next. */
function nextOwner(owner: SessionKey | undefined, last: Job, ok: boolean): SessionKey | undefined {
  switch (last.statement.kind) {
    case 'plain':
    case 'checkpoint':
      return owner;
    case 'begin':
      return ok ? last.session : owner;
    case 'commit':
      return ok ? undefined : owner;
    case 'rollback':
      return undefined;
  }
}
