import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Device } from '../../../../server/store/devices/devices.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';

describeOnBothEngines('the summary of tracks', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  let bus: Device;
  let [mine, theirs, userId] = [0, 0, 0];
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db);
    const deviceGroup = await stores.deviceGroups.insert('North');
    [mine, theirs] = [await stores.memberGroups.insert({ name: 'M' }), await stores.memberGroups.insert({ name: 'T' })];
    await stores.memberGroups.setDeviceGroups(mine, [deviceGroup]);
    bus = await stores.devices.insert({ deviceId: 'BUS1', name: 'Bus', plate: 'P1', chn: 1, deviceGroup });
    await stores.devices.insert({ deviceId: 'OFF', name: 'Off', chn: 1, deviceGroup, disabled: true });
    userId = await stores.users.insert({ username: 'ann', passwordHash: 'x', permissions: [] }, wallMs(1));
    await stores.memberGroups.setGroupsOfUser(userId, [mine, theirs]);
  });
  afterAll(() => database.close());

  it('knows a device of the member group, unless it is disabled', async () => {
    const { deviceOf } = stores.trackSummary;
    const { incarnation, archiveId } = bus;
    const found = { deviceId: 'BUS1', name: 'Bus', plate: 'P1', incarnation, archiveId };
    expect(await deviceOf('BUS1', { userId, memberGroup: mine })).toEqual(found);
    expect(await deviceOf('BUS1', { userId, memberGroup: theirs })).toBeUndefined();
    expect(await deviceOf('BUS1', { userId: userId + 1, memberGroup: mine })).toBeUndefined();
    expect(await deviceOf('OFF', { userId, memberGroup: mine })).toBeUndefined();
  });

  it('has the clock of a device in the order of its own time', async () => {
    const { incarnation } = bus;
    const steps = [
      { incarnation, device_from_ms: 2_000, offset_ms: -5 },
      { incarnation, device_from_ms: 1_000, offset_ms: 420_000 },
    ];
    await database.db.insertInto('device_clock').values(steps).execute();
    expect(await stores.trackSummary.clockOf(incarnation)).toEqual([
      { deviceFromMs: 1_000, offsetMs: 420_000 },
      { deviceFromMs: 2_000, offsetMs: -5 },
    ]);
    expect(await stores.trackSummary.clockOf(incarnation + 1)).toEqual([]);
  });

  it('has what overlaps a span, the earliest first, as many as are asked for', async () => {
    const { incarnation } = bus;
    const gaps = [50, 10, 30].map((from_ms) => ({ incarnation, from_ms, to_ms: from_ms + 10 }));
    await database.db.insertInto('track_gap').values(gaps).execute();
    const begins = async (fromMs: number, toMs: number, limit = 10) => {
      const found = await stores.trackSummary.gaps(incarnation, { fromMs, toMs }, limit);
      return found.map(({ from_ms }) => from_ms);
    };
    expect(await begins(0, 100)).toEqual([10, 30, 50]);
    expect(await begins(20, 50)).toEqual([10, 30]);
    expect(await begins(21, 30)).toEqual([]);
    expect(await begins(0, 100, 2)).toEqual([10, 30]);
    const span = { fromMs: 0, toMs: 999_999_999_999_999 };
    expect(await stores.trackSummary.trips(incarnation, span, 1)).toEqual([]);
    expect(await stores.trackSummary.stops(incarnation, span, 1)).toEqual([]);
  });
});
