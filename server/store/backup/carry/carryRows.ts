// Rows of the present database that a restored one gets, table by table. Both have the newest schema.
import { type Cell, type JsonCell, readCells } from '../cells.ts';
import type { LoadTarget } from '../loadTarget.ts';
import type { Snapshot, TableShape } from '../snapshot.ts';
import { RowWalk } from './rowWalk.ts';

const ROWS_AT_ONCE = 1_000;

/** In place of what the table has. Undefined: one of the two databases has no such table. */
export async function carryTable(from: Snapshot, to: LoadTarget, name: string): Promise<number | undefined> {
  const [source, table] = [from, to].map(({ tables }) => tables.find((candidate) => candidate.name === name));
  if (source === undefined || table === undefined) return undefined;
  await to.clear(table);
  let rows = 0;
  for await (const part of from.rows(source)) {
    await to.insert(
      table,
      part.map((row) => cellsOf(row, table)),
    );
    rows += part.length;
  }
  await to.setSerial(table, await from.lastSerial(source));
  return rows;
}

/**
 * Adds what has been written since the backup was made to the audit that came with it. The same row has the same number in both,
 * unless they are of different installations: then all present ones are added, under new numbers. Gives how many.
 */
export async function carryAudit(from: Snapshot, restored: Snapshot, to: LoadTarget): Promise<number> {
  const [source, had, table] = [from, restored, to].map(({ tables }) => tables.find(({ name }) => name === 'audit'));
  if (source === undefined || had === undefined || table === undefined) throw new Error('there is no audit');
  const numbers = new AuditNumbers(await restored.lastSerial(had), await from.lastSerial(source));
  const idAt = table.columns.findIndex(({ name }) => name === 'id');
  const [present, before] = [new RowWalk(from, source), new RowWalk(restored, had)];
  let pending: Cell[][] = [];
  let rows = 0;
  const flush = async (): Promise<void> => {
    await to.insert(table, pending);
    rows += pending.length;
    pending = [];
  };
  for (let row = await present.peek(); row !== undefined; row = await present.peek()) {
    present.skip();
    const id = Number(row[idAt]);
    let same = await before.peek();
    for (; same !== undefined && Number(same[idAt]) < id; same = await before.peek()) before.skip();
    if (same !== undefined && JSON.stringify(same) === JSON.stringify(row)) continue;
    const cells = cellsOf(row, table);
    cells[idAt] = numbers.of(id);
    pending.push(cells);
    if (pending.length >= ROWS_AT_ONCE) await flush();
  }
  await flush();
  await to.setSerial(table, numbers.last);
  return rows;
}

/** Numbers of audit rows in a database that has had some already. */
class AuditNumbers {
  readonly #lastRestored: number;
  #last: number;

  constructor(lastRestored: number, lastPresent: number) {
    this.#lastRestored = lastRestored;
    this.#last = Math.max(lastRestored, lastPresent);
  }

  get last(): number {
    return this.#last;
  }

  /** Its own where no restored row can have it. */
  of(id: number): number {
    if (id > this.#lastRestored) return id;
    this.#last++;
    return this.#last;
  }
}

function cellsOf(row: readonly JsonCell[], { name, columns }: TableShape): Cell[] {
  const cells = readCells(
    row,
    columns.map(({ type }) => type),
  );
  if (cells === undefined) throw new Error(`a row of ${name} is none of its columns`);
  return cells;
}
