// The second connection to the embedded database, for reading, in a thread of its own: beside the writer, which it never holds up.
import { setTimeout as delay } from 'node:timers/promises';
import type { OnFault } from '../../../faults/onFault.ts';
import type { ThreadWatch } from '../../../faults/threadWatch.ts';
import { openSqliteClient, type SessionKey, type SqliteClient, type Success } from './client.ts';
import type { Statement } from './messages.ts';

/** A statement that ends its thread each time costs one start of a thread in this time. */
export const RESTART_MS = 1_000;
/** The engine's interface for Node cannot interrupt a statement. A close does not wait for a long one: it has nothing to lose. */
const CLOSE_PATIENCE_MS = 1_000;

export interface ReadingClientOptions {
  readonly file: string;
  /** The thread ended by a fault. It is started again by the next statement. */
  readonly onFault: OnFault;
  /** Runs between two statements, when nothing is being read. Must not throw. */
  readonly betweenStatements: () => Promise<void>;
  readonly watch?: ThreadWatch | undefined;
}

/** Opens the file, which must be there. Throws when it cannot be opened. */
export async function openReadingClient(options: ReadingClientOptions): Promise<SqliteClient> {
  const client = new ReadingClient(options);
  await client.start();
  return client;
}

/**
 * Sends one statement at a time: a short one that comes before a long one is answered before it. Each statement reads a snapshot of
 * its own, so that the write-ahead log is held back by one statement at most.
 */
class ReadingClient implements SqliteClient {
  readonly #options: ReadingClientOptions;
  #client: SqliteClient | undefined;
  #startedAtMs = Number.NEGATIVE_INFINITY;
  #turn: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;

  constructor(options: ReadingClientOptions) {
    this.#options = options;
  }

  async start(): Promise<SqliteClient> {
    const { file, onFault, watch } = this.#options;
    this.#startedAtMs = performance.now();
    const lose = (error: Error): void => {
      this.#client = undefined;
      onFault(error);
    };
    const client = await openSqliteClient({ file, access: 'read' }, lose, watch);
    this.#client = client;
    return client;
  }

  run(session: SessionKey, statement: Statement): Promise<Success> {
    const answer = this.#turn.then(() => this.#runNow(session, statement));
    this.#turn = answer.catch(() => undefined);
    return answer;
  }

  async release(): Promise<void> {
    // There are no transactions that a session could leave open.
  }

  close(): Promise<void> {
    this.#closing ??= this.#finish();
    return this.#closing;
  }

  async #runNow(session: SessionKey, statement: Statement): Promise<Success> {
    this.#refuseWhenClosing();
    await this.#options.betweenStatements();
    const client = this.#client ?? (await this.#restart());
    this.#refuseWhenClosing();
    return client.run(session, statement);
  }

  #refuseWhenClosing(): void {
    if (this.#closing !== undefined) throw new Error('the database is closed');
  }

  async #restart(): Promise<SqliteClient> {
    if (performance.now() - this.#startedAtMs < RESTART_MS) {
      throw new Error('the thread that reads the database ended and is about to be started again');
    }
    return this.start();
  }

  async #finish(): Promise<void> {
    // Behind the last turn, in which a thread may be started.
    const ended = this.#turn.then(() => this.#client?.close());
    await Promise.race([ended, delay(CLOSE_PATIENCE_MS, undefined, { ref: false })]);
  }
}
