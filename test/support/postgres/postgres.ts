import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the server that this run's databases are made on; null when the machine has no PostgreSQL. */
    postgresUrl: string | null;
  }
}

export interface PostgresDatabase {
  /** A connection string, as DATABASE_URL takes it. */
  readonly url: string;
  /** Drops the database, whoever is still connected. */
  close(): Promise<void>;
}

/** For `describe.skipIf(!postgresAvailable())`; only tests under test/server have a PostgreSQL. */
export function postgresAvailable(): boolean {
  return inject('postgresUrl') !== null;
}

/** A new empty database on the run's server. A test file makes its own and closes it in `afterAll`. */
export async function createPostgresDatabase(): Promise<PostgresDatabase> {
  const serverUrl = inject('postgresUrl');
  if (serverUrl === null) throw new Error('no PostgreSQL here: guard the test with postgresAvailable()');
  const name = `fleetglass_test_${randomBytes(6).toString('hex')}`;
  await execute(serverUrl, `CREATE DATABASE ${name}`);
  return {
    url: withDatabase(serverUrl, name),
    close: () => execute(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function withDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
