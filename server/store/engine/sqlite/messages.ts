// What the gateway's main thread and the database thread say to one another.

/**
 * `plain` statements stand alone or belong to the transaction that is open; `begin`, `commit` and `rollback` open and end one;
 * `checkpoint` moves the write-ahead log into the file, outside of transactions. The client sends at most one that is not plain
 * a message, as its last statement, so that it knows whose transaction is open.
 */
export type StatementKind = 'plain' | 'begin' | 'commit' | 'rollback' | 'checkpoint';

export interface Statement {
  readonly kind: StatementKind;
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** Sent once, when the database is open or cannot be opened. */
type OpenReport =
  | { readonly type: 'open' }
  | { readonly type: 'unusable'; readonly message: string; readonly code: string };

/** After `close` the thread has closed its file and ends by itself. */
export type ToDatabase =
  | { readonly type: 'run'; readonly statements: readonly Statement[] }
  | { readonly type: 'close' };

export type StatementResult =
  | {
      readonly ok: true;
      readonly rows: readonly unknown[];
      readonly changes: number | undefined;
      readonly insertId: number | bigint | undefined;
    }
  | { readonly ok: false; readonly message: string; readonly code: string };

interface BatchReport {
  readonly type: 'results';
  /** One for each statement of the message, in its order. */
  readonly results: readonly StatementResult[];
}

export type FromDatabase = OpenReport | BatchReport;

export interface DatabaseWorkerData {
  readonly file: string;
  /** `read`: the file is there, with its schema, and statements that write fail. */
  readonly access: 'write' | 'read';
}
