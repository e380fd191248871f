// Facts about the database: its engine, its size, and the steps that made its schema.
import { stat } from 'node:fs/promises';
import { sql } from 'kysely';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { StoreDb } from '../engine/database.ts';
import { isPostgres } from '../engine/lockingRows.ts';
import type { Engine } from '../migrations/migration.ts';

interface DatabaseFacts {
  readonly engine: Engine;
  /** The engine's own version text: `3.50.4`, `16.4 (Debian 16.4-1)`. */
  readonly version: string;
  /** All tables, indexes and free pages; for the embedded database, also its write-ahead log. */
  readonly bytes: number;
}

interface SchemaStep {
  readonly version: number;
  readonly name: string;
  readonly appliedAtMs: WallMs;
}

export interface DatabaseFactsStore {
  read(): Promise<DatabaseFacts>;
  /** Oldest first. */
  schemaSteps(): Promise<readonly SchemaStep[]>;
}

export function createDatabaseFactsStore(reading: StoreDb): DatabaseFactsStore {
  return {
    read: () => (isPostgres(reading) ? readPostgres(reading) : readEmbedded(reading)),
    schemaSteps: async () => {
      const rows = await reading.selectFrom('schema_version').selectAll().orderBy('version').execute();
      return rows.map(({ version, name, applied_at_ms }) => ({ version, name, appliedAtMs: wallMs(applied_at_ms) }));
    },
  };
}

async function readPostgres(db: StoreDb): Promise<DatabaseFacts> {
  const { rows } = await sql<{ version: string; bytes: number }>`
    select current_setting('server_version') as version, pg_database_size(current_database()) as bytes`.execute(db);
  const { version = '', bytes = 0 } = rows[0] ?? {};
  return { engine: 'postgres', version, bytes };
}

async function readEmbedded(db: StoreDb): Promise<DatabaseFacts> {
  const { rows } = await sql<{ version: string; bytes: number; file: string }>`
    select sqlite_version() as version, page_count * page_size as bytes,
      (select file from pragma_database_list where name = 'main') as file
    from pragma_page_count, pragma_page_size`.execute(db);
  const { version = '', bytes = 0, file = '' } = rows[0] ?? {};
  return { engine: 'sqlite', version, bytes: bytes + (await sizeOf(`${file}-wal`)) };
}

/** 0 for no file, as with a database in memory. */
async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    return 0;
  }
}
