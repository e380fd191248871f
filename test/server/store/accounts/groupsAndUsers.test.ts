import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';

const AT = wallMs(1_795_000_000_000);

describeOnBothEngines('groups and users', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db);
  });
  beforeEach(async () => {
    for (const table of ['app_user', 'member_group', 'device', 'device_group'] as const) {
      await database.db.deleteFrom(table).execute();
    }
  });
  afterAll(() => database.close());

  const addUser = (username: string): Promise<number> =>
    stores.users.insert({ username, passwordHash: 'hash', permissions: ['event', 'system'] }, AT);

  it('gives a user back as it was put in', async () => {
    const memberGroup = await stores.memberGroups.insert({ name: 'North' });
    const user = {
      username: 'Zoë',
      passwordHash: 'hash',
      permissions: ['event', 'no such thing'],
      disabled: true,
      wallMonitorAllowed: true,
      memberGroup,
      language: 'jp',
      displayName: 'Zoë Müller',
      timeZone: 'Asia/Tokyo',
      expiresAtMs: wallMs(AT + 9),
    } as const;
    const id = await stores.users.insert(user, AT);
    const rest = {
      email: '',
      phone: '',
      role: undefined,
      secondFactorRequired: false,
      createdAtMs: AT,
      passwordChangedAtMs: AT,
    };
    const whole = { id, ...user, ...rest };
    expect(await stores.users.find(id)).toEqual(whole);
    expect(await stores.users.list()).toEqual([whole]);
    expect(await stores.users.count()).toBe(1);
  });

  it('takes spellings of one name for one user', async () => {
    const id = await addUser('Zoë');
    // The second is written with a combining diaeresis.
    for (const spelling of ['zoë', 'ZOE\u0308', 'Zoë']) expect((await stores.users.findByName(spelling))?.id).toBe(id);
    expect(await stores.users.findByName('Zoe')).toBeUndefined();
    await expect(addUser('zoë')).rejects.toThrow();
  });

  it('changes a password, permissions, the disabled flag and the group, each alone', async () => {
    const id = await addUser('a');
    await stores.users.setPasswordHash(id, 'other', wallMs(AT + 5));
    await stores.users.setPermissions(id, ['report']);
    await stores.users.setDisabled(id, true);
    expect(await stores.users.find(id)).toMatchObject({
      passwordHash: 'other',
      passwordChangedAtMs: AT + 5,
      createdAtMs: AT,
      permissions: ['report'],
      disabled: true,
    });
    await stores.users.setDisabled(id, false);
    expect((await stores.users.find(id))?.disabled).toBe(false);
  });

  it('lists the member groups of a user and forgets those taken away', async () => {
    const id = await addUser('a');
    const north = await stores.memberGroups.insert({ name: 'North', retentionDays: 30, expiresAtMs: AT });
    const south = await stores.memberGroups.insert({ name: 'South' });
    await stores.memberGroups.insert({ name: 'East' });
    await stores.memberGroups.setGroupsOfUser(id, [south, north]);
    expect(await stores.memberGroups.listOfUser(id)).toEqual([
      { serialno: north, name: 'North', retentionDays: 30, expiresAtMs: AT },
      { serialno: south, name: 'South', retentionDays: 0, expiresAtMs: 0 },
    ]);
    expect((await stores.memberGroups.list()).map(({ name }) => name)).toEqual(['North', 'South', 'East']);
    expect(await stores.memberGroups.find(south)).toMatchObject({ name: 'South' });
    await stores.memberGroups.setGroupsOfUser(id, []);
    expect(await stores.memberGroups.listOfUser(id)).toEqual([]);
  });

  it('keeps the old groups of a user when one of the new ones does not exist', async () => {
    const id = await addUser('a');
    const north = await stores.memberGroups.insert({ name: 'North' });
    await stores.memberGroups.setGroupsOfUser(id, [north]);
    await expect(stores.memberGroups.setGroupsOfUser(id, [north, 999_999])).rejects.toThrow();
    expect((await stores.memberGroups.listOfUser(id)).map(({ name }) => name)).toEqual(['North']);
  });

  it('sees a device through a member group that owns its device group, and through no other', async () => {
    const id = await addUser('a');
    const buses = await stores.deviceGroups.insert('Buses');
    const trucks = await stores.deviceGroups.insert('Trucks');
    const north = await stores.memberGroups.insert({ name: 'North' });
    const south = await stores.memberGroups.insert({ name: 'South' });
    await stores.memberGroups.setDeviceGroups(north, [buses]);
    await stores.memberGroups.setDeviceGroups(south, [trucks]);
    await stores.memberGroups.setGroupsOfUser(id, [north, south]);
    await stores.devices.insert({ deviceId: 'BUS', name: 'B', chn: 1, deviceGroup: buses });
    await stores.devices.insert({ deviceId: 'LOOSE', name: 'L', chn: 1 });
    const sees = stores.memberGroups.userSeesDevice;
    expect(await sees(id, 'BUS')).toBe(true);
    expect(await sees(id, 'BUS', north)).toBe(true);
    expect(await sees(id, 'BUS', south)).toBe(false);
    expect(await sees(id, 'LOOSE')).toBe(false);
    expect(await sees(id, 'NOBODY')).toBe(false);
    expect(await sees(id + 1, 'BUS')).toBe(false);
    await stores.memberGroups.setDeviceGroups(north, []);
    expect(await sees(id, 'BUS')).toBe(false);
  });

  it('renames and removes device groups', async () => {
    const group = await stores.deviceGroups.insert('Old');
    expect(await stores.deviceGroups.rename(group, 'New')).toBe(true);
    expect(await stores.deviceGroups.list()).toEqual([{ serialno: group, name: 'New' }]);
    expect(await stores.deviceGroups.remove(group)).toBe(true);
    expect(await stores.deviceGroups.remove(group)).toBe(false);
    expect(await stores.deviceGroups.rename(group, 'x')).toBe(false);
  });

  it('leaves a user without a group when the group is removed', async () => {
    const group = await stores.memberGroups.insert({ name: 'Gone' });
    const id = await stores.users.insert({ username: 'a', passwordHash: 'h', permissions: [], memberGroup: group }, AT);
    await stores.memberGroups.setGroupsOfUser(id, [group]);
    expect(await stores.memberGroups.remove(group)).toBe(true);
    expect((await stores.users.find(id))?.memberGroup).toBeUndefined();
    expect(await stores.memberGroups.listOfUser(id)).toEqual([]);
  });
});
