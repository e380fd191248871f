// A device that has the id of one that was deleted: what is the same device's, and what is nobody else's.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { NewDeviceRecord } from '../../../../server/store/devices/deviceRecordRows.ts';
import type { Device } from '../../../../server/store/devices/devices.ts';
import type { Position } from '../../../../server/store/fleet/positions.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { newDeviceRecord } from '../../../support/newDeviceRecord.ts';
import { anEvent } from '../events/anEvent.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';

const AT = wallMs(1_795_000_000_000);

function record(deviceId: string, deviceGroup: number | undefined): NewDeviceRecord {
  return newDeviceRecord(deviceId, { deviceGroup, chn: 1, installchs: '1' });
}

describeOnBothEngines('a device id that is used again', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  let north: number;
  let south: number;
  /** Device groups of one member group, of the other, of both and of none. */
  let groups: { readonly north: number; readonly south: number; readonly both: number; readonly nobody: number };
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db);
    north = await stores.memberGroups.insert({ name: 'North', retentionDays: 20 });
    south = await stores.memberGroups.insert({ name: 'South', retentionDays: 5 });
    const [first, second, both, nobody] = [
      await stores.deviceGroups.insert('N'),
      await stores.deviceGroups.insert('S'),
      await stores.deviceGroups.insert('NS'),
      await stores.deviceGroups.insert('0'),
    ];
    await stores.memberGroups.setDeviceGroups(north, [first, both]);
    await stores.memberGroups.setDeviceGroups(south, [second, both]);
    groups = { north: first, south: second, both, nobody };
  });
  beforeEach(async () => {
    for (const table of ['position', 'event', 'evidence_hold', 'device', 'device_incarnation'] as const) {
      await database.db.deleteFrom(table).execute();
    }
    for (const { archiveId } of await stores.deviceRecords.removals())
      await stores.deviceRecords.removalDone(archiveId);
  });
  afterAll(() => database.close());

  async function found(deviceId = 'X'): Promise<Device> {
    const device = await stores.devices.findByDeviceId(deviceId);
    if (device === undefined) throw new Error(`no device ${deviceId}`);
    return device;
  }
  async function add(group: keyof typeof groups | undefined, deviceId = 'X'): Promise<Device> {
    const deviceGroup = group === undefined ? undefined : groups[group];
    expect(await stores.deviceRecords.insert(record(deviceId, deviceGroup), [], AT)).toMatchObject({ ok: true });
    return found(deviceId);
  }
  async function remove(recordings = false, deviceId = 'X'): Promise<void> {
    expect(await stores.deviceRecords.remove({ deviceId, version: 1 }, { recordings, at: AT })).toMatchObject({
      ok: true,
    });
  }
  const position = ({ deviceId, incarnation }: Device, deviceTimeMs: number): Position => ({
    deviceId,
    incarnation,
    deviceTimeMs: wallMs(deviceTimeMs),
    receivedAtMs: AT,
    latitude: 1,
    longitude: 2,
    altitudeM: 0,
    speedKmh: 0,
    headingDeg: 0,
    alarmBits: 1,
    statusBits: 0,
    extra: {},
  });

  it.each([
    ['the same member group adds it', 'north', 'north', true],
    ['another one adds it', 'north', 'south', false],
    ['it is added to a group that its owner shares with another one', 'north', 'both', false],
    ['one of those that shared it adds it', 'both', 'north', true],
    ['all of those that shared it have it again', 'both', 'both', true],
    ['it is in a group that nobody owns', 'north', 'nobody', false],
    ['it was in a group that nobody owned', 'nobody', 'nobody', false],
    ['it is in no group', 'north', undefined, false],
  ] as const)('has its recordings when %s: %#', async (_when, before, after, isSame) => {
    const first = await add(before);
    await remove();
    const second = await add(after);
    expect(second.incarnation).not.toBe(first.incarnation);
    expect(second.archiveId === first.archiveId).toBe(isSame);
    expect(second.archiveId.startsWith('X@')).toBe(true);
  });

  it('has the recordings of its own owner again, whoever had the id in between', async () => {
    const first = await add('north');
    await remove();
    const between = await add('south');
    await remove();
    const again = await add('north');
    expect([again.archiveId, between.archiveId === first.archiveId]).toEqual([first.archiveId, false]);
    await remove();
    expect((await add('south')).archiveId).toBe(between.archiveId);
  });

  it('goes by the groups that own it when it is deleted: with a device that is moved its past is', async () => {
    const first = await add('north');
    await stores.deviceRecords.move(['X'], groups.south, {
      scope: { groups: [groups.north], ungrouped: false },
      at: AT,
    });
    expect((await found()).archiveId).toBe(first.archiveId);
    await stores.deviceRecords.remove({ deviceId: 'X', version: 2 }, { recordings: false, at: AT });
    const second = await add('north');
    expect(second.archiveId).not.toBe(first.archiveId);
    await remove();
    expect((await add('south')).archiveId).toBe(first.archiveId);
  });

  it('begins anew where the recordings were deleted with the device', async () => {
    const first = await add('north');
    await remove(true);
    expect((await add('north')).archiveId).not.toBe(first.archiveId);
    expect(await stores.deviceRecords.removals()).toMatchObject([{ archiveId: first.archiveId }]);
  });

  it('is judged alike when a list is imported', async () => {
    const [kept, foreign] = [await add('north', 'A'), await add('south', 'B')];
    await remove(false, 'A');
    await remove(false, 'B');
    const added = ['A', 'B', 'C'].map((deviceId) => record(deviceId, groups.north));
    expect(await stores.deviceRecords.import({ added, changed: [] }, AT)).toBe(true);
    expect((await found('A')).archiveId).toBe(kept.archiveId);
    expect((await found('B')).archiveId).not.toBe(foreign.archiveId);
    expect(new Set((await stores.devices.list()).map(({ incarnation }) => incarnation)).size).toBe(3);
  });

  it('shows no position of the former device, to its own owner neither', async () => {
    const first = await add('north');
    await stores.positions.append([position(first, 5), position(first, 6)]);
    await remove();
    // What was on its way when the device was deleted comes after it.
    await stores.positions.append([position(first, 7)]);
    const second = await add('north');
    expect(await stores.positions.latest('X')).toBeUndefined();
    expect(await stores.positions.between('X', { fromMs: 0, toMs: 99 }, 10)).toEqual([]);
    expect(await stores.fleet.lastReports(99)).toEqual([]);
    await stores.positions.append([position(second, 8)]);
    expect(await stores.fleet.lastReports(99)).toMatchObject([{ deviceTimeMs: 8, incarnation: second.incarnation }]);
  });

  it.each([
    ['the same member group adds it', 'north', [{ deviceId: 'X', count: 1 }]],
    ['another one adds it', 'south', []],
  ] as const)('has the events of the former device with its archive when %s', async (_when, group, devices) => {
    const first = await add('north');
    await stores.eventLog.write({ added: [anEvent({ archiveNumber: first.archiveNumber })], changed: [], days: [] });
    await remove();
    const second = await add(group);
    expect(second.archiveNumber === first.archiveNumber).toBe(second.archiveId === first.archiveId);
    const { north, south } = groups;
    expect((await stores.eventFigures.summary([north, south], 0, 9)).devices).toEqual(devices);
  });

  it('leaves the former device’s archive to those who owned it, and to nobody else', async () => {
    const passwordHash = 'h';
    const user = await stores.users.insert({ username: `u-${engine}`, passwordHash, permissions: [] }, AT);
    await stores.memberGroups.setGroupsOfUser(user, [north, south]);
    const first = await add('north');
    const ownership = async (memberGroup: number) =>
      (await stores.archives.ownerships([first.archiveId], { userId: user, memberGroup })).get(first.archiveId);
    expect([await ownership(north), await ownership(south)]).toEqual(['device', undefined]);
    await remove();
    await add('south');
    expect([await ownership(north), await ownership(south)]).toEqual(['former', undefined]);
    expect(await stores.archives.formerRetentions()).toEqual(new Map([[first.archiveId, [20]]]));
    await stores.memberGroups.setGroupsOfUser(user, [south]);
    expect([await ownership(north), await ownership(south)]).toEqual([undefined, undefined]);
    expect(await stores.archives.ids()).toEqual(expect.arrayContaining([first.archiveId]));
    await stores.memberGroups.setGroupsOfUser(user, [south]);
    const nobodys = await stores.archives.ownerships(['X@lost'], { userId: user, memberGroup: south });
    expect(nobodys.get('X@lost')).toBe('ownerless');
  });
});
