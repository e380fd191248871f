// Runs one message's statements on the embedded database. Part of the database thread, apart from it for the tests.
import type Database from 'better-sqlite3';
import { COLUMNS_MARK } from './columnsMark.ts';
import type { Statement, StatementResult } from './messages.ts';
import { createReadColumns } from './readColumns.ts';

const MAX_PREPARED = 300;
const ROLLED_BACK = 'the engine rolled the transaction back';
const DONE: StatementResult = { ok: true, rows: [], changes: undefined, insertId: undefined };

export interface BatchRunner {
  run(statements: readonly Statement[]): StatementResult[];
}

export function createBatchRunner(database: Database.Database): BatchRunner {
  const prepared = new Map<string, Database.Statement>();
  const readColumns = createReadColumns(database);
  /** A session has begun a transaction and not ended it; the engine may have, when the disk was full. */
  let begun = false;

  function prepare(sql: string): Database.Statement {
    const known = prepared.get(sql);
    if (known !== undefined) return known;
    const statement = database.prepare(sql);
    const oldest = prepared.size >= MAX_PREPARED ? prepared.keys().next().value : undefined;
    if (oldest !== undefined) prepared.delete(oldest);
    prepared.set(sql, statement);
    return statement;
  }

  function execute(statement: Statement): StatementResult {
    try {
      if (statement.sql.startsWith(COLUMNS_MARK)) {
        const rows = [readColumns(statement.sql, statement.parameters)];
        return { ok: true, rows, changes: undefined, insertId: undefined };
      }
      return runPrepared(prepare(statement.sql), statement.parameters);
    } catch (error) {
      return failure(error);
    }
  }

  /** One sync of the log for all of them instead of one each: a failed statement undoes itself alone. */
  function executeTogether(statements: readonly Statement[]): StatementResult[] {
    database.exec('begin immediate');
    try {
      const results = statements.map((statement) => {
        const result = execute(statement);
        // A full disk or an I/O error ends the whole transaction: what looked done before it is not, and what comes
        // after it would be done outside.
        if (!database.inTransaction) throw new Error(ROLLED_BACK);
        return result;
      });
      database.exec('commit');
      return results;
    } catch (error) {
      if (database.inTransaction) database.exec('rollback');
      return statements.map(() => failure(error));
    }
  }

  function executeInside(statement: Statement): StatementResult {
    // Outside it would be kept, although the caller will be told that the transaction failed.
    return database.inTransaction ? execute(statement) : failure(new Error(ROLLED_BACK));
  }

  function runControl(statement: Statement): StatementResult {
    switch (statement.kind) {
      case 'begin': {
        const result = execute(statement);
        begun = result.ok;
        return result;
      }
      case 'commit': {
        const result = executeInside(statement);
        begun = !result.ok;
        return result;
      }
      case 'rollback':
        begun = false;
        return database.inTransaction ? execute(statement) : DONE;
      case 'plain':
        return execute(statement);
      case 'checkpoint':
        return withoutWaiting(database, () => execute(statement));
    }
  }

  function run(statements: readonly Statement[]): StatementResult[] {
    const end = statements.findIndex((statement) => statement.kind !== 'plain');
    const plain = end < 0 ? statements : statements.slice(0, end);
    const rest = end < 0 ? [] : statements.slice(end);
    return [...runPlain(plain), ...rest.map(runControl)];
  }

  function runPlain(statements: readonly Statement[]): StatementResult[] {
    if (begun) return statements.map(executeInside);
    if (!worthGrouping(statements)) return statements.map(execute);
    try {
      return executeTogether(statements);
    } catch (error) {
      return statements.map(() => failure(error)); // another process holds the file past the busy time-out
    }
  }

  return { run };
}

/** Not for other readers of the file either, such as a program that copies it: every write would wait as well. */
function withoutWaiting<Result>(database: Database.Database, run: () => Result): Result {
  const timeoutMs = database.pragma('busy_timeout', { simple: true });
  database.pragma('busy_timeout = 0');
  const result = run();
  database.pragma(`busy_timeout = ${timeoutMs}`);
  return result;
}

function worthGrouping(statements: readonly Statement[]): boolean {
  const writes = statements.filter((statement) => /^\s*(?:insert|update|delete)\b/i.test(statement.sql)).length;
  // The engine refuses these inside a transaction, or ignores them there.
  return writes > 1 && !statements.some((statement) => /^\s*(?:pragma|vacuum|attach|detach)\b/i.test(statement.sql));
}

function runPrepared(statement: Database.Statement, parameters: readonly unknown[]): StatementResult {
  if (statement.reader) {
    return { ok: true, rows: statement.all(...parameters), changes: undefined, insertId: undefined };
  }
  const { changes, lastInsertRowid } = statement.run(...parameters);
  return { ok: true, rows: [], changes, insertId: lastInsertRowid };
}

function failure(error: unknown): StatementResult {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'UNKNOWN';
  return { ok: false, message: error instanceof Error ? error.message : String(error), code };
}
