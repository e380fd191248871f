import { afterEach, beforeEach, expect, it } from 'vitest';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';

describeOnBothEngines('times that data plans left without recordings (S-2.4.9)', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  beforeEach(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db);
  });
  afterEach(() => database.close());

  it('grow with each write, leave out devices that are gone, and are deleted when they are old', async () => {
    const deviceGroup = await stores.deviceGroups.insert('Depot');
    const { incarnation } = await stores.devices.insert({ deviceId: 'BUS1', name: 'bus', chn: 1, deviceGroup });
    const row = { incarnation, fromMs: 100, isAll: true };
    await stores.netflowUse.write([], [], [{ ...row, toMs: 200 }]);
    await stores.netflowUse.write(
      [],
      [],
      [
        { ...row, toMs: 300 },
        { ...row, incarnation: incarnation + 100, toMs: 300 },
      ],
    );
    await stores.netflowUse.write([], [], [{ ...row, fromMs: 400, toMs: 500, isAll: false }]);
    const rows = () =>
      database.db.selectFrom('netflow_withheld').select(['from_ms', 'to_ms', 'is_all']).orderBy('from_ms').execute();
    const last = { from_ms: 400, to_ms: 500, is_all: 0 };
    expect(await rows()).toEqual([{ from_ms: 100, to_ms: 300, is_all: 1 }, last]);
    await stores.netflowUse.removeWithheldBefore(301);
    expect(await rows()).toEqual([last]);
  });
});
