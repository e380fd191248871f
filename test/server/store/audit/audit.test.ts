import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { AuditQuery } from '../../../../server/store/audit/auditList.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { describeOnBothEngines, openWithReading, type TestDatabase } from '../testDatabase.ts';

const AT = wallMs(1_795_000_000_000);
const later = (ms: number) => wallMs(AT + ms);

describeOnBothEngines('the audit', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  beforeAll(async () => {
    database = await openWithReading(engine);
    stores = createStores(database.db, undefined, database.reading);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    for (const table of ['audit', 'app_user', 'member_group'] as const) await database.db.deleteFrom(table).execute();
  });
  const query = (more: Partial<AuditQuery> = {}): AuditQuery => ({
    search: '',
    sort: 'at',
    descending: false,
    limit: 99,
    position: { at: 'offset', offset: 0 },
    ...more,
  });
  const actors = async (more: Partial<AuditQuery> = {}) => {
    const page = await stores.audit.page(query(more));
    expect(page?.total).toBe(page?.rows.length);
    return page?.rows.map(({ actor }) => actor);
  };

  it('keeps what was before and after, and gives it back as it was', async () => {
    const change = { before: { name: 'Ä\u0001"' }, after: { name: '<b>', list: [1, null] } };
    await stores.audit.add({ actor: 'a', action: 'device.change', ...change }, AT);
    await stores.audit.add({ actor: 'b', action: 'session.begin' }, AT);
    const [first, second] = (await stores.audit.page(query()))?.rows ?? [];
    expect(first).toMatchObject(change);
    expect(second?.before).toBeNull();
    expect(second?.after).toBeNull();
  });

  it('is found by subject, event, time and words in any of its fields', async () => {
    await stores.audit.add({ actor: 'a', action: 'device.change', after: { plate: 'KEE_7' } }, AT);
    await stores.audit.add({ actor: 'b', action: 'devicegroup.add', detail: { from: 'Depot' } }, later(5));
    await stores.audit.add({ actor: 'c', action: 'session.begin', address: '2001:db8::7' }, later(9));
    expect(await actors({ action: 'device' })).toEqual(['a']);
    expect(await actors({ action: 'devicegroup.add' })).toEqual(['b']);
    expect(await actors({ fromMs: later(5), toMs: later(9) })).toEqual(['b']);
    expect(await actors({ search: 'kee_7' })).toEqual(['a']);
    expect(await actors({ search: 'DEPOT' })).toEqual(['b']);
    expect(await actors({ search: 'db8::7' })).toEqual(['c']);
    expect(await actors({ search: 'k_e' })).toEqual([]);
    expect(await actors({ sort: 'action', descending: true })).toEqual(['c', 'b', 'a']);
  });

  it('of a group is what people did who belong to it and to none that the reader does not', async () => {
    const [north = 0, south = 0] = [
      await stores.memberGroups.insert({ name: 'North' }),
      await stores.memberGroups.insert({ name: 'South' }),
    ];
    for (const [username, groups] of [
      ['n', [north]],
      ['both', [north, south]],
      ['s', [south]],
      ['none', []],
    ] as const) {
      const id = await stores.users.insert({ username, passwordHash: '', permissions: [] }, AT);
      await stores.memberGroups.setGroupsOfUser(id, groups);
      await stores.audit.add({ actor: username, action: 'session.begin' }, AT);
    }
    await stores.audit.add({ actor: 'stranger', action: 'session.refused' }, AT);
    expect(await actors({ byMembersOf: { group: north, readersGroups: [north] } })).toEqual(['n']);
    expect(await actors({ byMembersOf: { group: north, readersGroups: [north, south] } })).toEqual(['n', 'both']);
    expect(await actors({ byMembersOf: { group: 0, readersGroups: [] } })).toEqual([]);
  });
});
