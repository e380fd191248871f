import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ActOnEvents } from '../../../../server/store/events/eventActs.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { SAVED_FILTERS_MAX } from '../../../../shared/protocol/api/events.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';
import { anEvent } from './anEvent.ts';

const NOW_MS = Date.UTC(2026, 10, 23);

describeOnBothEngines('what members do with events', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  let memberGroup: number;
  let archiveNumber: number;
  let ann: number;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db);
    const deviceGroup = await stores.deviceGroups.insert('North');
    memberGroup = await stores.memberGroups.insert({ name: 'Depot' });
    await stores.memberGroups.setDeviceGroups(memberGroup, [deviceGroup]);
    ({ archiveNumber } = await stores.devices.insert({ deviceId: 'BUS1', name: 'b', chn: 1, deviceGroup }));
    ann = await addUser('Ann', ['event']);
    await addUser('bob', ['event', 'system']);
    await addUser('eve', ['eventconfig']);
  });
  afterAll(() => database.close());

  async function addUser(username: string, permissions: readonly string[]): Promise<number> {
    const id = await stores.users.insert({ username, passwordHash: 'hash', permissions }, wallMs(NOW_MS));
    await stores.memberGroups.setGroupsOfUser(id, [memberGroup]);
    return id;
  }

  const add = (...archives: readonly number[]): Promise<number[]> => {
    const added = archives.map((archive) => anEvent({ archiveNumber: archive, beginAtMs: NOW_MS }));
    return stores.eventLog.write({ added, changed: [], days: [] });
  };
  const act = (act: Partial<ActOnEvents> & Pick<ActOnEvents, 'act' | 'events'>) =>
    stores.eventActs.act(
      { by: { userId: ann, username: 'Ann' }, note: '', atMs: NOW_MS, ...act },
      { memberGroup, seesGateway: false },
      () => ({ actor: 'Ann', action: `event.${act.act}` as const }),
    );

  it('is done to those that they see and know, and says of the others why not', async () => {
    const [seen = 0, hidden = 0, other = 0] = await add(archiveNumber, 9_999, archiveNumber);
    const first = await act({ act: 'acknowledge', events: [{ id: seen, version: 1 }] });
    expect(first.acted).toMatchObject([{ id: seen, before: 'new', after: 'acknowledged' }]);
    const reason = { code: 'sensor-fault', isFalseAlarm: true };
    const events = [seen, hidden, other].map((id) => ({ id, version: 1 }));
    const second = await act({ act: 'close', reason, events });
    expect(second.events).toMatchObject([{ id: other, status: 'false-alarm', version: 2 }]);
    expect(second.refused).toMatchObject([
      { id: seen, failure: 'conflict', by: 'Ann', event: { status: 'acknowledged' } },
      { id: hidden, failure: 'gone', by: '', event: null },
    ]);
  });

  it('counts what is not closed', async () => {
    const before = await stores.eventCounts.open();
    const countOf = ({ counts }: typeof before, status: string): number =>
      counts.filter((row) => row.archiveNumber === archiveNumber && row.status === status)[0]?.count ?? 0;
    const [id = 0, last = 0] = await add(archiveNumber, archiveNumber);
    await act({ act: 'acknowledge', events: [{ id, version: 1 }] });
    const after = await stores.eventCounts.open();
    expect(countOf(after, 'new') - countOf(before, 'new')).toBe(1);
    expect(countOf(after, 'acknowledged') - countOf(before, 'acknowledged')).toBe(1);
    expect(countOf(after, 'false-alarm')).toBe(0);
    expect(after.lastId).toBe(last);
  });

  it('is assigned to members of the group who may work with events', async () => {
    const query = { memberGroup, self: ann, atMs: NOW_MS };
    const found = await stores.eventAssignees.list(query, '', 10);
    expect(found.map(({ username, seesGateway }) => [username, seesGateway])).toEqual([
      ['Ann', false],
      ['bob', true],
    ]);
    expect((await stores.eventAssignees.list(query, 'AN', 10)).map(({ username }) => username)).toEqual(['Ann']);
    expect(await stores.eventAssignees.find(query, 'ann')).toMatchObject({ userId: ann });
    expect(await stores.eventAssignees.find(query, 'eve')).toBeUndefined();
  });

  it('finds filters again by name, of which one user has so many', async () => {
    const { eventFilters } = stores;
    const put = (name: string, query = {}) => eventFilters.put(ann, { name, query });
    const kept = await put('open', { search: 'a' });
    expect(await put('open', { search: 'b' })).toMatchObject({ id: kept?.id, query: { search: 'b' } });
    for (let at = 1; at < SAVED_FILTERS_MAX; at++) await put(`filter ${at}`);
    expect(await put('one more')).toBeUndefined();
    expect(await put('open')).toMatchObject({ id: kept?.id });
    expect(await eventFilters.remove(ann + 1, kept?.id ?? 0)).toBe(false);
    expect(await eventFilters.remove(ann, kept?.id ?? 0)).toBe(true);
    expect(await eventFilters.listOf(ann)).toHaveLength(SAVED_FILTERS_MAX - 1);
  });
});
