import type { OnFault } from '../../faults/onFault.ts';
import { type JsonCell, jsonOfText } from './cells.ts';
import { type AskPostgres, postgresTables } from './postgresCatalog.ts';
import { connectForBackup } from './postgresClient.ts';
import { quoted, type RowFilter, type Snapshot, type TableShape, whereClause } from './snapshot.ts';

const ROWS_AT_ONCE = 2_000;

/** In one transaction that sees nothing of what is committed after its first statement. */
export async function openPostgresSnapshot(url: string, onFault: OnFault): Promise<Snapshot> {
  const { ask, close } = await connectForBackup(url, onFault);
  try {
    await ask('begin isolation level repeatable read read only');
    const [[version] = []] = await ask('select max(version) from schema_version');
    return {
      engine: 'postgres',
      schemaVersion: Number(version),
      tables: await postgresTables(ask),
      rows: (table, kept = {}) => rowsOf(ask, table, kept),
      lastSerial: (table) => lastSerial(ask, table),
      logBytes: async () => 0,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function* rowsOf(
  ask: AskPostgres,
  table: TableShape,
  kept: RowFilter,
): AsyncGenerator<readonly (readonly JsonCell[])[]> {
  const columns = table.columns.map(({ name }) => quoted(name)).join();
  const types = new Map(table.columns.map(({ name, type }) => [name, type]));
  // Texts are compared byte by byte, as SQLite does.
  const order = table.key.map((name) => (types.get(name) === 'text' ? `${quoted(name)} collate "C"` : quoted(name)));
  const query = `select ${columns} from ${quoted(table.name)}${whereClause(kept)} order by ${order.join()}`;
  await ask(`declare backup_rows no scroll cursor for ${query}`);
  for (;;) {
    const rows = await ask(`fetch ${ROWS_AT_ONCE} from backup_rows`);
    if (rows.length === 0) break;
    yield rows.map((row) => table.columns.map(({ type }, at) => jsonOfText(row[at] ?? null, type)));
  }
  await ask('close backup_rows');
}

async function lastSerial(ask: AskPostgres, { name, serial }: TableShape): Promise<number> {
  if (serial === undefined) return 0;
  const [[sequence] = []] = await ask('select pg_get_serial_sequence($1, $2)', [quoted(name), serial]);
  const [[last] = []] = await ask(`select case when is_called then last_value else 0 end from ${sequence}`);
  return Number(last);
}
