// Rows of numbers as one array a column, read in the calling thread.
import type Database from 'better-sqlite3';

const FIRST_ROWS = 1_024;

/** One row, in which each column has the numbers of all rows. NaN stands for null. */
export function readColumns(
  statement: Database.Statement,
  parameters: readonly unknown[],
): Readonly<Record<string, Float64Array>> {
  const names = statement.columns().map(({ name }) => name);
  let columns = names.map(() => new Float64Array(FIRST_ROWS));
  let count = 0;
  // One at a time: thousands of rows that are held together are copied by each collection of garbage.
  for (const row of statement.raw(true).iterate(...parameters) as IterableIterator<readonly unknown[]>) {
    if (count === columns[0]?.length) columns = columns.map(doubled);
    for (let at = 0; at < columns.length; at++) (columns[at] as Float64Array)[count] = numberOf(row[at]);
    count++;
  }
  return Object.fromEntries(names.map((name, at) => [name, columns[at]?.slice(0, count) ?? new Float64Array(0)]));
}

function numberOf(value: unknown): number {
  return value === null ? Number.NaN : Number(value);
}

function doubled(column: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(2 * column.length);
  larger.set(column);
  return larger;
}
