// Compares tables of an archive, while it is read, with those of the present database. The present rows are read table by table: a single
// transaction would keep the write-ahead log from restarting for as long as the archive takes.

import type { OnFault } from '../../faults/onFault.ts';
import { type CellType, readCells } from '../../store/backup/cells.ts';
import { openSnapshot } from '../../store/backup/openSnapshot.ts';
import type { RowFilter, Snapshot, TableShape } from '../../store/backup/snapshot.ts';
import { keptRows, partOf } from '../../store/backup/tableParts.ts';
import type { DatabaseLocation } from '../../store/engine/database.ts';
import type { ArchiveItem } from '../archive/archiveItem.ts';
import { ArchiveFault } from '../archive/faults.ts';
import type { TableHeader } from '../archive/manifest.ts';
import { cellsOf } from './archivedRows.ts';
import { type Compared, KeyComparison, type KeyedRow } from './compareKeys.ts';
import { FirstNames, type NameList, nameList } from './nameList.ts';

export interface TableComparisonDeps {
  readonly database: DatabaseLocation;
  /** Encrypted archives have rows that others don't have. */
  readonly isEncrypted: boolean;
  readonly onFault: OnFault;
}

/** Columns with the name of a row, of which the first that isn't empty counts, for tables whose vanishing rows are listed by name. */
const NAMED: ReadonlyMap<string, readonly string[]> = new Map([
  ['device', ['name', 'device_id']],
  ['app_user', ['username']],
]);

/** Table that migrations write: its rows say nothing about what a restore would change. */
const OF_MIGRATIONS = 'schema_version';

interface OpenTable {
  readonly name: string;
  /** Types of the key's columns. */
  readonly types: readonly CellType[];
  /** Their indexes in a row of the archive. */
  readonly places: readonly number[];
  readonly comparison: KeyComparison;
  readonly close: () => Promise<void>;
}

export class TableComparison {
  readonly #deps: TableComparisonDeps;
  readonly #compared = new Map<string, Compared>();
  readonly #removed = new Map<string, FirstNames>();
  #table: OpenTable | undefined;

  constructor(deps: TableComparisonDeps) {
    this.#deps = deps;
  }

  async take(item: ArchiveItem): Promise<void> {
    if (item.type === 'table') this.#table = await this.#begin(item.table);
    else if (item.type === 'rows') await this.#add(item.lines);
    else if (item.type === 'table-end') await this.#end();
  }

  /** To be called also where the archive could not be read to its end. */
  async close(): Promise<void> {
    const table = this.#table;
    this.#table = undefined;
    await table?.close();
  }

  /** Undefined for tables whose rows are only counted: history, and tables that one side doesn't have or has in another form. */
  of(table: string): Compared | undefined {
    return this.#compared.get(table);
  }

  /** Names of rows that the archive doesn't have. */
  removedOf(table: string): NameList {
    return this.#removed.get(table)?.list() ?? nameList([]);
  }

  async #begin(header: TableHeader): Promise<OpenTable | undefined> {
    const { name } = header;
    if (partOf(name) !== 'core' || name === OF_MIGRATIONS) return undefined;
    const { database, isEncrypted, onFault } = this.#deps;
    const snapshot = await openSnapshot(database, onFault);
    const shape = snapshot.tables.find((table) => table.name === name);
    const places = shape === undefined ? [] : keyPlaces(shape, header);
    if (shape === undefined || places.length === 0) {
      await snapshot.close();
      return undefined;
    }
    const removed = new FirstNames();
    const named = NAMED.get(name) ?? [];
    if (named.length > 0) this.#removed.set(name, removed);
    const types = columnsOf(shape, shape.key).map(({ type }) => type);
    const present = keyedRows(snapshot, shape, { named, kept: keptRows(name, isEncrypted) });
    const close = async (): Promise<void> => {
      // An unfinished statement keeps the embedded database open.
      await present.return(undefined);
      await snapshot.close();
    };
    const comparison = new KeyComparison({ types, present, onRemoved: (each) => removed.add(each) });
    return { name, types, places, comparison, close };
  }

  async #add(lines: Buffer): Promise<void> {
    if (this.#table === undefined) return;
    const { name, types, places, comparison } = this.#table;
    for (const line of lines.toString().split('\n').slice(0, -1)) {
      const cells = cellsOf(line, name);
      const key = places.map((at) => cells[at] ?? null);
      if (readCells(key, types) === undefined) throw new ArchiveFault('damaged', `a row of ${name} has no key`);
      await comparison.take(key);
    }
  }

  async #end(): Promise<void> {
    if (this.#table === undefined) return;
    const { name, comparison } = this.#table;
    const compared = await comparison.finish();
    if (compared !== undefined) this.#compared.set(name, compared);
    // The names found before the order broke are no result.
    else this.#removed.delete(name);
    await this.close();
  }
}

/** Indexes of the key's columns; empty where the archive's rows don't have the same key. */
function keyPlaces(shape: TableShape, { columns }: TableHeader): readonly number[] {
  const places = columnsOf(shape, shape.key).map(({ name, type }) =>
    columns.findIndex((column) => column.name === name && column.type === type),
  );
  return places.includes(-1) ? [] : places;
}

function columnsOf({ columns }: TableShape, names: readonly string[]): TableShape['columns'] {
  return names.flatMap((name) => columns.filter((column) => column.name === name));
}

/** Rows in the order of their keys, with only the columns that are needed. */
async function* keyedRows(
  snapshot: Snapshot,
  shape: TableShape,
  { named, kept }: { readonly named: readonly string[]; readonly kept: RowFilter },
): AsyncGenerator<KeyedRow> {
  const columns = columnsOf(shape, [...shape.key, ...named]);
  for await (const part of snapshot.rows({ ...shape, columns }, kept)) {
    for (const row of part) {
      const name = row.slice(shape.key.length).find((cell) => cell !== null && cell !== '');
      yield { key: row.slice(0, shape.key.length), name: String(name ?? '') };
    }
  }
}
