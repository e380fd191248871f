// Databases in memory, which the tests of a worker borrow one after another: to start a database thread and to run every migration
// takes longer than most tests.
import { Kysely, sql } from 'kysely';
import type { OpenDatabase, StoreDb } from '../../../server/store/engine/database.ts';
import { migrate } from '../../../server/store/engine/migrate.ts';
import { openSqliteClient, type SqliteClient } from '../../../server/store/engine/sqlite/client.ts';
import { createThreadSqliteDialect } from '../../../server/store/engine/sqlite/dialect.ts';
import { migrations } from '../../../server/store/migrations/list.ts';
import { namesOfFull, type RoleRow, rolesOf } from './contents.ts';

interface Kept {
  readonly client: SqliteClient;
  readonly db: StoreDb;
  readonly tables: readonly string[];
  /** The engine counts it up with each change of the schema. */
  readonly schemaVersion: number;
  /** The only rows that migrations write, beside the list of the migrations. */
  readonly roles: readonly RoleRow[];
}

const idle: Kept[] = [];

/** An empty one with the newest schema. To close it is to give it back. */
export async function borrowSqlite(): Promise<OpenDatabase> {
  const kept = await takeKept();
  const lent = lend(kept);
  const db: StoreDb = new Kysely({ dialect: createThreadSqliteDialect(lent) });
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= db.destroy().then(() => lent.close());
    return closing;
  };
  return { db, reading: db, engine: 'sqlite', close };
}

async function takeKept(): Promise<Kept> {
  for (let kept = idle.pop(); kept !== undefined; kept = idle.pop()) {
    if (await emptied(kept)) return kept;
    await kept.db.destroy();
  }
  return makeKept();
}

async function makeKept(): Promise<Kept> {
  const client = await openSqliteClient({ file: ':memory:', access: 'write' });
  const db: StoreDb = new Kysely({ dialect: createThreadSqliteDialect(client) });
  await migrate(db as Kysely<unknown>, 'sqlite', migrations);
  const { rows } = await sql<{ readonly name: string }>`
    select name from sqlite_master where type = 'table' and name not like 'sqlite%' and name <> 'schema_version'`.execute(
    db,
  );
  const tables = rows.map(({ name }) => name);
  return { client, db, tables, schemaVersion: await schemaVersionOf(db), roles: await rolesOf(db) };
}

async function schemaVersionOf(db: StoreDb): Promise<number> {
  const { rows } = await sql<{ readonly schema_version: number }>`pragma schema_version`.execute(db);
  return rows[0]?.schema_version ?? 0;
}

/** Makes it as it was at first. False when a test has changed its schema. */
async function emptied({ db, tables, schemaVersion, roles }: Kept): Promise<boolean> {
  const [version, full] = await Promise.all([schemaVersionOf(db), namesOfFull(db, tables)]);
  if (version !== schemaVersion) return false;
  // One message to the thread. Without foreign keys the order of the tables does not matter.
  await Promise.all([
    sql`pragma foreign_keys = off`.execute(db),
    ...full.map((table) => sql`delete from ${sql.table(table)}`.execute(db)),
    sql`delete from sqlite_sequence`.execute(db),
    db.insertInto('role').values(roles).execute(),
    sql`pragma foreign_keys = on`.execute(db),
  ]);
  return true;
}

/** Answers its borrower's statements until it is closed, and none after that: the next borrower has it by then. */
function lend(kept: Kept): SqliteClient {
  const { client } = kept;
  let isClosed = false;
  let inTransaction = false;
  return {
    async run(session, statement) {
      // What ends a transaction goes through: the next borrower's statements would wait for its end.
      if (isClosed && statement.kind !== 'rollback') throw new Error('the database is closed');
      const result = await client.run(session, statement);
      if (statement.kind === 'begin') inTransaction = true;
      if (statement.kind === 'commit' || statement.kind === 'rollback') inTransaction = false;
      return result;
    },
    release: (session) => client.release(session),
    async close() {
      if (isClosed) return;
      isClosed = true;
      if (inTransaction) await client.close();
      else idle.push(kept);
    },
  };
}
