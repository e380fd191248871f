import type pg from 'pg';
import { openPool } from '../../faults/databasePool.ts';
import type { OnFault } from '../../faults/onFault.ts';
import { withServerOptions } from '../engine/postgres/serverOptions.ts';
import type { AskPostgres } from './postgresCatalog.ts';

/** What rows are written by must not depend on the server's settings. */
const OPTIONS = '-c jit=off -c extra_float_digits=1 -c bytea_output=hex';
const CONNECT_TIMEOUT_MS = 10_000;

export interface PostgresConnection {
  readonly ask: AskPostgres;
  close(): Promise<void>;
}

/** One connection, whose answers are text. */
export async function connectForBackup(url: string, onFault: OnFault): Promise<PostgresConnection> {
  const types: pg.CustomTypesConfig = { getTypeParser: () => (text: string) => text };
  const connectionString = withServerOptions(url, OPTIONS);
  const pool = openPool({ connectionString, types, max: 1, connectionTimeoutMillis: CONNECT_TIMEOUT_MS }, onFault);
  try {
    const client = await pool.connect();
    return {
      ask: async (text, values = []) =>
        (await client.query<(string | null)[]>({ text, values: [...values], rowMode: 'array' })).rows,
      close: async () => {
        // With the connection ends what it has not committed.
        client.release(true);
        await pool.end();
      },
    };
  } catch (error) {
    await pool.end();
    throw error;
  }
}
