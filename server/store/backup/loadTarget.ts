// An empty database that the rows of a backup are written to. Nobody else uses it meanwhile.
import type { Cell } from './cells.ts';
import type { TableShape } from './snapshot.ts';

/** The state of the database if not everything is committed. One that is discarded needs neither a journal nor disk space for it. */
export type AfterFailure = 'as before' | 'discarded';

export interface LoadTarget {
  readonly tables: readonly TableShape[];
  /** Everything until `commit` is one transaction. Foreign keys are not checked before its end. */
  begin(): Promise<void>;
  clear(table: TableShape): Promise<void>;
  insert(table: TableShape, rows: readonly (readonly Cell[])[]): Promise<void>;
  /** The next row gets a higher number than this one and than those of all existing rows. */
  setSerial(table: TableShape, last: number): Promise<void>;
  count(table: TableShape): Promise<number>;
  /** Throws the engine's error, or gives the table that has a foreign key without a target: then nothing is committed. */
  commit(): Promise<string | undefined>;
  /** Rolls back what was not committed, unless the database is to be discarded then. */
  close(): Promise<void>;
}
