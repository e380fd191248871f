import pg from 'pg';
import type { OnFault } from './onFault.ts';

/**
 * The pool listens for errors of idle connections only. A connection that breaks inside a transaction, between two statements,
 * is reported here.
 */
export function openPool(config: pg.PoolConfig, onFault: OnFault): pg.Pool {
  const pool = new pg.Pool(config);
  pool.on('connect', (client) => client.on('error', onFault));
  // Repeats what the connection has reported itself.
  pool.on('error', () => undefined);
  return pool;
}
