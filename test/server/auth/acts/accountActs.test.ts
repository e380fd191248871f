// What use cases of accounts check and tell where no call has done it for them.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createMemberGroupActs } from '../../../../server/auth/acts/memberGroups.ts';
import { createRoleActs } from '../../../../server/auth/acts/roles.ts';
import { createChangeBus, type RecordsChanged } from '../../../../server/bus/changeBus.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { ALL_PERMISSIONS, Permission } from '../../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { noFaults } from '../../../support/fakes/noFaults.ts';
import { openTestDatabase, type TestDatabase } from '../../store/testDatabase.ts';

const AT = wallMs(1_795_000_000_000);
const NIGHT = { name: ' Night ', permissions: [Permission.Event], secondFactorRequired: false };
const WEST = { name: 'West', retentionDays: 0, expiresAtMs: 0, deviceGroups: [] };

let database: TestDatabase;
let stores: Stores;
let told: RecordsChanged[];
beforeAll(async () => {
  database = await openTestDatabase('sqlite');
  stores = createStores(database.db);
});
beforeEach(async () => {
  await database.db.deleteFrom('app_user').execute();
  await database.db.deleteFrom('role').where('built_in', '=', '').execute();
  told = [];
});
afterAll(() => database.close());

function acts() {
  const bus = createChangeBus(noFaults);
  bus.recordsChanged.subscribe('open pages', (message) => void told.push(message));
  const deps = { ...stores, bus, now: () => AT };
  return { roles: createRoleActs(deps), groups: createMemberGroupActs(deps) };
}

/** Ann, with every permission that there was when her work began. */
async function actorAnn() {
  const userId = await stores.users.insert({ username: 'ann', passwordHash: 'x', permissions: ALL_PERMISSIONS }, AT);
  return { userId, username: 'ann', permissions: ALL_PERMISSIONS, address: '10.0.0.7', memberGroup: 4 };
}

it('tidies what is saved, writes it down and tells of it once', async () => {
  const added = await acts().roles.add(await actorAnn(), NIGHT);
  expect(added).toMatchObject({ ok: true, value: { name: 'Night', version: 1 } });
  const [entry] = await stores.audit.list({ limit: 1 });
  expect(entry).toMatchObject({ action: 'role.add', actor: 'ann', target: 'Night', address: '10.0.0.7' });
  expect(told).toEqual([{ kinds: ['member', 'membergroup', 'role', 'group', 'session'], memberGroup: 4 }]);
});

it('goes by the rights that the member has by now', async () => {
  const ann = await actorAnn();
  const { roles, groups } = acts();
  await stores.users.setPermissions(ann.userId, [Permission.System, Permission.Member]);
  expect(await roles.add(ann, NIGHT)).toEqual({
    ok: false,
    reason: { kind: 'fields', fields: { permissions: 'beyond-own' } },
  });
  await stores.users.setPermissions(ann.userId, [Permission.Member, Permission.Event]);
  expect(await roles.add(ann, NIGHT)).toEqual({ ok: false, reason: { kind: 'forbidden' } });
  expect(await groups.add(ann, WEST)).toEqual({ ok: false, reason: { kind: 'forbidden' } });
  await stores.users.setDisabled(ann.userId, true);
  expect(await roles.add(ann, NIGHT)).toEqual({ ok: false, reason: { kind: 'not-signed-in' } });
  expect(told).toEqual([]);
});

it('gives the record as it is by now where somebody else was first', async () => {
  const ann = await actorAnn();
  const { groups } = acts();
  const added = await groups.add(ann, { ...WEST, name: 'East' });
  if (!added.ok) expect.fail(added.reason.kind);
  const { serialno: id } = added.value;
  await groups.change(ann, { id, version: 1 }, { ...WEST, name: 'Far East' });
  const late = await groups.change(ann, { id, version: 1 }, { ...WEST, name: 'Near East' });
  expect(late).toMatchObject({ ok: false, reason: { kind: 'conflict', current: { name: 'Far East', version: 2 } } });
});
