import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';

describeOnBothEngines('the device store', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db);
  });
  beforeEach(async () => {
    await database.db.deleteFrom('device').execute();
  });
  afterAll(() => database.close());

  it('gives a device back as it was put in, by id and by terminal number', async () => {
    const group = await stores.deviceGroups.insert('North');
    const device = {
      deviceId: 'DEV1',
      archiveId: 'DEV1@a',
      name: 'Bus 1',
      plate: '粤B12345',
      terminal: { canonical: '13800138000', raw: '013800138000' },
      edition: '2019',
      identity: { manufacturer: '44030', terminalId: 'T1' },
      authCodeHash: 'ab'.repeat(32),
      chn: 4,
      installchs: '1011',
      ptzchs: '0001',
      talkchs: '1000',
      deviceGroup: group,
      disabled: true,
      anyMediaAddress: true,
      channelsFromZero: true,
      createdAtMs: wallMs(1_795_000_000_123),
      timeZone: 'Asia/Taipei',
    } as const;
    const stored = { ...device, incarnation: expect.any(Number), archiveNumber: expect.any(Number) };
    expect(await stores.devices.insert(device)).toEqual(stored);
    expect(await stores.devices.findByDeviceId('DEV1')).toEqual(stored);
    expect(await stores.devices.findByTerminal('13800138000')).toEqual(stored);
    expect(await stores.devices.findByTerminal('013800138000')).toBeUndefined();
  });

  it('takes every channel as installed and no terminal when nothing else is said', async () => {
    const device = await stores.devices.insert({ deviceId: 'DEV2', name: 'Bus 2', chn: 3 });
    expect(device).toMatchObject({
      installchs: '111',
      ptzchs: '000',
      talkchs: '000',
      disabled: false,
      anyMediaAddress: false,
      channelsFromZero: false,
    });
    expect(device.terminal).toBeUndefined();
    expect(device.identity).toBeUndefined();
  });

  it.each(['', '.', '..', 'a/b', 'a\\b', 'a@1', 'a?b', 'a#b', 'a\u0000', '\ud800', 'x'.repeat(65)])(
    'refuses %j as an id: it would mean something in an address or a path',
    async (deviceId) => {
      await expect(stores.devices.insert({ deviceId, name: 'x', chn: 1 })).rejects.toThrow(RangeError);
    },
  );

  it.each(['DEV1', 'A&B=1', '...', '粤B12345', 'x y', 'x'.repeat(64)])('takes %j as an id', async (deviceId) => {
    await stores.devices.insert({ deviceId, name: 'x', chn: 1 });
    expect((await stores.devices.findByDeviceId(deviceId))?.deviceId).toBe(deviceId);
  });

  it('lists by device id', async () => {
    for (const deviceId of ['C', 'A', 'B']) await stores.devices.insert({ deviceId, name: deviceId, chn: 1 });
    expect((await stores.devices.list()).map((device) => device.deviceId)).toEqual(['A', 'B', 'C']);
  });

  it('refuses an id and a terminal number that are taken', async () => {
    const terminal = { canonical: '7', raw: '000000000007' };
    await stores.devices.insert({ deviceId: 'A', name: 'A', chn: 1, terminal });
    await expect(stores.devices.insert({ deviceId: 'A', name: 'again', chn: 1 })).rejects.toThrow();
    await expect(stores.devices.insert({ deviceId: 'B', name: 'B', chn: 1, terminal })).rejects.toThrow();
    expect((await stores.devices.list()).map((device) => device.name)).toEqual(['A']);
  });

  it('changes what is named and nothing else', async () => {
    const before = await stores.devices.insert({ deviceId: 'A', name: 'A', chn: 2, plate: 'P', edition: '2013' });
    expect(await stores.devices.update('A', { name: 'B', edition: undefined, disabled: true })).toBe(true);
    const after = await stores.devices.findByDeviceId('A');
    expect(after).toEqual({ ...before, name: 'B', edition: undefined, disabled: true });
    expect(await stores.devices.update('nobody', { name: 'B' })).toBe(false);
    expect(await stores.devices.update('nobody', {})).toBe(false);
    expect(await stores.devices.update('A', {})).toBe(true);
  });

  it('sets the code that a terminal signs in with, and takes it away', async () => {
    await stores.devices.insert({ deviceId: 'A', name: 'A', chn: 1 });
    const approval = { address: '192.0.2.7', untilMs: 5 };
    await stores.devices.update('A', { pendingCodeHash: 'next', signInAddress: '192.0.2.1', approval });
    await stores.devices.setAuthCodeHash('A', 'hash');
    expect(await stores.devices.findByDeviceId('A')).toMatchObject({
      authCodeHash: 'hash',
      pendingCodeHash: 'next',
      signInAddress: '192.0.2.1',
      approval,
    });
    await stores.devices.setAuthCodeHash('A', undefined);
    expect((await stores.devices.findByDeviceId('A'))?.authCodeHash).toBeUndefined();
  });

  it('removes a device together with its positions', async () => {
    const { incarnation } = await stores.devices.insert({ deviceId: 'A', name: 'A', chn: 1 });
    await stores.positions.append([
      {
        deviceId: 'A',
        incarnation,
        deviceTimeMs: wallMs(1),
        receivedAtMs: wallMs(2),
        latitude: 22.5,
        longitude: 114.1,
        altitudeM: 10,
        speedKmh: 30.5,
        headingDeg: 90,
        alarmBits: 0,
        statusBits: 3,
        extra: {},
      },
    ]);
    expect(await stores.devices.remove('A')).toBe(true);
    expect(await stores.devices.remove('A')).toBe(false);
    expect(await stores.positions.latest('A')).toBeUndefined();
  });

  it('keeps a device whose group is removed, in no group', async () => {
    const group = await stores.deviceGroups.insert('South');
    await stores.devices.insert({ deviceId: 'A', name: 'A', chn: 1, deviceGroup: group });
    expect(await stores.deviceGroups.remove(group)).toBe(true);
    expect((await stores.devices.findByDeviceId('A'))?.deviceGroup).toBeUndefined();
  });
});
