// The embedded database in one read transaction. Statements run in the calling thread, which is one of the backup's own.
import { stat } from 'node:fs/promises';
import type Database from 'better-sqlite3';
import { type Cell, type CellType, type JsonCell, jsonOf } from './cells.ts';
import { openSqlite } from './openSqlite.ts';
import { quoted, type RowFilter, type Snapshot, type TableShape, whereClause } from './snapshot.ts';
import { sqliteTables } from './sqliteCatalog.ts';

const BUSY_TIMEOUT_MS = 5_000;
const ROWS_AT_ONCE = 1_000;

export function openSqliteSnapshot(file: string): Snapshot {
  let schemaVersion = 0;
  let tables: TableShape[] = [];
  const begin = (opened: Database.Database): void => {
    opened.pragma('query_only = ON');
    opened.exec('begin');
    // The transaction sees what is committed before its first read.
    schemaVersion = opened.prepare('select max(version) from schema_version').pluck().get() as number;
    tables = sqliteTables(opened);
  };
  const database = openSqlite(file, begin, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  return {
    engine: 'sqlite',
    schemaVersion,
    tables,
    rows: (table, kept = {}) => rowsOf(database, table, kept),
    lastSerial: async ({ name }) =>
      (database.prepare('select max(seq) from sqlite_sequence where name = ?').pluck().get(name) as number) ?? 0,
    logBytes: async () => (await stat(`${file}-wal`).catch(() => undefined))?.size ?? 0,
    close: async () => void database.close(),
  };
}

async function* rowsOf(
  database: Database.Database,
  table: TableShape,
  kept: RowFilter,
): AsyncGenerator<readonly (readonly JsonCell[])[]> {
  const columns = table.columns.map(({ name }) => quoted(name)).join();
  const order = table.key.map(quoted).join();
  const hasLarge = hasLargeIntegers(database, table);
  const statement = database
    .prepare(`select ${columns} from ${quoted(table.name)}${whereClause(kept)} order by ${order}`)
    .raw()
    .safeIntegers(hasLarge);
  // Text and integers below 2^53 are written as they are.
  const changed = [...table.columns.keys()].filter((at) => hasLarge || !isAsJson(table.columns[at]?.type));
  let part: (readonly JsonCell[])[] = [];
  for (const row of statement.iterate() as IterableIterator<Cell[]>) {
    for (const at of changed) row[at] = jsonOf(row[at] ?? null);
    part.push(row as JsonCell[]);
    if (part.length < ROWS_AT_ONCE) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}

function isAsJson(type: CellType | undefined): boolean {
  return type === 'text' || type === 'integer';
}

/** Integers as `bigint` take several times as long, and hardly any table has one that needs it. */
function hasLargeIntegers(database: Database.Database, table: TableShape): boolean {
  const integers = table.columns.filter(({ type }) => type === 'integer').map(({ name }) => quoted(name));
  if (integers.length === 0) return false;
  const isLarge = integers.map(
    (name) => `${name} not between ${Number.MIN_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}`,
  );
  const query = `select exists(select 1 from ${quoted(table.name)} where ${isLarge.join(' or ')})`;
  return database.prepare(query).pluck().get() === 1;
}
