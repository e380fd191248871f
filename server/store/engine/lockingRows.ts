import { PostgresAdapter, type SelectQueryBuilder } from 'kysely';
import type { Schema } from '../schema.ts';
import type { StoreDb } from './database.ts';

/**
 * In a transaction: nobody else changes the rows until it ends. On the embedded database nobody does anyway, since it has one
 * transaction that writes at a time.
 */
export function lockingRows<Tables extends keyof Schema, Row>(
  work: StoreDb,
  rows: SelectQueryBuilder<Schema, Tables, Row>,
): SelectQueryBuilder<Schema, Tables, Row> {
  return isPostgres(work) ? rows.forUpdate() : rows;
}

export function isPostgres(db: StoreDb): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}
