import type Database from 'better-sqlite3';
import type { CellType } from './cells.ts';
import { byName, type TableShape } from './snapshot.ts';

interface CatalogRow {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly key: number;
  readonly isSerial: number;
}

const CATALOG = `select m.name as "table", c.name as name, lower(c.type) as type, c.pk as key,
    c.pk = 1 and instr(lower(m.sql), 'autoincrement') > 0 as isSerial
  from sqlite_master m, pragma_table_info(m.name) c where m.type = 'table' and m.name not like 'sqlite\\_%' escape '\\'`;

/** In the order of names. */
export function sqliteTables(database: Database.Database): TableShape[] {
  const tables = new Map<string, CatalogRow[]>();
  for (const row of database.prepare(CATALOG).all() as CatalogRow[]) {
    const known = tables.get(row.table);
    if (known === undefined) tables.set(row.table, [row]);
    else known.push(row);
  }
  return [...tables].map(([name, rows]) => shapeOf(name, rows)).sort(byName);
}

function shapeOf(name: string, rows: readonly CatalogRow[]): TableShape {
  const key = rows.filter((row) => row.key > 0).sort((a, b) => a.key - b.key);
  return {
    name,
    columns: rows.map((row) => ({ name: row.name, type: typeOf(row.type) })).sort(byName),
    key: key.map((row) => row.name),
    serial: rows.find((row) => row.isSerial === 1)?.name,
  };
}

function typeOf(declared: string): CellType {
  if (declared.includes('int')) return 'integer';
  if (declared === 'text' || declared === 'blob') return declared;
  if (declared === 'double precision') return 'real';
  throw new Error(`a column of type ${declared} has no place in a backup`);
}
