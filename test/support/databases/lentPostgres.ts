// Databases on the run's PostgreSQL, which the tests of a worker borrow one after another: to make one and to run every migration
// takes longer than most tests.
import { isDeepStrictEqual } from 'node:util';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { openDatabase, type StoreDb } from '../../../server/store/engine/database.ts';
import { createPostgresDatabase, type PostgresDatabase } from '../postgres/postgres.ts';
import { namesOfFull, type RoleRow, rolesOf } from './contents.ts';

interface Kept {
  readonly database: PostgresDatabase;
  /** One connection, which the lender alone uses. */
  readonly db: StoreDb;
  readonly tables: readonly string[];
  readonly shape: string;
  /** The only rows that migrations write, beside the list of the migrations. */
  readonly roles: readonly RoleRow[];
}

const idle: Kept[] = [];

/** An empty one with the newest schema. To close it is to give it back, whoever is still connected. */
export async function borrowPostgres(): Promise<PostgresDatabase> {
  const kept = await takeKept();
  let isClosed = false;
  return {
    url: kept.database.url,
    async close() {
      if (isClosed) return;
      isClosed = true;
      idle.push(kept);
    },
  };
}

async function takeKept(): Promise<Kept> {
  for (let kept = idle.pop(); kept !== undefined; kept = idle.pop()) {
    if (await emptied(kept)) return kept;
    await kept.db.destroy();
    await kept.database.close();
  }
  return makeKept();
}

async function makeKept(): Promise<Kept> {
  const database = await createPostgresDatabase();
  await (await openDatabase({ engine: 'postgres', url: database.url })).close();
  const pool = new pg.Pool({ connectionString: database.url, max: 1 });
  // The server may end a connection that nobody uses: the next statement opens another.
  pool.on('error', () => undefined);
  const db: StoreDb = new Kysely({ dialect: new PostgresDialect({ pool }) });
  const { rows } = await sql<{ readonly name: string }>`select tablename as name from pg_tables
    where schemaname = 'public' and tablename not in ('schema_version', 'role')`.execute(db);
  const tables = rows.map(({ name }) => name);
  return { database, db, tables, shape: await shapeOf(db), roles: await rolesOf(db) };
}

/** It is another after most changes of the schema. */
async function shapeOf(db: StoreDb): Promise<string> {
  const { rows } = await sql<{ readonly shape: string }>`select concat_ws(' ',
    (select count(*) from pg_class), (select count(*) from pg_trigger), (select count(*) from pg_proc),
    (select count(*) from pg_constraint), (select count(*) from pg_attribute where not attisdropped),
    (select string_agg(unnest, ',') from pg_db_role_setting, unnest(setconfig)
      where setdatabase = (select oid from pg_database where datname = current_database()))) as shape`.execute(db);
  return rows[0]?.shape ?? '';
}

/** Makes it as it was at first. False when a test has changed its schema. */
async function emptied({ db, tables, shape, roles }: Kept): Promise<boolean> {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(db);
  if ((await shapeOf(db)) !== shape) return false;
  const full = (await namesOfFull(db, tables)).map((table) => sql.table(table));
  if (full.length > 0) await sql`truncate ${sql.join(full)} restart identity cascade`.execute(db);
  // Tables that are empty again have given numbers too.
  await sql`select setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
    from pg_sequences where last_value is not null`.execute(db);
  await restoreRoles(db, roles);
  return true;
}

async function restoreRoles(db: StoreDb, roles: readonly RoleRow[]): Promise<void> {
  // Emptying their table would empty every table that has to do with users, which takes as long as all the rest.
  if (!isDeepStrictEqual(await rolesOf(db), roles)) {
    await db.deleteFrom('role').execute();
    await db.insertInto('role').values(roles).execute();
  }
  await sql`select setval(pg_get_serial_sequence('role', 'id'), (select max(id) from role))`.execute(db);
}
