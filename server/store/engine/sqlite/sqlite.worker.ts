// A database thread: owns one connection to the embedded database. Knows SQL text, knows nothing of tables.
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import type { DatabaseWorkerData, FromDatabase, ToDatabase } from './messages.ts';
import { createBatchRunner } from './runBatch.ts';

const BUSY_TIMEOUT_MS = 5_000;

function open({ file, access }: DatabaseWorkerData): Database.Database {
  switch (access) {
    case 'write':
      return openForWriting(file);
    case 'read':
      return openForReading(file);
  }
}

function openForReading(file: string): Database.Database {
  const database = new Database(file, { readonly: true, timeout: BUSY_TIMEOUT_MS });
  database.pragma('query_only = ON');
  return database;
}

function openForWriting(file: string): Database.Database {
  const database = new Database(file, { timeout: BUSY_TIMEOUT_MS });
  database.pragma('journal_mode = WAL');
  // A commit is on the disk when it is answered: an account or a revoked link must survive a pulled plug. Statements
  // of one message share a commit, so that this costs one sync a message.
  database.pragma('synchronous = FULL');
  database.pragma('foreign_keys = ON');
  return database;
}

function serve(): void {
  const port = parentPort;
  if (port === null) throw new Error('the database thread was started as a program');
  const tell = (message: FromDatabase): void => port.postMessage(message);
  try {
    const database = open(workerData as DatabaseWorkerData);
    const runner = createBatchRunner(database);
    port.on('message', (message: ToDatabase) => {
      if (message.type === 'run') return tell({ type: 'results', results: runner.run(message.statements) });
      database.close();
      port.close();
    });
    tell({ type: 'open' });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'UNKNOWN';
    tell({ type: 'unusable', message: error instanceof Error ? error.message : String(error), code });
  }
}

serve();
