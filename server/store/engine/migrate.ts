// Brings a database to the newest schema, or refuses one that is newer than this program.
import { type Kysely, sql } from 'kysely';
import type { Engine, Migration } from '../migrations/migration.ts';

/** Any number that no other program on the same PostgreSQL uses for its advisory locks. */
const MIGRATION_LOCK = 0x666c_6767;

export class SchemaTooNew extends Error {
  override readonly name = 'SchemaTooNew';
  readonly found: number;
  readonly known: number;

  constructor(found: number, known: number) {
    super(`the database has schema version ${found}, this program knows versions up to ${known}`);
    this.found = found;
    this.known = known;
  }
}

/**
 * Runs the steps that the database has not seen, all of them in one transaction: a start that is cut short leaves the
 * old schema whole. The transaction holds a lock, so that two gateways may start at once on one database.
 */
export async function migrate(db: Kysely<unknown>, engine: Engine, steps: readonly Migration[]): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    if (engine === 'postgres') await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(transaction);
    const current = await readVersion(transaction);
    const known = steps.at(-1)?.version ?? 0;
    if (current > known) throw new SchemaTooNew(current, known);
    for (const step of steps.filter((candidate) => candidate.version > current)) {
      await step.up(transaction, engine);
      await sql`insert into schema_version (version, name, applied_at_ms)
        values (${step.version}, ${step.name}, ${Date.now()})`.execute(transaction);
    }
  });
}

async function readVersion(db: Kysely<unknown>): Promise<number> {
  await db.schema
    .createTable('schema_version')
    .ifNotExists()
    .addColumn('version', 'integer', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('applied_at_ms', 'bigint', (c) => c.notNull())
    .execute();
  const { rows } = await sql<{ version: number | null }>`select max(version) as version from schema_version`.execute(
    db,
  );
  return rows[0]?.version ?? 0;
}
