import { afterAll, beforeAll, expect, it } from 'vitest';
import { readNumberColumns } from '../../../../server/store/engine/numberColumns.ts';
import { createStores } from '../../../../server/store/stores.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';

describeOnBothEngines('numbers by columns', (engine) => {
  let database: TestDatabase;
  let incarnation: number;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    const { devices } = createStores(database.db);
    ({ incarnation } = await devices.insert({ deviceId: 'BUS', name: 'BUS', chn: 1 }));
    for (const [position, fuel] of [
      [1.000_001, 40.5],
      [0.1 + 0.2, null],
    ] as const) {
      await database.db
        .insertInto('position')
        .values({
          incarnation,
          device_time_ms: 1_795_000_000_000,
          received_at_ms: 2,
          latitude: position,
          longitude: -179.999_999,
          altitude_m: 0,
          speed_kmh: 0,
          heading_deg: 0,
          alarm_bits: 4_294_967_295,
          status_bits: 0,
          extra: '{}',
          late: 0,
          mileage_km: null,
          fuel_liters: fuel,
          cabin_celsius: null,
          signal: null,
        })
        .execute();
    }
  });
  afterAll(() => database.close());

  const query = (of: number) =>
    database.db
      .selectFrom('position')
      .select(['latitude', 'fuel_liters as fuel', 'alarm_bits as bits', 'device_time_ms as atMs'])
      .where('incarnation', '=', of)
      .orderBy('id');

  it('are exact, and NaN for null', async () => {
    const columns = await readNumberColumns(database.db, query(incarnation), ['latitude', 'fuel', 'bits', 'atMs']);
    expect([...columns.latitude]).toEqual([1.000_001, 0.1 + 0.2]);
    expect([...columns.fuel]).toEqual([40.5, Number.NaN]);
    expect([...columns.bits]).toEqual([4_294_967_295, 4_294_967_295]);
    expect([...columns.atMs]).toEqual([1_795_000_000_000, 1_795_000_000_000]);
  });

  it('are empty without rows', async () => {
    const columns = await readNumberColumns(database.db, query(incarnation + 1), ['latitude', 'fuel', 'bits', 'atMs']);
    expect(Object.values(columns).map(({ length }) => length)).toEqual([0, 0, 0, 0]);
  });
});
