import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { NewEvent } from '../../../../server/store/events/eventLog.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { aSyncItem } from '../../../support/sync/syncRecords.ts';
import { anEvent } from '../events/anEvent.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';

const BEGIN_MS = 1_795_000_000_000;

describeOnBothEngines('events around which recordings are fetched', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  let archiveNumber = 0;
  let incarnation = 0;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db);
    ({ archiveNumber, incarnation } = await stores.devices.insert({ deviceId: 'BUS1', name: 'Bus', chn: 2 }));
  });
  afterEach(async () => {
    await database.db.deleteFrom('event').execute();
    await database.db.deleteFrom('sync_item').execute();
  });
  afterAll(() => database.close());

  const add = async (afterMs: number, change: Partial<NewEvent> = {}): Promise<number> => {
    const event = anEvent({ archiveNumber, isLate: false, beginAtMs: BEGIN_MS + afterMs, ...change });
    const [id = 0] = await stores.eventLog.write({ added: [event], changed: [], days: [] });
    return id;
  };

  it('are the newest where there are too many', async () => {
    for (const afterMs of [1, 3, 2]) await add(afterMs);
    await add(4, { type: 'sos' });
    const query = { archiveNumber, types: ['speeding'], fromMs: BEGIN_MS, toMs: BEGIN_MS + 10, limit: 2 };
    const found = await stores.syncSources.events(query);
    expect(found.map(({ beginAtMs }) => beginAtMs - BEGIN_MS)).toEqual([3, 2]);
    expect(await stores.syncSources.events({ ...query, types: [], limit: 9 })).toHaveLength(4);
  });

  it('have no clip where no item was made for them', async () => {
    const asked = await add(1);
    await stores.syncItems.add([aSyncItem(incarnation, { eventId: asked })], BEGIN_MS + 2);
    const first = await add(2);
    const late = await add(2, { isLate: true, type: 'video-loss', unit: 2 });
    await add(3, { severity: 'minor' });
    await add(4, { archiveNumber: 99_999 });
    await add(-1);
    const last = await add(9);
    await add(10);
    const page = async (afterId: number, fromMs = BEGIN_MS, limit = 9) =>
      await stores.syncSources.withoutClip({ fromMs, toMs: BEGIN_MS + 10, afterId, limit });
    const ids = (found: readonly { readonly eventId: number }[]) => found.map(({ eventId }) => eventId);
    expect(ids(await page(0))).toEqual([first, late, last]);
    expect(ids(await page(first, BEGIN_MS + 2))).toEqual([late, last]);
    expect((await page(first, BEGIN_MS + 2, 1))[0]).toEqual({
      eventId: late,
      incarnation,
      type: 'video-loss',
      unit: 2,
      beginAtMs: BEGIN_MS + 2,
      isLate: true,
    });
  });
});
