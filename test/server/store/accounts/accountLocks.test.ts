// Changes of one account that meet: in which order PostgreSQL's rows are locked. The embedded engine runs one transaction at a
// time.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endInvitations } from '../../../../server/store/accounts/invitations.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { postgresAvailable } from '../../../support/postgres/postgres.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { openTestDatabase, type TestDatabase } from '../testDatabase.ts';

const AT = wallMs(1_795_000_000_000);

describe.skipIf(!postgresAvailable())('a link that is used while its account changes (postgres)', () => {
  let database: TestDatabase;
  let stores: Stores;
  beforeAll(async () => {
    database = await openTestDatabase('postgres');
    stores = createStores(database.db);
  });
  afterAll(() => database.close());

  async function invite(username: string): Promise<number> {
    const userId = await stores.users.insert({ username, passwordHash: 'before', permissions: [] }, AT);
    const expiresAtMs = wallMs(AT + 1_000);
    await stores.invitations.put({ userId, issuedBy: userId, tokenHash: username, expiresAtMs }, AT);
    return userId;
  }

  async function someoneWaitsForALock(): Promise<boolean> {
    const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return (await waiting.execute(database.db)).rows.length > 0;
  }

  it('waits for the change, and opens nothing after it', async () => {
    const userId = await invite('ann');
    let used: Promise<boolean> | undefined;
    // What every change of role, password or groups does, with the use of the link between its two steps.
    await database.db.transaction().execute(async (transaction) => {
      await transaction.updateTable('app_user').set({ disabled: 1 }).where('id', '=', userId).execute();
      used = stores.invitations.accept('ann', 'after', AT);
      used.catch(() => undefined);
      await waitFor('the link waits', someoneWaitsForALock);
      await endInvitations(transaction, [userId]);
    });
    expect(await used).toBe(false);
    expect(await stores.users.find(userId)).toMatchObject({ passwordHash: 'before', disabled: true });
  });

  it('waits for a removal', async () => {
    const userId = await invite('bob');
    let used: Promise<boolean> | undefined;
    await database.db.transaction().execute(async (transaction) => {
      await transaction.updateTable('app_user').set({ disabled: 1 }).where('id', '=', userId).execute();
      used = stores.invitations.accept('bob', 'after', AT);
      used.catch(() => undefined);
      await waitFor('the link waits', someoneWaitsForALock);
      await transaction.deleteFrom('app_user').where('id', '=', userId).execute();
    });
    expect(await used).toBe(false);
    expect(await stores.users.find(userId)).toBeUndefined();
  });

  it('sets the password once', async () => {
    const userId = await invite('cho');
    const used = await Promise.all([1, 2].map((each) => stores.invitations.accept('cho', `after ${each}`, AT)));
    expect(used.filter((isUsed) => isUsed)).toHaveLength(1);
    const { passwordHash } = (await stores.users.find(userId)) ?? {};
    expect(passwordHash).toBe(used[0] ? 'after 1' : 'after 2');
  });
});
