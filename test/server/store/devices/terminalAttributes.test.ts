import { afterAll, beforeAll, expect, it } from 'vitest';
import type { StoredAttributes } from '../../../../server/store/devices/terminalAttributes.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';

const SAID: StoredAttributes = {
  manufacturer: 'FLGLS',
  model: 'Simulator',
  terminalId: '0000001',
  iccid: '89860000000000000001',
  hardwareVersion: 'S1',
  firmwareVersion: '1.0',
  reportedAtMs: wallMs(1_795_000_000_000),
};

describeOnBothEngines('the store of what terminals say of themselves', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db);
  });
  afterAll(() => database.close());

  const add = (deviceId: string) => stores.devices.insert({ deviceId, name: 'Bus', chn: 1 });

  it('keeps what was said last, of each device', async () => {
    const { terminalAttributes } = stores;
    const { incarnation } = await add('BUS1');
    const other = await add('BUS2');
    expect(await terminalAttributes.find(incarnation)).toBeUndefined();
    await terminalAttributes.keep(incarnation, SAID);
    await terminalAttributes.keep(other.incarnation, { ...SAID, model: 'Other' });
    const later = { ...SAID, firmwareVersion: '2.0', iccid: '', reportedAtMs: wallMs(SAID.reportedAtMs + 1) };
    await terminalAttributes.keep(incarnation, later);
    expect(await terminalAttributes.find(incarnation)).toEqual(later);
    expect(await terminalAttributes.find(other.incarnation)).toMatchObject({ model: 'Other', firmwareVersion: '1.0' });
  });

  it('keeps text that the engine would refuse', async () => {
    const { incarnation } = await add('BUS3');
    await stores.terminalAttributes.keep(incarnation, { ...SAID, model: 'a\u0000b' });
    expect(await stores.terminalAttributes.find(incarnation)).toMatchObject({ model: 'a\ufffdb' });
  });

  it('keeps nothing of a device that is gone', async () => {
    const { incarnation } = await add('BUS4');
    await stores.devices.remove('BUS4');
    await stores.terminalAttributes.keep(incarnation, SAID);
    expect(await stores.terminalAttributes.find(incarnation)).toBeUndefined();
    await stores.terminalAttributes.keep(incarnation + 1_000, SAID);
  });
});
