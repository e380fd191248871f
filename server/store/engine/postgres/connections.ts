import { PostgresDialect } from 'kysely';
import pg from 'pg';
import { openPool } from '../../../faults/databasePool.ts';
import type { OnFault } from '../../../faults/onFault.ts';
import type { Connections } from '../connections.ts';
import { withServerOptions } from './serverOptions.ts';

const POOL_SIZE = 10;
/** Lists and reports at once; others wait for their turn. */
const READING_POOL_SIZE = 3;
/** No report holds a connection for ever. */
const READING_TIMEOUT_MS = 60_000;
const CONNECT_TIMEOUT_MS = 10_000;

/** Statements of lists are short, whatever the planner fears: compiling one takes many times as long as running it. */
const WITHOUT_COMPILING = '-c jit=off';
const READING_OPTIONS = `-c default_transaction_read_only=on -c statement_timeout=${READING_TIMEOUT_MS} ${WITHOUT_COMPILING}`;

/** One pool that reads and writes, and a small one that reads. */
export function connectPostgres(url: string, onFault: OnFault): Connections {
  return {
    writing: new PostgresDialect({ pool: createPool(url, POOL_SIZE, onFault) }),
    openReading: async () => createReadingDialect(url, onFault, READING_POOL_SIZE),
  };
}

/** `connections`: at once; left out: for what asks one statement after another. */
export function createReadingDialect(url: string, onFault: OnFault, connections = 1): PostgresDialect {
  return new PostgresDialect({ pool: createPool(withServerOptions(url, READING_OPTIONS), connections, onFault) });
}

function createPool(connectionString: string, max: number, onFault: OnFault): pg.Pool {
  const types = new pg.TypeOverrides();
  // Milliseconds since the epoch and row counts are far below 2^53, so 8-byte integers are read as numbers.
  types.setTypeParser(pg.types.builtins.INT8, Number);
  return openPool({ connectionString, types, max, connectionTimeoutMillis: CONNECT_TIMEOUT_MS }, onFault);
}
