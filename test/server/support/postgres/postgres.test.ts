import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { createPostgresDatabase, postgresAvailable } from '../../../support/postgres/postgres.ts';

describe.skipIf(!postgresAvailable())('createPostgresDatabase', () => {
  it('makes databases that do not see one another, and drops one that is still in use', async () => {
    const [first, second] = [await createPostgresDatabase(), await createPostgresDatabase()];
    await query(first.url, 'CREATE TABLE only_here (id integer)');
    await expect(query(second.url, 'SELECT * FROM only_here')).rejects.toThrow(/does not exist/);

    const open = new Client({ connectionString: first.url });
    open.on('error', () => undefined); // the server cuts this connection when the database goes
    await open.connect();
    await first.close();
    await second.close();
    await expect(query(first.url, 'SELECT 1')).rejects.toThrow(/does not exist/);
  });
});

async function query(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
