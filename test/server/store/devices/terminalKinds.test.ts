import { afterAll, beforeAll, expect, it } from 'vitest';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';

describeOnBothEngines('the store of kinds of terminals', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db);
  });
  afterAll(() => database.close());

  async function add(deviceId: string, chn: number, firmwareVersion?: string): Promise<void> {
    const { incarnation } = await stores.devices.insert({ deviceId, name: deviceId, chn });
    if (firmwareVersion === undefined) return;
    const said = { manufacturer: 'FLGLS', model: 'S', hardwareVersion: 'H', firmwareVersion };
    await stores.terminalAttributes.keep(incarnation, {
      ...said,
      terminalId: deviceId,
      iccid: '89860012345678901234',
      reportedAtMs: wallMs(1),
    });
  }

  it('counts devices by what their terminals say, the most frequent kinds first', async () => {
    expect(await stores.terminalKinds.count(10)).toEqual([]);
    await add('A', 4, '1.0');
    await add('B', 4, '2.0');
    await add('C', 4, '2.0');
    await add('D', 8, '2.0');
    for (const silent of ['E', 'F', 'G']) await add(silent, 1);
    const said = { manufacturer: 'FLGLS', model: 'S', hardwareVersion: 'H', edition: '' };
    const silent = { manufacturer: '', model: '', hardwareVersion: '', firmwareVersion: '', edition: '' };
    const kinds = await stores.terminalKinds.count(10);
    expect(kinds.slice(0, 2)).toEqual([
      { ...silent, channels: 1, devices: 3 },
      { ...said, firmwareVersion: '2.0', channels: 4, devices: 2 },
    ]);
    expect(kinds.slice(2)).toEqual([
      { ...said, firmwareVersion: '1.0', channels: 4, devices: 1 },
      { ...said, firmwareVersion: '2.0', channels: 8, devices: 1 },
    ]);
    expect(await stores.terminalKinds.count(1)).toEqual(kinds.slice(0, 1));
  });
});
