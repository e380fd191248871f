import type { OnFault } from '../../faults/onFault.ts';
import type { Cell } from './cells.ts';
import type { LoadTarget } from './loadTarget.ts';
import { type AskPostgres, type PostgresTable, postgresTables } from './postgresCatalog.ts';
import { connectForBackup } from './postgresClient.ts';
import { quoted, type TableShape } from './snapshot.ts';

export async function openPostgresTarget(url: string, onFault: OnFault): Promise<LoadTarget> {
  const { ask, close } = await connectForBackup(url, onFault);
  try {
    const tables = await postgresTables(ask);
    const known = new Map<TableShape, PostgresTable>(tables.map((table) => [table, table]));
    let keys: readonly ForeignKey[] = [];
    return {
      tables,
      begin: async () => {
        await ask('begin');
        keys = await dropForeignKeys(ask);
      },
      clear: async ({ name }) => void (await ask(`delete from ${quoted(name)}`)),
      insert: async (table, rows) => {
        const declared = known.get(table)?.declared;
        if (declared === undefined) throw new Error(`${table.name} is of another database`);
        await insert(ask, { ...table, declared }, rows);
      },
      setSerial: (table, last) => setSerial(ask, table, last),
      count: async ({ name }) => Number((await ask(`select count(*) from ${quoted(name)}`))[0]?.[0]),
      commit: async () => {
        // Adding the keys checks every row.
        for (const { table, name, definition } of keys) {
          await ask(`alter table ${table} add constraint ${quoted(name)} ${definition}`);
        }
        await ask('commit');
        return undefined;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface ForeignKey {
  /** Name in the engine's spelling, quoted if necessary. */
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/** Runs within the transaction. Our keys can't be deferred, and turning them off takes a superuser. */
async function dropForeignKeys(ask: AskPostgres): Promise<ForeignKey[]> {
  const rows = await ask(`select conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint
    where contype = 'f' and connamespace = current_schema()::regnamespace and conparentid = 0`);
  const keys = rows.map(([table, name, definition]) => ({
    table: table ?? '',
    name: name ?? '',
    definition: definition ?? '',
  }));
  for (const { table, name } of keys) await ask(`alter table ${table} drop constraint ${quoted(name)}`);
  return keys;
}

/** Passes each column as one array, so that a statement has few parameters for any number of rows. */
async function insert(ask: AskPostgres, table: PostgresTable, rows: readonly (readonly Cell[])[]): Promise<void> {
  const columns = table.columns.map(({ name }) => quoted(name)).join();
  const arrays = table.declared.map((type, at) => `$${at + 1}::${type}[]`).join();
  const values = table.columns.map((_, at) => rows.map((row) => parameterOf(row[at] ?? null)));
  await ask(`insert into ${quoted(table.name)} (${columns}) select * from unnest(${arrays})`, values);
}

function parameterOf(cell: Cell): string | null {
  if (cell instanceof Uint8Array) return `\\x${Buffer.from(cell).toString('hex')}`;
  return cell === null ? null : String(cell);
}

async function setSerial(ask: AskPostgres, { name, serial }: TableShape, last: number): Promise<void> {
  if (serial === undefined) return;
  const highest = `greatest($3::bigint, (select coalesce(max(${quoted(serial)}), 0) from ${quoted(name)}))`;
  await ask(`select setval(pg_get_serial_sequence($1, $2), greatest(${highest}, 1), ${highest} > 0)`, [
    quoted(name),
    serial,
    last,
  ]);
}
