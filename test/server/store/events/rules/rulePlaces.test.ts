import { afterAll, beforeAll, expect, it } from 'vitest';
import { createStores, type Stores } from '../../../../../server/store/stores.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../../testDatabase.ts';

describeOnBothEngines('where rules apply', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db);
  });
  afterAll(() => database.close());

  it('is every device with its group and zone, and the group above each group', async () => {
    const [north, port] = [await stores.deviceGroups.insert('North'), await stores.deviceGroups.insert('Port')];
    await database.db.updateTable('device_group').set({ parent: north }).where('serialno', '=', port).execute();
    const device = { name: 'Bus', chn: 1 };
    const inPort = await stores.devices.insert({ ...device, deviceId: 'BUS1', deviceGroup: port });
    await stores.devices.insert({ ...device, deviceId: 'BUS2' });
    const changed = { disabled: 1, time_zone: 'Asia/Taipei', auth_code_hash: 'x' };
    await database.db.updateTable('device').set(changed).where('device_id', '=', 'BUS2').execute();
    const { devices, parents } = await stores.rulePlaces.places();
    expect(parents).toEqual(
      new Map([
        [north, undefined],
        [port, north],
      ]),
    );
    expect(devices.toSorted((a, b) => a.deviceId.localeCompare(b.deviceId))).toMatchObject([
      {
        deviceId: 'BUS1',
        archiveNumber: inPort.archiveNumber,
        deviceGroup: port,
        timeZone: '',
        disabled: false,
        wasSeen: false,
      },
      { deviceId: 'BUS2', deviceGroup: undefined, timeZone: 'Asia/Taipei', disabled: true, wasSeen: true },
    ]);
  });
});
