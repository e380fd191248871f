import { afterAll, beforeAll, expect, it } from 'vitest';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import type { TripRow } from '../../../../server/store/tracks/trackRows.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';

describeOnBothEngines('driver cards and passengers', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db);
  });
  afterAll(() => database.close());

  async function newDevice(deviceId: string): Promise<number> {
    return (await stores.devices.insert({ deviceId, name: deviceId, chn: 1 })).incarnation;
  }

  const card = (incarnation: number, name: string, atMs: number) => ({
    incarnation,
    atMs,
    name,
    licence: `L-${name}`,
    issuer: 'issuer',
    validUntil: '20301231',
    readResult: 0,
  });
  const sessions = async (incarnation: number) =>
    await database.db
      .selectFrom('driver_session')
      .select(['name', 'in_ms', 'out_ms'])
      .where('incarnation', '=', incarnation)
      .orderBy('in_ms')
      .execute();

  it('closes a card by the next one, by its removal, and keeps the time of a late one', async () => {
    const incarnation = await newDevice('BUS1');
    const { driverSessions } = stores;
    await driverSessions.cardIn(card(incarnation, 'Chen', 100));
    await driverSessions.cardIn(card(incarnation, 'Lin', 300));
    await driverSessions.cardIn(card(incarnation, 'Lin', 300));
    await driverSessions.cardOut(incarnation, 400);
    await driverSessions.cardIn(card(incarnation, 'Wang', 200));
    await driverSessions.cardIn(card(incarnation, 'Wu', 350));
    expect(await sessions(incarnation)).toEqual([
      { name: 'Chen', in_ms: 100, out_ms: 200 },
      { name: 'Wang', in_ms: 200, out_ms: 300 },
      { name: 'Lin', in_ms: 300, out_ms: 350 },
      { name: 'Wu', in_ms: 350, out_ms: 400 },
    ]);
  });

  it('names trips by the card at their beginning, whichever came first', async () => {
    const incarnation = await newDevice('BUS2');
    const trip = (fromMs: number, toMs: number): TripRow => ({
      fromMs,
      toMs,
      clockOffsetMs: 0,
      isOpen: false,
      fromLatitude: 0,
      fromLongitude: 0,
      toLatitude: 0,
      toLongitude: 0,
      meters: 1,
      isOdometer: false,
      odometerDiffers: false,
      movingMs: 1,
      idleMs: 0,
      maxSpeedKmh: 1,
      meanSpeedKmh: 1,
      odometerFromKm: null,
      odometerToKm: null,
      fuelLiters: null,
    });
    const rows = { trips: [trip(0, 90), trip(100, 200), trip(300, 400)], stops: [], gaps: [], days: [], starts: [] };
    await stores.driverSessions.cardIn(card(incarnation, 'Chen', 50));
    await stores.tracks.write([{ incarnation, rows, state: undefined, steps: [] }]);
    await stores.driverSessions.cardIn(card(incarnation, 'Lin', 250));
    const named = await database.db
      .selectFrom('trip')
      .select('driver')
      .where('incarnation', '=', incarnation)
      .orderBy('from_ms')
      .execute();
    expect(named.map(({ driver }) => driver)).toEqual(['Chen', 'Chen', 'Lin']);
  });

  it('counts the passengers of a time once', async () => {
    const incarnation = await newDevice('BUS3');
    const count = { incarnation, fromMs: 10, toMs: 20, boarded: 3, alighted: 2 };
    await stores.passengerCounts.add(count);
    await stores.passengerCounts.add({ ...count, boarded: 4 });
    const rows = await database.db.selectFrom('passenger_count').select(['boarded', 'alighted']).execute();
    expect(rows).toEqual([{ boarded: 3, alighted: 2 }]);
  });

  it('forgets the tracks of a device that is forgotten', async () => {
    const rows = database.db.deleteFrom('device_incarnation').where('device_id', '=', 'BUS3');
    await database.db.deleteFrom('device').where('device_id', '=', 'BUS3').execute();
    await rows.execute();
    expect(await database.db.selectFrom('passenger_count').selectAll().execute()).toEqual([]);
  });
});
