// An empty database that the rows of a backup are written to. Nobody else uses it meanwhile.
import type { Cell } from './cells.ts';
import type { TableShape } from './snapshot.ts';

/** What becomes of the database if all is not committed. One that is discarded needs neither a journal nor the room for one. */
export type AfterFailure = 'as before' | 'discarded';

export interface LoadTarget {
  readonly tables: readonly TableShape[];
  /** All until `commit` is one transaction. Keys to other tables are not looked at before its end. */
  begin(): Promise<void>;
  clear(table: TableShape): Promise<void>;
  insert(table: TableShape, rows: readonly (readonly Cell[])[]): Promise<void>;
  /** The next row gets a higher number than this one and than all that are there. */
  setSerial(table: TableShape, last: number): Promise<void>;
  count(table: TableShape): Promise<number>;
  /** Throws the engine's error, or gives the table, where a key leads nowhere: then nothing is committed. */
  commit(): Promise<string | undefined>;
  /** Takes back what was not committed, unless the database is to be discarded then. */
  close(): Promise<void>;
}
