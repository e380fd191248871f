import type { CellType } from './cells.ts';
import { byName, type TableShape } from './snapshot.ts';

/** Text, as the driver has it before it makes anything of it. */
export type AskPostgres = (
  sql: string,
  parameters?: readonly unknown[],
) => Promise<readonly (readonly (string | null)[])[]>;

/** Months of events are parts of the table `event`, and no tables of their own. */
const CATALOG = `select c.relname, a.attname, format_type(a.atttypid, a.atttypmod), coalesce(k.place, 0), a.attidentity
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join (select i.indrelid, u.attnum, u.place from pg_index i, unnest(i.indkey) with ordinality u(attnum, place)
    where i.indisprimary) k on k.indrelid = c.oid and k.attnum = a.attnum
  where n.nspname = current_schema() and c.relkind in ('r', 'p') and not c.relispartition`;

const TYPES: ReadonlyMap<string, CellType> = new Map([
  ['smallint', 'integer'],
  ['integer', 'integer'],
  ['bigint', 'integer'],
  ['double precision', 'real'],
  ['text', 'text'],
  ['bytea', 'blob'],
]);

export interface PostgresTable extends TableShape {
  /** The engine's own names of the columns' types, in the columns' order. */
  readonly declared: readonly string[];
}

/** In the order of names. */
export async function postgresTables(ask: AskPostgres): Promise<PostgresTable[]> {
  const tables = new Map<string, CatalogColumn[]>();
  for (const [table, name, declared, place, identity] of await ask(CATALOG)) {
    const column = { name: name ?? '', declared: declared ?? '', place: Number(place), isSerial: identity !== '' };
    const known = tables.get(table ?? '');
    if (known === undefined) tables.set(table ?? '', [column]);
    else known.push(column);
  }
  return [...tables].map(([name, columns]) => shapeOf(name, columns.sort(byName))).sort(byName);
}

interface CatalogColumn {
  readonly name: string;
  readonly declared: string;
  readonly place: number;
  readonly isSerial: boolean;
}

function shapeOf(name: string, columns: readonly CatalogColumn[]): PostgresTable {
  const key = columns.filter(({ place }) => place > 0).sort((a, b) => a.place - b.place);
  return {
    name,
    columns: columns.map((column) => ({ name: column.name, type: typeOf(column.declared) })),
    declared: columns.map(({ declared }) => declared),
    key: key.map((column) => column.name),
    serial: columns.find(({ isSerial }) => isSerial)?.name,
  };
}

function typeOf(declared: string): CellType {
  const type = TYPES.get(declared);
  if (type === undefined) throw new Error(`a column of type ${declared} has no place in a backup`);
  return type;
}
