// Kysely's dialect for the embedded database that runs in a thread of its own.
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { SqliteClient } from './client.ts';
import type { StatementKind } from './messages.ts';

/** The client is the caller's until the dialect's Kysely is destroyed, which closes it. */
export function createThreadSqliteDialect(client: SqliteClient): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new ThreadDriver(client),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/**
 * Hands out connections without limit: they are names, not handles. The client keeps one session's transaction apart
 * from the others' statements, so that plain statements never wait for one another here and can share a batch.
 */
class ThreadDriver implements Driver {
  readonly #client: SqliteClient;

  constructor(client: SqliteClient) {
    this.#client = client;
  }

  async init(): Promise<void> {
    // The client was opened before the dialect was made.
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return new ThreadConnection(this.#client);
  }

  // `immediate` takes the write lock at once: a transaction that reads first and writes later could otherwise find it
  // taken by another process when it is too late to wait.
  beginTransaction(connection: DatabaseConnection): Promise<void> {
    return this.#control(connection, 'begin', 'begin immediate');
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return this.#control(connection, 'commit', 'commit');
  }

  rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    return this.#control(connection, 'rollback', 'rollback');
  }

  async savepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(`savepoint "${name}"`));
  }

  async rollbackToSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(`rollback to "${name}"`));
  }

  async releaseSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(`release "${name}"`));
  }

  releaseConnection(connection: DatabaseConnection): Promise<void> {
    return this.#client.release(connection);
  }

  destroy(): Promise<void> {
    return this.#client.close();
  }

  async #control(session: DatabaseConnection, kind: StatementKind, sql: string): Promise<void> {
    await this.#client.run(session, { kind, sql, parameters: [] });
  }
}

class ThreadConnection implements DatabaseConnection {
  readonly #client: SqliteClient;

  constructor(client: SqliteClient) {
    this.#client = client;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { sql, parameters } = query;
    const { rows, changes, insertId } = await this.#client.run(this, { kind: 'plain', sql, parameters });
    return {
      rows: rows as R[],
      ...(changes === undefined ? {} : { numAffectedRows: BigInt(changes) }),
      ...(insertId === undefined ? {} : { insertId: BigInt(insertId) }),
    };
  }

  /** The whole answer as one chunk: rows cross the threads as a message, so there is no cursor to keep. */
  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query);
  }
}
