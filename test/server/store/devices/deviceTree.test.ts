import { afterAll, beforeAll, expect, it } from 'vitest';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';

describeOnBothEngines('the tree of device groups', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db);
  });
  afterAll(() => database.close());

  it('gives the group above each, whoever owns it', async () => {
    const buses = await stores.deviceGroups.insert('Buses');
    const north = await stores.memberGroups.insert({ name: 'North' });
    await stores.memberGroups.setDeviceGroups(north, [buses]);
    const added = await stores.deviceTree.add({ name: 'Night', parent: buses, among: [] }, north);
    expect(await stores.deviceTree.parents()).toEqual(
      new Map([
        [buses, undefined],
        [added.ok ? added.group.serialno : 0, buses],
      ]),
    );
  });
});
