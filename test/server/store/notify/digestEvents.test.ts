import { afterAll, beforeAll, expect, it } from 'vitest';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { notifyMessageRow } from '../../../support/notify/notifyMessageRow.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';

describeOnBothEngines('the events of a digest', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db);
  });
  afterAll(() => database.close());

  async function addMessage(key: string): Promise<number> {
    const member_group = await stores.memberGroups.insert({ name: key });
    const row = notifyMessageRow({ key, member_group, digest_key: 'd' });
    const insert = database.db.insertInto('notify_message').values(row).returning('id');
    return (await insert.executeTakeFirstOrThrow()).id;
  }

  it('are those of the message, in the order in which they began', async () => {
    const [first, second] = [await addMessage('k1'), await addMessage('k2')];
    const row = (message_id: number, event_id: number, event_begin_at_ms: number) => ({
      message_id,
      event_id,
      event_begin_at_ms,
    });
    const rows = [row(first, 5, 30), row(first, 9, 10), row(first, 7, 30), row(second, 6, 1)];
    await database.db.insertInto('notify_digest_event').values(rows).execute();
    expect(await stores.digestEvents.idsOf(first)).toEqual([9, 5, 7]);
    expect(await stores.digestEvents.idsOf(second)).toEqual([6]);
    expect(await stores.digestEvents.idsOf(second + 1)).toEqual([]);
  });
});
