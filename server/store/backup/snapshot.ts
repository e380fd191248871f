// A database as a backup reads it: all tables as they were in one moment.
import type { Engine } from '../migrations/migration.ts';
import type { CellType, JsonCell } from './cells.ts';

export interface ColumnShape {
  readonly name: string;
  readonly type: CellType;
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
  /** By primary key, in parts. `without`: rows of `setting` that stay out. */
  rows(table: TableShape, without?: readonly string[]): AsyncIterable<readonly (readonly JsonCell[])[]>;
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
