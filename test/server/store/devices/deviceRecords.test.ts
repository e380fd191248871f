import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { DeviceListQuery, DevicePageQuery } from '../../../../server/store/devices/deviceList.ts';
import type { NewDeviceRecord } from '../../../../server/store/devices/deviceRecordRows.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { newDeviceRecord } from '../../../support/newDeviceRecord.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';

const AT = wallMs(1_795_000_000_000);
const ALL = { search: '', sort: 'name', descending: false } as const;
const POLICY = { mode: 'always', quality: 'main', schedule: [], retentionDays: 7 } as const;

function device(deviceId: string, more: Partial<NewDeviceRecord> = {}): NewDeviceRecord {
  return newDeviceRecord(deviceId, {
    name: `Bus ${deviceId}`,
    chn: 2,
    channelNames: ['Front'],
    installchs: '11',
    ...more,
  });
}

const pageOf = (query: DeviceListQuery, offset: number, limit: number): DevicePageQuery => ({
  ...query,
  limit,
  position: { at: 'offset', offset },
});

describeOnBothEngines('the records of devices', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  let group: number;
  let query: DeviceListQuery;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db);
  });
  beforeEach(async () => {
    for (const table of ['device', 'device_group', 'unknown_terminal', 'recording_policy'] as const) {
      await database.db.deleteFrom(table).execute();
    }
    group = await stores.deviceGroups.insert('Depot');
    query = { ...ALL, groups: [group], ungrouped: false };
  });
  afterAll(() => database.close());

  const add = (...devices: NewDeviceRecord[]) =>
    Promise.all(devices.map((each) => stores.deviceRecords.insert(each, [], AT)));
  const inGroup = (deviceId: string, more: Partial<NewDeviceRecord> = {}) =>
    device(deviceId, { deviceGroup: group, ...more });

  it('are given back as they were put in', async () => {
    const given = inGroup('A', {
      name: '台北 1',
      plate: 'ABC-1',
      terminal: '013800000001',
      edition: '2019',
      model: 'M',
      sim: '8986',
      timeZone: 'Asia/Taipei',
      icon: 'bus',
      notes: 'two\nlines',
      anyMediaAddress: true,
      channelsFromZero: true,
      disabled: true,
      ptzchs: '01',
      talkchs: '10',
      identity: { manufacturer: '44030', terminalId: 'T1' },
    });
    const answer = await stores.deviceRecords.insert(given, [{ channel: 2, policy: POLICY }], AT);
    const stored = { ...given, terminal: '13800000001', version: 1, groupName: 'Depot', createdAtMs: AT };
    expect(answer).toEqual({ ok: true, record: { ...stored, changedAtMs: AT } });
    expect(await stores.deviceRecords.find('A')).toEqual({ ...stored, changedAtMs: AT });
    expect(await stores.recordingPolicies.listOf('A')).toEqual([{ deviceId: 'A', channel: 2, ...POLICY }]);
    expect((await stores.devices.findByTerminal('13800000001'))?.terminal?.raw).toBe('013800000001');
  });

  it('refuse an id and a terminal that are taken, each by its name', async () => {
    await add(inGroup('A', { terminal: '7' }));
    expect(await stores.deviceRecords.insert(inGroup('A'), [], AT)).toMatchObject({
      reason: 'taken',
      field: 'deviceid',
    });
    const rival = await stores.deviceRecords.insert(inGroup('B', { terminal: '007' }), [], AT);
    expect(rival).toMatchObject({ reason: 'taken', field: 'terminal' });
  });

  it('are as many as there may be, and no more for two who add at once', async () => {
    const insert = (deviceId: string, maxDevices: number) =>
      stores.deviceRecords.insert(inGroup(deviceId), [], AT, maxDevices);
    await add(inGroup('A'));
    const answers = await Promise.all(['B', 'C', 'D', 'E'].map((deviceId) => insert(deviceId, 3)));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(2);
    for (const answer of answers) if (!answer.ok) expect(answer.reason).toBe('full');
    const imported = (ids: readonly string[], maxDevices: number) =>
      stores.deviceRecords.import({ added: ids.map((deviceId) => inGroup(deviceId)), changed: [] }, AT, maxDevices);
    expect(await imported(['F', 'G'], 4)).toBe(false);
    expect(await stores.deviceRecords.find('F')).toBeUndefined();
    const both = await Promise.all([imported(['F'], 4), imported(['G'], 4)]);
    expect(both.filter(Boolean)).toHaveLength(1);
    // What is there beyond a smaller license stays, and can be changed.
    expect(await imported([], 1)).toBe(true);
    expect(await insert('H', 1)).toMatchObject({ reason: 'full' });
    expect(await insert('H', 0)).toMatchObject({ ok: true });
  });

  it('change by version: who comes second is told what is there', async () => {
    await add(inGroup('A'));
    const fields = inGroup('A', { name: 'First' });
    const first = await stores.deviceRecords.change({ deviceId: 'A', version: 1, fields }, undefined, AT);
    expect(first).toMatchObject({ ok: true, record: { name: 'First', version: 2 } });
    const second = { deviceId: 'A', version: 1, fields: inGroup('A', { name: 'Second' }) };
    const answer = await stores.deviceRecords.change(second, undefined, AT);
    expect(answer).toMatchObject({ ok: false, reason: 'conflict', current: { name: 'First', version: 2 } });
    expect((await stores.deviceRecords.find('A'))?.name).toBe('First');
    const gone = await stores.deviceRecords.change({ ...second, deviceId: 'X' }, undefined, AT);
    expect(gone).toEqual({ ok: false, reason: 'gone' });
  });

  it('forget the code and identity of a terminal when its number changes, and only then', async () => {
    await add(inGroup('A', { terminal: '7', identity: { manufacturer: 'm', terminalId: 't' } }));
    await stores.devices.update('A', { authCodeHash: 'hash', pendingCodeHash: 'next', signInAddress: '192.0.2.1' });
    const same = inGroup('A', { terminal: '0007', name: 'Renamed' });
    await stores.deviceRecords.change({ deviceId: 'A', version: 1, fields: same }, undefined, AT);
    expect(await stores.devices.findByDeviceId('A')).toMatchObject({
      authCodeHash: 'hash',
      identity: { terminalId: 't' },
    });
    const other = inGroup('A', { terminal: '8' });
    await stores.deviceRecords.change({ deviceId: 'A', version: 2, fields: other }, undefined, AT);
    const after = await stores.devices.findByDeviceId('A');
    expect([after?.authCodeHash, after?.identity, after?.terminal?.canonical]).toEqual([undefined, undefined, '8']);
    expect([after?.pendingCodeHash, after?.signInAddress]).toEqual([undefined, undefined]);
  });

  it('list as people count and write: 2 before 10, small and wide letters found by plain ones', async () => {
    await add(
      inGroup('A', { name: 'Bus 10' }),
      inGroup('B', { name: 'bus 2' }),
      inGroup('C', { name: 'ＢＵＳ ３ ÄRGER' }),
    );
    expect(await stores.deviceRecords.ids(query)).toEqual(['B', 'C', 'A']);
    expect(await stores.deviceRecords.ids({ ...query, descending: true })).toEqual(['A', 'C', 'B']);
    expect(await stores.deviceRecords.ids({ ...query, search: 'BUS 3 ärger' })).toEqual(['C']);
    await stores.devices.update('A', { name: 'Bus 1' });
    expect(await stores.deviceRecords.ids(query)).toEqual(['A', 'B', 'C']);
  });

  it('take what was searched as it stands, wildcards too', async () => {
    await add(
      inGroup('A', { notes: 'x', plate: '100%' }),
      inGroup('B', { plate: '1000' }),
      inGroup('C_1'),
      inGroup('C11'),
    );
    expect(await stores.deviceRecords.ids({ ...query, search: '100%' })).toEqual(['A']);
    expect(await stores.deviceRecords.ids({ ...query, search: 'c_1' })).toEqual(['C_1']);
    expect(await stores.deviceRecords.ids({ ...query, search: '\\' })).toEqual([]);
  });

  it('show nothing of other groups, in pages and counts', async () => {
    const other = await stores.deviceGroups.insert('Other');
    await add(inGroup('A'), inGroup('B'), device('C', { deviceGroup: other }), device('D'));
    const total = async (scope: Partial<DeviceListQuery>) =>
      (await stores.deviceRecords.page(pageOf({ ...query, ...scope }, 0, 9)))?.total;
    expect(await total({})).toBe(2);
    expect(await total({ ungrouped: true })).toBe(3);
    expect(await total({ groups: [] })).toBe(0);
    const page = await stores.deviceRecords.page(pageOf({ ...query, groups: [group, other] }, 1, 1));
    expect(page?.rows.map(({ deviceId, groupName }) => [deviceId, groupName])).toEqual([['B', 'Depot']]);
  });

  it.each(['deviceid', 'plate', 'terminal', 'group', 'edition', 'model', 'chn', 'disabled'] as const)(
    'are sorted by %s in both directions',
    async (sort) => {
      const second = await stores.deviceGroups.insert('E');
      const low = { plate: 'A9', terminal: '9', edition: '2013', model: 'A', chn: 2, disabled: false } as const;
      const high = { plate: 'A10', terminal: '10', edition: '2019', model: 'B', chn: 10, disabled: true } as const;
      await add(inGroup('D9', low), device('D10', { ...high, deviceGroup: second }));
      const both = { ...query, groups: [group, second], sort };
      expect(await stores.deviceRecords.ids(both)).toEqual(['D9', 'D10']);
      expect(await stores.deviceRecords.ids({ ...both, descending: true })).toEqual(['D10', 'D9']);
    },
  );

  it.each([false, true])(
    'come in pages of a list by group as the whole list has them, descending: %s',
    async (descending) => {
      const sameName = await stores.deviceGroups.insert('DEPOT');
      const groups = [group, sameName, await stores.deviceGroups.insert('A'), await stores.deviceGroups.insert('Z')];
      for (let at = 0; at < 14; at++) await add(device(`D${(at * 5) % 14}`, { deviceGroup: groups[at % 5] }));
      const all = { ...query, groups, ungrouped: true, sort: 'group', descending } as const;
      const whole = await stores.deviceRecords.ids(all);
      expect(whole).toHaveLength(14);
      for (let offset = 0; offset <= whole.length; offset++) {
        const page = await stores.deviceRecords.page(pageOf(all, offset, 4));
        expect(page?.rows.map(({ deviceId }) => deviceId)).toEqual(whole.slice(offset, offset + 4));
        expect([page?.next !== undefined, page?.previous !== undefined]).toEqual([
          offset + 4 < whole.length,
          offset > 0 && offset < whole.length,
        ]);
      }
    },
  );

  it('move as far as they are in scope', async () => {
    const other = await stores.deviceGroups.insert('Other');
    const hidden = await stores.deviceGroups.insert('Hidden');
    await add(inGroup('A'), device('B', { deviceGroup: other }), device('C', { deviceGroup: hidden }));
    const scope = { groups: [group, other], ungrouped: false };
    expect(await stores.deviceRecords.move(['A', 'B', 'C', 'X'], other, { scope, at: AT })).toEqual(['A']);
    expect(await stores.deviceRecords.find('A')).toMatchObject({ deviceGroup: other, version: 2 });
    expect(await stores.deviceRecords.find('C')).toMatchObject({ deviceGroup: hidden, version: 1 });
  });

  it('go with their policies, and leave word that their recordings are to go', async () => {
    await stores.deviceRecords.insert(inGroup('A'), [{ channel: 0, policy: POLICY }], AT);
    const { archiveId } = (await stores.devices.findByDeviceId('A')) ?? { archiveId: '' };
    const stale = await stores.deviceRecords.remove({ deviceId: 'A', version: 9 }, { recordings: true, at: AT });
    expect(stale).toMatchObject({ ok: false, reason: 'conflict' });
    expect(await stores.deviceRecords.removals()).toEqual([]);
    await stores.deviceRecords.remove({ deviceId: 'A', version: 1 }, { recordings: true, at: AT });
    expect(await stores.deviceRecords.find('A')).toBeUndefined();
    expect(await stores.recordingPolicies.listOf('A')).toEqual([]);
    expect(await stores.deviceRecords.removals()).toEqual([{ archiveId, upToMs: AT }]);
    await stores.deviceRecords.removalDone(archiveId);
    expect(await stores.deviceRecords.removals()).toEqual([]);
  });

  it('are imported as a whole or not at all', async () => {
    await add(inGroup('A', { terminal: '1' }), inGroup('B', { terminal: '2' }));
    const swap = (deviceId: string, terminal: string) => ({
      deviceId,
      version: 1,
      fields: inGroup(deviceId, { terminal }),
      hasNewTerminal: true,
    });
    const stale = { added: [inGroup('C')], changed: [{ ...swap('A', '9'), version: 7 }] };
    expect(await stores.deviceRecords.import(stale, AT)).toBe(false);
    const taken = { added: [inGroup('C'), inGroup('D', { terminal: '1' })], changed: [] };
    expect(await stores.deviceRecords.import(taken, AT)).toBe(false);
    expect(await stores.deviceRecords.find('C')).toBeUndefined();
    const good = { added: [inGroup('C', { terminal: '3' })], changed: [swap('A', '2'), swap('B', '1')] };
    expect(await stores.deviceRecords.import(good, AT)).toBe(true);
    const page = await stores.deviceRecords.page(pageOf(query, 0, 9));
    expect(page?.rows.map(({ terminal }) => terminal)).toEqual(['2', '1', '3']);
  });
});

describeOnBothEngines('the tree of device groups', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  let own: number;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db);
  });
  beforeEach(async () => {
    for (const table of ['device', 'device_group', 'member_group'] as const) {
      await database.db.deleteFrom(table).execute();
    }
    own = await stores.memberGroups.insert({ name: 'Own' });
  });
  afterAll(() => database.close());

  async function add(name: string, parent?: number, before?: number): Promise<number> {
    const among = (await stores.deviceTree.visible(own)).map(({ serialno }) => serialno);
    const answer = await stores.deviceTree.add({ name, parent, before, among }, own);
    if (!answer.ok) throw new Error(answer.reason);
    return answer.group.serialno;
  }
  const names = async (memberGroup = own) => (await stores.deviceTree.visible(memberGroup)).map(({ name }) => name);

  it('keeps its order, and puts a group where it is told to', async () => {
    const first = await add('A');
    await add('B');
    await add('C', undefined, first);
    expect(await names()).toEqual(['C', 'A', 'B']);
  });

  it('gives a new group to the member groups that own the one above it', async () => {
    const other = await stores.memberGroups.insert({ name: 'Other' });
    const top = await add('Top');
    await stores.memberGroups.setDeviceGroups(other, [top]);
    const under = await add('Under', top);
    expect(await names(other)).toEqual(['Top', 'Under']);
    expect(await stores.deviceTree.visible(own)).toMatchObject([{ owned: true }, { serialno: under, parent: top }]);
  });

  it('refuses a second group of one name beside the first, one in itself, and one that somebody has changed', async () => {
    const top = await add('Top');
    const under = await add('Under', top);
    const among = [top, under];
    const change = (serialno: number, version: number, name: string, parent?: number) =>
      stores.deviceTree.change({ serialno, version }, { name, parent, among });
    expect(await change(under, 1, 'Top')).toEqual({ ok: false, reason: 'name-taken' });
    expect(await change(top, 1, 'Top', under)).toEqual({ ok: false, reason: 'cycle' });
    expect(await change(top, 1, 'Top', top)).toEqual({ ok: false, reason: 'cycle' });
    expect(await change(top, 2, 'Renamed')).toEqual({ ok: false, reason: 'conflict' });
    expect(await change(under, 1, 'Under', 999_999)).toEqual({ ok: false, reason: 'no-parent' });
    expect(await change(under, 1, 'Moved')).toMatchObject({ ok: true, group: { parent: undefined, version: 2 } });
    expect(await names()).toEqual(['Top', 'Moved']);
  });

  it('lets groups go when their devices have somewhere to go', async () => {
    const [top, other] = [await add('Top'), await add('Other')];
    const under = await add('Under', top);
    await stores.devices.insert({ deviceId: 'A', name: 'A', chn: 1, deviceGroup: under });
    const removal = { serialno: top, version: 1, atMs: 5 };
    const remove = (moveTo: number | undefined) => stores.deviceTree.remove([top, under], { ...removal, moveTo });
    expect(await remove(undefined)).toEqual({ ok: false, reason: 'not-empty' });
    expect(await names()).toEqual(['Top', 'Under', 'Other']);
    expect(await remove(other)).toEqual({ ok: true, moved: ['A'] });
    expect(await names()).toEqual(['Other']);
    expect(await stores.deviceRecords.find('A')).toMatchObject({ deviceGroup: other, version: 2 });
  });

  it('shows groups of nobody, until they are claimed', async () => {
    const orphan = await stores.deviceGroups.insert('Orphan');
    expect(await stores.deviceTree.visible(undefined)).toMatchObject([{ serialno: orphan, owned: false }]);
    await stores.deviceTree.claim([orphan], own);
    expect(await stores.deviceTree.visible(own)).toMatchObject([{ serialno: orphan, owned: true }]);
    expect(await stores.deviceTree.visible(undefined)).toEqual([]);
  });
});
