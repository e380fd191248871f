// Numbers of many rows as one array a column. Rows as objects take the main thread a microsecond for each value that comes from the
// thread of the embedded database; arrays come as a whole.
import { CompiledQuery } from 'kysely';
import type { StoreDb } from './database.ts';
import { COLUMNS_MARK } from './sqlite/columnsMark.ts';

/** One entry for each row. NaN stands for null. */
export type NumberColumns<Name extends string> = Readonly<Record<Name, Float64Array>>;

export interface NumbersQuery {
  compile(): CompiledQuery;
}

/** What `query` selects must be numbers, named as in `names`. */
export async function readNumberColumns<Name extends string>(
  db: StoreDb,
  query: NumbersQuery,
  names: readonly Name[],
): Promise<NumberColumns<Name>> {
  const { sql, parameters } = query.compile();
  const { rows } = await db.executeQuery<Readonly<Record<string, unknown>>>(
    CompiledQuery.raw(`${COLUMNS_MARK}${sql}`, [...parameters]),
  );
  const [first] = rows;
  const columnOf = (name: Name): Float64Array => {
    const column = first?.[name];
    // A database server knows nothing of the mark.
    return column instanceof Float64Array ? column : Float64Array.from(rows, (row) => numberOf(row[name]));
  };
  return Object.fromEntries(names.map((name) => [name, columnOf(name)] as const)) as Record<Name, Float64Array>;
}

function numberOf(value: unknown): number {
  return value === null || value === undefined ? Number.NaN : Number(value);
}
