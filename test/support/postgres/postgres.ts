import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { dropDatabase, onServer } from './postgresServer.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the server that this run's databases are made on; null when the machine has no PostgreSQL. */
    postgresUrl: string | null;
    /** What the names of this run's databases begin with. */
    postgresPrefix: string;
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

/**
 * A new database on the run's server: an empty one, or a copy of `from`, which nobody may be connected to. A test file makes its own and
 * closes it in `afterAll`.
 */
export async function createPostgresDatabase(from?: PostgresDatabase): Promise<PostgresDatabase> {
  const serverUrl = inject('postgresUrl');
  if (serverUrl === null) throw new Error('no PostgreSQL here: guard the test with postgresAvailable()');
  const name = `${inject('postgresPrefix')}${randomBytes(6).toString('hex')}`;
  const template = from === undefined ? '' : ` TEMPLATE ${new URL(from.url).pathname.slice(1)}`;
  await onServer(serverUrl, (client) => client.query(`CREATE DATABASE ${name}${template}`));
  return {
    url: withDatabase(serverUrl, name),
    close: () => onServer(serverUrl, (client) => dropDatabase(client, name)),
  };
}

function withDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
