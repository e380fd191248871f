import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';

describeOnBothEngines('the store of alarm limits', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  let bus: { readonly deviceId: string; readonly incarnation: number };
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db);
  });
  beforeEach(async () => {
    for (const table of ['device_alarm_limit', 'device', 'device_incarnation'] as const) {
      await database.db.deleteFrom(table).execute();
    }
    bus = await addBus();
  });
  afterAll(() => database.close());

  async function addBus() {
    const { deviceId, incarnation } = await stores.devices.insert({ deviceId: 'BUS1', name: 'Bus', chn: 1 });
    return { deviceId, incarnation };
  }

  const WANTED = { wanted: { maxSpeedKmh: 80, maskedAlarms: 0xffff_ffff }, version: 1, by: 'ann', atMs: wallMs(5) };

  it('keeps what is wanted beside what was said', async () => {
    const { alarmLimits } = stores;
    expect(await alarmLimits.find('BUS1')).toBeUndefined();
    await alarmLimits.report(bus, { reported: { maxSpeedKmh: 100 }, atMs: wallMs(4) });
    const reported = { reported: { maxSpeedKmh: 100 }, reportedAtMs: 4 };
    expect(await alarmLimits.find('BUS1')).toEqual({
      deviceId: 'BUS1',
      wanted: undefined,
      state: 'none',
      version: 0,
      writtenBy: '',
      writtenAtMs: 0,
      ...reported,
    });
    await alarmLimits.want(bus, WANTED);
    expect(await alarmLimits.find('BUS1')).toEqual({
      deviceId: 'BUS1',
      wanted: WANTED.wanted,
      state: 'waiting',
      version: 1,
      writtenBy: 'ann',
      writtenAtMs: 5,
      ...reported,
    });
  });

  it('changes the state of what is still wanted, from the states that are named', async () => {
    const { alarmLimits } = stores;
    const stateOf = async () => (await alarmLimits.find('BUS1'))?.state;
    await alarmLimits.want(bus, WANTED);
    await alarmLimits.setState(bus, 2, { from: ['waiting'], to: 'sent' });
    await alarmLimits.setState(bus, 1, { from: ['sent'], to: 'confirmed' });
    expect([await stateOf(), await alarmLimits.unconfirmed()]).toEqual(['waiting', []]);
    await alarmLimits.setState(bus, 1, { from: ['waiting', 'refused'], to: 'sent' });
    expect([await stateOf(), await alarmLimits.unconfirmed()]).toEqual(['sent', ['BUS1']]);
  });

  it('finds what waits though its order has ended or is not there', async () => {
    const { alarmLimits, deviceOrders } = stores;
    const lost = () => alarmLimits.waitingWithoutOrder('device.limits');
    await alarmLimits.want(bus, WANTED);
    expect(await lost()).toEqual([{ device: bus, version: 1, orderState: undefined }]);
    const order = { incarnation: bus.incarnation, message: 'setParameters', body: '{}', expiresAtMs: wallMs(99) };
    const why = { requestedBy: undefined, reference: 1 };
    const entryOf = () => ({ actor: '', action: 'device.autocommand', target: 'BUS1' }) as const;
    await deviceOrders.add({ ...order, ...why, token: 'other', reason: 'other' }, entryOf, wallMs(6));
    const id = await deviceOrders.add({ ...order, ...why, token: 'own', reason: 'device.limits' }, entryOf, wallMs(6));
    expect(await lost()).toEqual([]);
    await deviceOrders.finish([id ?? 0], { from: 'waiting', state: 'expired', atMs: wallMs(7) });
    expect(await lost()).toEqual([{ device: bus, version: 1, orderState: 'expired' }]);
    await alarmLimits.want(bus, { ...WANTED, wanted: {}, version: 2 });
    expect(await lost()).toEqual([]);
  });

  it('goes with the device, and takes nothing for one that is gone', async () => {
    const { alarmLimits, devices } = stores;
    await alarmLimits.want(bus, WANTED);
    await devices.remove('BUS1');
    const later = await addBus();
    await alarmLimits.report(bus, { reported: { maxSpeedKmh: 1 }, atMs: wallMs(10) });
    await alarmLimits.want(bus, WANTED);
    expect(await alarmLimits.find('BUS1')).toBeUndefined();
    await alarmLimits.want(later, { ...WANTED, by: 'bob' });
    expect(await alarmLimits.find('BUS1')).toMatchObject({ writtenBy: 'bob', reported: undefined });
  });
});
