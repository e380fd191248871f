import { afterAll, beforeAll, expect, it } from 'vitest';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';

describeOnBothEngines('the store of positions', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db);
    for (const deviceId of ['BUS1', 'BUS2']) {
      const { incarnation } = await stores.devices.insert({ deviceId, name: deviceId, chn: 1 });
      const times = deviceId === 'BUS1' ? [10, 50, 30, 20, 40] : [25];
      await stores.positions.append(
        times.map((atMs) => ({
          deviceId,
          incarnation,
          deviceTimeMs: wallMs(atMs),
          receivedAtMs: wallMs(99),
          latitude: 1,
          longitude: 2,
          altitudeM: 0,
          speedKmh: 0,
          headingDeg: 0,
          alarmBits: 0,
          statusBits: 0,
          extra: {},
        })),
      );
    }
  });
  afterAll(() => database.close());

  it.each([
    [1, { fromMs: 0, toMs: 100 }, 50],
    [1, { fromMs: 0, toMs: 50 }, 40],
    [3, { fromMs: 0, toMs: 100 }, 30],
    [5, { fromMs: 10, toMs: 51 }, 10],
    [5, { fromMs: 11, toMs: 51 }, undefined],
    [6, { fromMs: 0, toMs: 100 }, undefined],
  ])('knows when the latest but %i - 1 was measured', async (count, range, expected) => {
    expect(await stores.positions.timeOfLatest('BUS1', range, count)).toBe(expected);
  });
});
