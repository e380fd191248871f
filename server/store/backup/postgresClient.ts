import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { openPool } from '../../faults/databasePool.ts';
import type { OnFault } from '../../faults/onFault.ts';
import { withServerOptions } from '../engine/postgres/serverOptions.ts';
import type { AskPostgres } from './postgresCatalog.ts';

/** What rows are written by must not depend on the server's settings. */
const OPTIONS = '-c jit=off -c extra_float_digits=1 -c bytea_output=hex';
const CONNECT_TIMEOUT_MS = 10_000;
/** A server that has gone away confirms nothing. */
const CLOSE_TIMEOUT_MS = 5_000;

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
        // The pool doesn't wait for it. What happens to a connection that is closing would be taken for a fault of whoever is next.
        const removed = new Promise((resolve) => pool.once('remove', resolve));
        // With the connection ends what it has not committed.
        client.release(true);
        await pool.end();
        await Promise.race([removed, delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
      },
    };
  } catch (error) {
    await pool.end();
    throw error;
  }
}
