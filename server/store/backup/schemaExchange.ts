// On PostgreSQL a restored database is a schema beside the present one. Its tables change places with the present ones in one
// transaction: the schema itself stays, since it may belong to another user and hold what isn't ours.
import type { OnFault } from '../../faults/onFault.ts';
import type { DatabaseLocation } from '../engine/database.ts';
import { withServerOptions } from '../engine/postgres/serverOptions.ts';
import type { AskPostgres } from './postgresCatalog.ts';
import { connectForBackup } from './postgresClient.ts';
import { RESTORE_MARK } from './restoreMark.ts';
import { quoted } from './snapshot.ts';
import { partOf } from './tableParts.ts';

export interface RestoreSchemas {
  /** Holds the new tables before the exchange. */
  readonly fresh: string;
  /** Holds the old ones after it. */
  readonly old: string;
}

/** `id`: of the restore, digits and letters. */
export function restoreSchemas(id: string): RestoreSchemas {
  return { fresh: `fleetglass_new_${id}`, old: `fleetglass_old_${id}` };
}

/** Any number that no other program on the same PostgreSQL uses for its advisory locks. */
const EXCHANGE_LOCK = 0x666c_6772;
/** How long the exchange waits for somebody else who looks at a table. */
const LOCK_TIMEOUT = '30s';

export function inSchema(url: string, schema: string): DatabaseLocation {
  return { engine: 'postgres', url: withServerOptions(url, `-c search_path=${schema}`) };
}

export async function createSchema(url: string, schema: string, onFault: OnFault): Promise<void> {
  await asking(url, onFault, (ask) => ask(`create schema ${quoted(schema)}`));
}

/** With all that is in them. Those that are not there are fine. */
export async function dropSchemas(url: string, schemas: RestoreSchemas, onFault: OnFault): Promise<void> {
  await asking(url, onFault, async (ask) => {
    for (const schema of [schemas.fresh, schemas.old]) await ask(`drop schema if exists ${quoted(schema)} cascade`);
  });
}

/** Whether the present tables are those of this restore. */
export async function isExchanged(url: string, id: string, onFault: OnFault): Promise<boolean> {
  // The server may still be at the commit of a process that has been killed.
  return inTransaction(url, onFault, (ask) => isMarked(ask, id));
}

/** Nothing where it has been done before. */
export async function exchangeTables(url: string, id: string, onFault: OnFault): Promise<void> {
  const { fresh, old } = restoreSchemas(id);
  await inTransaction(url, onFault, async (ask) => {
    if (await isMarked(ask, id)) return;
    await ask(`create schema ${quoted(old)}`);
    await moveTables(ask, { from: await currentSchema(ask), to: old });
    await moveTables(ask, { from: fresh, to: await currentSchema(ask) });
  });
}

/** Nothing where the old tables are the present ones. */
export async function exchangeTablesBack(url: string, id: string, onFault: OnFault): Promise<void> {
  const { fresh, old } = restoreSchemas(id);
  await inTransaction(url, onFault, async (ask) => {
    if (!(await isMarked(ask, id))) return;
    await moveTables(ask, { from: await currentSchema(ask), to: fresh });
    await moveTables(ask, { from: old, to: await currentSchema(ask) });
    await ask(`drop schema ${quoted(old)}`);
  });
}

async function isMarked(ask: AskPostgres, id: string): Promise<boolean> {
  const [[table] = []] = await ask(`select to_regclass('setting')::text`);
  if (table === null || table === undefined) return false;
  const [[found] = []] = await ask('select value from setting where name = $1', [RESTORE_MARK]);
  return found === id;
}

async function currentSchema(ask: AskPostgres): Promise<string> {
  const [[schema] = []] = await ask('select current_schema()');
  if (schema === null || schema === undefined) throw new Error('the connection has no schema');
  return schema;
}

/** With what belongs to them: indexes, sequences, and the months of events, each of which is a table. Others' tables stay. */
async function moveTables(ask: AskPostgres, { from, to }: { readonly from: string; readonly to: string }) {
  const rows = await ask(
    `select c.relname, c.relispartition from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = $1 and c.relkind in ('r', 'p') order by c.relname`,
    [from],
  );
  for (const [name, isPartition] of rows) {
    if (name === null || name === undefined) continue;
    if (isPartition !== 't' && partOf(name) === undefined) continue;
    await ask(`alter table ${quoted(from)}.${quoted(name)} set schema ${quoted(to)}`);
  }
}

/** One at a time. */
async function inTransaction<Result>(
  url: string,
  onFault: OnFault,
  work: (ask: AskPostgres) => Promise<Result>,
): Promise<Result> {
  return asking(url, onFault, async (ask) => {
    await ask('begin');
    await ask(`set local lock_timeout = '${LOCK_TIMEOUT}'`);
    await ask(`select pg_advisory_xact_lock(${EXCHANGE_LOCK})`);
    const result = await work(ask);
    await ask('commit');
    return result;
  });
}

/** What it has not committed ends with the connection. */
async function asking<Result>(
  url: string,
  onFault: OnFault,
  use: (ask: AskPostgres) => Promise<Result>,
): Promise<Result> {
  const { ask, close } = await connectForBackup(url, onFault);
  try {
    return await use(ask);
  } finally {
    await close();
  }
}
