// A database as a backup reads it: all tables as they were in one moment.
import type { Engine } from '../migrations/migration.ts';
import type { CellType, JsonCell } from './cells.ts';

interface ColumnShape {
  readonly name: string;
  readonly type: CellType;
}

/** Rows that a backup holds of a table. */
export interface RowFilter {
  /** Rows whose column `name` is one of these stay out. They are names of ours. */
  readonly withoutNames?: readonly string[];
  /** Rows in which this column is not null stay out. */
  readonly nullIn?: string;
}

export interface TableShape {
  readonly name: string;
  /** By name: engines and migrations add them in different orders. */
  readonly columns: readonly ColumnShape[];
  /** The primary key, in its order. */
  readonly key: readonly string[];
  /** The column whose values the engine counts up. */
  readonly serial: string | undefined;
}

export interface Snapshot {
  readonly engine: Engine;
  readonly schemaVersion: number;
  readonly tables: readonly TableShape[];
  /** By primary key, in parts. */
  rows(table: TableShape, kept?: RowFilter): AsyncIterable<readonly (readonly JsonCell[])[]>;
  /** The last value that the engine has given, so that a restored one gives none twice; 0: none yet. */
  lastSerial(table: TableShape): Promise<number>;
  /** Bytes of the write-ahead log, which cannot begin anew while the snapshot is held. 0 on PostgreSQL. */
  logBytes(): Promise<number>;
  close(): Promise<void>;
}

export function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  if (a.name === b.name) return 0;
  return a.name < b.name ? -1 : 1;
}

/** For the few names that come from the schema itself. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** With the leading space; empty for all rows. */
export function whereClause({ withoutNames = [], nullIn }: RowFilter): string {
  const names = withoutNames.map((name) => `'${name.replaceAll("'", "''")}'`);
  const conditions = [
    ...(names.length === 0 ? [] : [`name not in (${names.join()})`]),
    ...(nullIn === undefined ? [] : [`${quoted(nullIn)} is null`]),
  ];
  return conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`;
}
