import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { readNumberColumns } from '../../../../server/store/engine/numberColumns.ts';
import { openReadingConnection } from '../../../../server/store/engine/readingConnection.ts';
import { createStores } from '../../../../server/store/stores.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { noFaults } from '../../../support/fakes/noFaults.ts';
import { newDeviceRecord } from '../../../support/newDeviceRecord.ts';
import { describeOnBothEngines, openForThreads, openTestDatabase, type TestDatabase } from '../testDatabase.ts';

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

  it('are the same on a connection of a thread of its own', async () => {
    const { location, database: written } = await openForThreads(engine);
    const { deviceRecords } = createStores(written.db);
    const ids = Array.from({ length: 2_500 }, (_, at) => at);
    const added = ids.map((at) => newDeviceRecord(`BUS${at}`));
    await deviceRecords.import({ added, changed: [] }, wallMs(0));
    const reading = openReadingConnection(location, noFaults);
    onTestFinished(() => reading.destroy());
    const incarnations = (after: number) =>
      reading
        .selectFrom('device')
        .select('incarnation')
        .where('incarnation', '>', after)
        .orderBy('incarnation', 'desc');
    const all = await readNumberColumns(reading, incarnations(0), ['incarnation']);
    expect(all.incarnation).toEqual(Float64Array.from(ids, (at) => ids.length - at));
    expect((await readNumberColumns(reading, incarnations(2_500), ['incarnation'])).incarnation).toHaveLength(0);
  });

  it('are empty without rows', async () => {
    const columns = await readNumberColumns(database.db, query(incarnation + 1), ['latitude', 'fuel', 'bits', 'atMs']);
    expect(Object.values(columns).map(({ length }) => length)).toEqual([0, 0, 0, 0]);
  });
});
