// Rows of numbers as one array a column. The engine hands each row to a function instead of making a row of it: a third of the time.
import type Database from 'better-sqlite3';
import { COLUMNS_MARK } from './columnsMark.ts';

const FUNCTION = 'take_columns';
const FIRST_ROWS = 1_024;
/** A query is the same text each time, whatever its parameters are. */
const MAX_PREPARED = 50;

/** One row, in which each column has the numbers of all rows. NaN stands for null. */
export type ReadColumns = (
  sql: string,
  parameters: readonly unknown[],
) => Readonly<Record<string, Float64Array<ArrayBuffer>>>;

/** Once for each connection, which gets a function of its own. */
export function createReadColumns(database: Database.Database): ReadColumns {
  let columns: Float64Array<ArrayBuffer>[] = [];
  let count = 0;
  database.aggregate(FUNCTION, {
    varargs: true,
    directOnly: true,
    start: 0,
    step: (_: unknown, ...values: readonly unknown[]) => {
      if (count === columns[0]?.length) columns = columns.map(doubled);
      for (let at = 0; at < values.length; at++) (columns[at] as Float64Array)[count] = numberOf(values[at]);
      count++;
    },
    result: () => count,
  });
  const prepare = preparing(database);
  return (sql, parameters) => {
    const { statement, names } = prepare(sql);
    columns = names.map(() => new Float64Array(FIRST_ROWS));
    count = 0;
    statement.get(...parameters);
    const taken = columns.map((column) => column.slice(0, count));
    columns = [];
    return Object.fromEntries(names.map((name, at) => [name, taken[at] ?? new Float64Array(0)]));
  };
}

interface Prepared {
  readonly statement: Database.Statement;
  readonly names: readonly string[];
}

function preparing(database: Database.Database): (sql: string) => Prepared {
  const known = new Map<string, Prepared>();
  return (sql) => {
    const before = known.get(sql);
    if (before !== undefined) return before;
    const query = sql.slice(COLUMNS_MARK.length);
    const names = database
      .prepare(query)
      .columns()
      .map(({ name }) => name);
    const taken = names.map((name) => `"${name.replaceAll('"', '""')}"`).join();
    // The engine keeps the order of what a function of ours is given.
    const statement = database.prepare(`select ${FUNCTION}(${taken}) from (${query})`);
    const prepared = { statement, names };
    if (known.size >= MAX_PREPARED) known.clear();
    known.set(sql, prepared);
    return prepared;
  };
}

function numberOf(value: unknown): number {
  return value === null ? Number.NaN : Number(value);
}

function doubled(column: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(2 * column.length);
  larger.set(column);
  return larger;
}
