// Rows in every table of a database, made from its schema alone: a table that a migration adds is filled too.
import Database from 'better-sqlite3';
import fc from 'fast-check';
import type { Cell } from '../../../server/store/backup/cells.ts';
import { openLoadTarget } from '../../../server/store/backup/openLoadTarget.ts';
import type { TableShape } from '../../../server/store/backup/snapshot.ts';
import type { DatabaseLocation } from '../../../server/store/engine/database.ts';
import { placeSqliteFile } from '../databases/sqliteFile.ts';
import { createTempFolder } from '../tempFolder.ts';

interface Column {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly pk: number;
}

/**
 * Adds this many rows to each table but that of the schema. Keys, what refers to them, and what must be unique are the row's
 * number, or a text with it, so that all refer to rows that are there.
 */
export async function fillTables(location: DatabaseLocation, rows: number, seed: number): Promise<void> {
  known ??= arbitrariesOfSchema();
  const arbitraries = await known;
  const target = await openLoadTarget(location, (error) => {
    throw error;
  });
  await target.begin();
  for (const table of target.tables) {
    if (table.name === 'schema_version') continue;
    await target.clear(table);
    await target.insert(table, rowsFor(table, arbitraries, rows, seed));
    await target.setSerial(table, rows + 100);
  }
  const broken = await target.commit();
  await target.close();
  if (broken !== undefined) throw new Error(`a row of ${broken} refers to nothing`);
}

type CellArbitrary = (number: number) => fc.Arbitrary<Cell>;

/** All tests of a worker have the same schema. */
let known: Promise<ReadonlyMap<string, CellArbitrary>> | undefined;

function rowsFor(
  table: TableShape,
  arbitraries: ReadonlyMap<string, CellArbitrary>,
  rows: number,
  seed: number,
): Cell[][] {
  return Array.from({ length: rows }, (_, at) => {
    const cells = table.columns.map(({ name }) => {
      const arbitrary = arbitraries.get(`${table.name}.${name}`);
      if (arbitrary === undefined) throw new Error(`nothing is known of ${table.name}.${name}`);
      return arbitrary(at + 1);
    });
    return fc.sample(fc.tuple(...cells), { numRuns: 1, seed: seed + at })[0] as Cell[];
  });
}

/** Both engines have the same schema; the embedded one gives more of it in few words. */
async function arbitrariesOfSchema(): Promise<ReadonlyMap<string, CellArbitrary>> {
  const folder = await createTempFolder();
  const file = `${folder.path}/schema.db`;
  await placeSqliteFile(file);
  const database = new Database(file, { readonly: true });
  const found = new Map<string, CellArbitrary>();
  for (const name of database
    .prepare(`select name from sqlite_master where type = 'table'`)
    .pluck()
    .all() as string[]) {
    const keys = keyColumns(database, name);
    for (const column of database.pragma(`table_info('${name}')`) as Column[]) {
      found.set(`${name}.${column.name}`, arbitraryOf(column, column.pk > 0 || keys.has(column.name)));
    }
  }
  database.close();
  await folder.remove();
  return found;
}

function keyColumns(database: Database.Database, table: string): ReadonlySet<string> {
  const foreign = database.pragma(`foreign_key_list('${table}')`) as { readonly from: string }[];
  const indexes = database.pragma(`index_list('${table}')`) as { readonly name: string; readonly unique: number }[];
  const unique = indexes.filter((index) => index.unique === 1);
  const columns = unique.flatMap(
    (index) => database.pragma(`index_info('${index.name}')`) as { readonly name: string | null }[],
  );
  return new Set([...foreign.map(({ from }) => from), ...columns.flatMap(({ name }) => name ?? [])]);
}

/** A store writes no text that PostgreSQL cannot hold. */
const text = fc.string({ unit: 'binary', maxLength: 20 }).map((value) => value.replaceAll('\0', ''));
const EDGES = [2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n, -(2n ** 53n), 2n ** 53n + 1n];
const large = fc.oneof(fc.maxSafeInteger(), fc.constantFrom<(number | bigint)[]>(...EDGES, 0, -1));

function arbitraryOf({ type, notnull, pk }: Column, isKey: boolean): CellArbitrary {
  const declared = type.toLowerCase();
  if (isKey) {
    const key = (number: number) => (declared === 'text' ? `key ${number} ß` : number);
    return (number) => fc.constant(notnull === 0 && pk === 0 && number % 2 === 0 ? null : key(number));
  }
  const value = anyOf(declared);
  const arbitrary = notnull === 1 ? value : fc.option(value, { nil: null });
  return () => arbitrary;
}

function anyOf(declared: string): fc.Arbitrary<Cell> {
  if (declared === 'bigint') return large;
  if (declared.includes('int')) return fc.integer();
  if (declared === 'text') return text;
  if (declared === 'blob') return fc.uint8Array({ maxLength: 200 });
  // Zero has one form in the archive.
  return fc.double({ noNaN: true }).map((value) => (Object.is(value, -0) ? 0 : value));
}
