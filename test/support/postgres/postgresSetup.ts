// Vitest runs this once around all tests of the server project: one PostgreSQL for all of them.
import { randomBytes } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { machine } from '../../../server/setup/lookups.mjs';
import { postgres } from '../../../server/setup/tools.mjs';
import { startPostgresCluster } from './postgresCluster.ts';
import { dropDatabases } from './postgresServer.ts';

export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const found = postgres.find(machine);
  if (found === undefined && process.env.CI === 'true') throw new Error(`no ${postgres.name}: ${postgres.advice}`);
  const given = found?.TEST_DATABASE_URL;
  const prefix = `fleetglass_test_${randomBytes(4).toString('hex')}_`;
  project.provide('postgresPrefix', prefix);
  if (given !== undefined || found?.POSTGRES_BIN === undefined) {
    project.provide('postgresUrl', given ?? null);
    return given === undefined ? undefined : () => dropDatabases(given, prefix);
  }
  const cluster = await startPostgresCluster(found.POSTGRES_BIN);
  project.provide('postgresUrl', cluster.url);
  return () => cluster.close();
}
