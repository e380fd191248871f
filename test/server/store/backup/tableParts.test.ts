import { type Kysely, sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isBackedUp, keptRows, partOf } from '../../../../server/store/backup/tableParts.ts';
import { migrations } from '../../../../server/store/migrations/list.ts';
import { openAtSteps } from '../testDatabase.ts';

async function tablesOf(version: number): Promise<{ readonly names: string[]; readonly db: Kysely<unknown> }> {
  const { db, close } = await openAtSteps('sqlite', migrations.slice(0, version));
  onTestFinished(close);
  const query = sql<{ readonly name: string }>`select name from sqlite_master
    where type = 'table' and name not like 'sqlite_%'`;
  return { names: (await query.execute(db)).rows.map(({ name }) => name), db: db as Kysely<unknown> };
}

describe('the parts of a backup', () => {
  it.each(migrations.map(({ version }) => version))('have a place for each table of version %i', async (version) => {
    const { names } = await tablesOf(version);
    expect(names.filter((name) => partOf(name) === undefined)).toEqual([]);
  });

  it('refer to nothing that a backup may be without', async () => {
    const { names, db } = await tablesOf(migrations.length);
    const missing: string[] = [];
    for (const name of names.filter((each) => isBackedUp(each, ['positions', 'events', 'netflow', 'audit']))) {
      const keys = await sql<{ readonly table: string; readonly from: string }>`
        select "table", "from" from pragma_foreign_key_list(${sql.lit(name)})`.execute(db);
      for (const { table, from } of keys.rows) {
        const isThere = partOf(table) === 'core' || partOf(table) === partOf(name);
        if (!isThere && keptRows(name, true).nullIn !== from) missing.push(`${name}.${from}`);
      }
    }
    expect(missing).toEqual([]);
  });
});
