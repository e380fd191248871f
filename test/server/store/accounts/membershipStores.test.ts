import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { StoredGroupContent } from '../../../../server/store/accounts/memberGroupEditing.ts';
import type { MemberQuery } from '../../../../server/store/accounts/memberQuery.ts';
import type { StoredContent, StoredMember } from '../../../../server/store/accounts/members.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { ALL_PERMISSIONS } from '../../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';

const AT = wallMs(1_795_000_000_000);
const FIRST = { position: { at: 'offset', offset: 0 }, limit: 50, search: '' } as const;
const ALL: MemberQuery = { ...FIRST, sort: 'username', descending: false, at: AT };

describeOnBothEngines('the stores of the accounts', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  let roles: Record<'operator' | 'manager' | 'administrator', number>;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db);
    const idOf = async (kind: 'operator' | 'manager' | 'administrator') => (await stores.roles.findBuiltIn(kind)).id;
    roles = {
      operator: await idOf('operator'),
      manager: await idOf('manager'),
      administrator: await idOf('administrator'),
    };
  });
  beforeEach(async () => {
    for (const table of ['app_user', 'member_group', 'device_group'] as const) {
      await database.db.deleteFrom(table).execute();
    }
    await database.db.deleteFrom('role').where('built_in', '=', '').execute();
  });
  afterAll(() => database.close());

  const add = async (username: string, role: number, more: Partial<StoredMember> & { passwordHash?: string } = {}) => {
    const user = { username, passwordHash: 'h', permissions: [], ...more, role };
    const added = await stores.members.insert(user, more.groups ?? [], AT);
    if (!added.ok) throw new Error(added.reason);
    return added.value;
  };
  const contentOf = async (id: number): Promise<StoredContent & { version: number }> => {
    const member = await stores.members.find(id);
    if (member === undefined) throw new Error('gone');
    return member;
  };
  const change = async (id: number, changes: Partial<StoredContent>) => {
    const known = await contentOf(id);
    return stores.members.update(id, known.version, { content: { ...known, ...changes }, scope: undefined });
  };

  it('come with three roles, of which the administrator may do everything', async () => {
    const list = await stores.roles.list();
    expect(list.map(({ builtIn }) => builtIn)).toEqual(['operator', 'manager', 'administrator']);
    expect(list[2]?.permissions).toEqual(ALL_PERMISSIONS);
    for (const { permissions } of list)
      expect(permissions.every((each) => ALL_PERMISSIONS.includes(each as 'event'))).toBe(true);
  });

  it('give a user the permissions of the role, those of a changed role too', async () => {
    const role = await stores.roles.insert({ name: 'Night', permissions: ['event'], secondFactorRequired: true });
    if (!role.ok) throw new Error(role.reason);
    const id = await add('ann', role.value);
    expect(await stores.users.find(id)).toMatchObject({ permissions: ['event'], secondFactorRequired: true });
    await stores.roles.update(role.value, 1, { name: 'Night', permissions: ['report'], secondFactorRequired: false });
    expect(await stores.users.findByName('ANN')).toMatchObject({
      permissions: ['report'],
      secondFactorRequired: false,
    });
    expect((await stores.users.list()).map(({ permissions }) => permissions)).toEqual([['report']]);
    await stores.users.setPermissions(id, ['link']);
    expect(await stores.users.find(id)).toMatchObject({ permissions: ['link'], role: undefined });
  });

  it('tell two changes of one role apart, keep one name for one role, and keep roles that are held', async () => {
    const content = { name: 'Night', permissions: [], secondFactorRequired: false };
    const role = await stores.roles.insert(content);
    if (!role.ok) throw new Error(role.reason);
    expect(await stores.roles.insert({ ...content, name: 'NIGHT' })).toEqual({ ok: false, reason: 'taken' });
    expect(await stores.roles.update(role.value, 1, { ...content, name: 'operator' })).toEqual({
      ok: false,
      reason: 'taken',
    });
    expect((await stores.roles.update(role.value, 1, { ...content, name: 'Night shift' })).ok).toBe(true);
    expect(await stores.roles.update(role.value, 1, content)).toEqual({ ok: false, reason: 'conflict' });
    const id = await add('ann', role.value);
    expect(await stores.roles.remove(role.value, 2)).toEqual({ ok: false, reason: 'in-use' });
    await stores.users.remove(id);
    expect((await stores.roles.remove(role.value, 2)).ok).toBe(true);
    expect(await stores.roles.remove(role.value, 2)).toEqual({ ok: false, reason: 'gone' });
  });

  it('keep the name of a role that comes with the product', async () => {
    const { version, ...content } = await stores.roles.findBuiltIn('operator');
    const done = await stores.roles.update(roles.operator, version, {
      ...content,
      name: 'x',
      secondFactorRequired: true,
    });
    expect(done.ok).toBe(true);
    expect(await stores.roles.findBuiltIn('operator')).toMatchObject({ name: 'Operator', secondFactorRequired: true });
    await stores.roles.update(roles.operator, version + 1, content);
  });

  const losses: [string, (id: number) => Promise<unknown>][] = [
    ['disabled', (id) => change(id, { disabled: true })],
    ['given an end', (id) => change(id, { expiresAtMs: wallMs(AT + 1_000_000) })],
    ['given another role', (id) => change(id, { role: roles.manager })],
    ['removed', async (id) => stores.members.remove(id, (await contentOf(id)).version)],
  ];
  it.each(losses)('do not let the last administrator be %s', async (_, lose) => {
    const last = await add('last', roles.administrator);
    await add('chief', roles.manager);
    await add('invited', roles.administrator, { passwordHash: '' });
    await add('disabled', roles.administrator, { disabled: true });
    const before = await stores.members.find(last);
    expect(await lose(last)).toEqual({ ok: false, reason: 'last-administrator' });
    expect(await stores.members.find(last)).toEqual(before);
    await add('other', roles.administrator);
    expect(await lose(last)).toMatchObject({ ok: true });
  });

  it('count whoever holds every permission as an administrator, by whichever role', async () => {
    const whole = await stores.roles.insert({
      name: 'Owner',
      permissions: ALL_PERMISSIONS,
      secondFactorRequired: false,
    });
    if (!whole.ok) throw new Error(whole.reason);
    const owner = await add('owner', whole.value);
    const admin = await add('admin', roles.administrator);
    expect((await change(admin, { disabled: true })).ok).toBe(true);
    const lesser = { name: 'Owner', permissions: ['system', 'member'], secondFactorRequired: false };
    expect(await stores.roles.update(whole.value, 1, lesser)).toEqual({ ok: false, reason: 'last-administrator' });
    expect((await stores.users.find(owner))?.permissions).toEqual(ALL_PERMISSIONS);
  });

  it('leave one of two administrators who disable each other at once', async () => {
    const [a, b] = [await add('a', roles.administrator), await add('b', roles.administrator)];
    const done = await Promise.all([change(a, { disabled: true }), change(b, { disabled: true })]);
    expect(done.map(({ ok }) => ok).sort()).toEqual([false, true]);
  });

  it('tell two changes of one member apart', async () => {
    const id = await add('ann', roles.operator);
    const { version, ...content } = await contentOf(id);
    const first = { content: { ...content, displayName: 'Ann One' }, scope: undefined };
    expect((await stores.members.update(id, version, first)).ok).toBe(true);
    const second = { content: { ...content, displayName: 'Ann Two' }, scope: undefined };
    expect(await stores.members.update(id, version, second)).toEqual({ ok: false, reason: 'conflict' });
    expect(await stores.members.remove(id, version)).toEqual({ ok: false, reason: 'conflict' });
    expect((await stores.members.find(id))?.displayName).toBe('Ann One');
    await stores.users.setProfile(id, { displayName: 'Ann Herself', language: 'jp', timeZone: 'UTC' });
    expect(await stores.members.update(id, version + 1, second)).toEqual({ ok: false, reason: 'conflict' });
  });

  it('change only the groups within the scope', async () => {
    const [north, south] = [
      await stores.memberGroups.insert({ name: 'North' }),
      await stores.memberGroups.insert({ name: 'South' }),
    ];
    const id = await add('ann', roles.operator, { groups: [north, south] });
    const { version, ...content } = await contentOf(id);
    await stores.members.update(id, version, { content: { ...content, groups: [] }, scope: [north] });
    expect((await stores.members.find(id))?.groups).toEqual([south]);
  });

  it('list members by page, order, search and filter', async () => {
    const north = await stores.memberGroups.insert({ name: 'North' });
    const ann = await add('ann', roles.operator, { displayName: 'Zoë 100%', groups: [north] });
    const bob = await add('Bob', roles.manager, { disabled: true });
    const cat = await add('cat', roles.administrator, { expiresAtMs: AT });
    const dan = await add('dan', roles.operator, { passwordHash: '', displayName: 'a_b' });
    const ids = async (query: Partial<MemberQuery>) =>
      (await stores.members.page({ ...ALL, ...query }))?.rows.map(({ id }) => id);
    const position = { at: 'offset', offset: 1 } as const;
    expect(await stores.members.page({ ...ALL, limit: 2, position })).toMatchObject({
      total: 4,
      rows: [{ id: bob, roleName: 'Manager' }, { id: cat }],
    });
    expect(await ids({ descending: true })).toEqual([dan, cat, bob, ann]);
    expect(await ids({ sort: 'role' })).toEqual([cat, bob, ann, dan]);
    expect(await ids({ search: 'ZOË' })).toEqual([ann]);
    expect(await ids({ search: '%' })).toEqual([ann]);
    expect(await ids({ search: '_' })).toEqual([dan]);
    expect(await ids({ role: roles.operator })).toEqual([ann, dan]);
    expect(await ids({ group: north })).toEqual([ann]);
    expect(await ids({ state: 'disabled' })).toEqual([bob]);
    expect(await ids({ state: 'expired' })).toEqual([cat]);
    expect(await ids({ state: 'invited' })).toEqual([dan]);
    expect(await ids({ state: 'active' })).toEqual([ann]);
    expect(await ids({ within: { groups: [north], self: bob } })).toEqual([ann, bob]);
    expect(await ids({ within: { groups: [], self: bob } })).toEqual([bob]);
    await stores.secondFactors.setPending(ann, 'sealed');
    expect(await ids({ hasSecondFactor: true })).toEqual([]);
    await stores.secondFactors.enrol(ann, { sealedSecret: 'sealed', step: 1, recoveryHashes: [] });
    expect(await ids({ hasSecondFactor: true })).toEqual([ann]);
    expect(await ids({ hasSecondFactor: false })).toEqual([bob, cat, dan]);
  });

  it('take a code’s step and a recovery code once, also when both come at the same time', async () => {
    const id = await add('ann', roles.operator);
    const store = stores.secondFactors;
    await store.setPending(id, 'sealed');
    expect(await store.enrol(id, { sealedSecret: 'other', step: 5, recoveryHashes: [] })).toBe(false);
    expect(await store.enrol(id, { sealedSecret: 'sealed', step: 5, recoveryHashes: ['a', 'b'] })).toBe(true);
    expect(await store.takeStep(id, 5)).toBe(false);
    expect((await Promise.all([store.takeStep(id, 6), store.takeStep(id, 6)])).sort()).toEqual([false, true]);
    const both = await Promise.all([store.takeRecoveryCode(id, 'a'), store.takeRecoveryCode(id, 'a')]);
    expect(both.sort()).toEqual([false, true]);
    expect(await store.countRecoveryCodes(id)).toBe(1);
    expect(await store.takeRecoveryCode(id, 'c')).toBe(false);
    expect(await store.remove(id)).toBe(true);
    expect(await store.find(id)).toBeUndefined();
    expect(await store.countRecoveryCodes(id)).toBe(0);
  });

  it('count attempts before they are looked at, and none while the user waits', async () => {
    const id = await add('ann', roles.operator);
    const store = stores.secondFactors;
    await store.setPending(id, 'sealed');
    const waitAfter = (failures: number): number => (failures >= 3 ? 1_000 : 0);
    const tries = await Promise.all([1, 2, 3].map(() => store.beginAttempt(id, AT, waitAfter)));
    expect(tries).toEqual([true, true, true]);
    expect(await store.beginAttempt(id, AT, waitAfter)).toBe(false);
    expect(await store.find(id)).toMatchObject({ failures: 3, waitUntilMs: AT + 1_000 });
    expect(await store.beginAttempt(id, wallMs(AT + 1_000), waitAfter)).toBe(true);
    await store.forgive(id);
    expect(await store.find(id)).toMatchObject({ failures: 0, waitUntilMs: 0 });
  });

  it('accept an invitation once and in time, and keep one a member', async () => {
    const id = await add('ann', roles.operator, { passwordHash: '' });
    const chief = await add('chief', roles.administrator);
    const put = (tokenHash: string) =>
      stores.invitations.put({ userId: id, issuedBy: chief, tokenHash, expiresAtMs: wallMs(AT + 10) }, AT);
    await put('old');
    await put('new');
    expect(await stores.invitations.find('old', AT)).toBeUndefined();
    expect(await stores.invitations.find('new', wallMs(AT + 10))).toBeUndefined();
    expect((await stores.members.find(id))?.invitationEndsAtMs).toBe(AT + 10);
    const accept = () => stores.invitations.accept('new', 'chosen', AT);
    expect((await Promise.all([accept(), accept()])).sort()).toEqual([false, true]);
    expect((await stores.users.find(id))?.passwordHash).toBe('chosen');
    expect((await stores.members.find(id))?.invitationEndsAtMs).toBe(0);
  });

  it('give a ticket of the sign-in to one only', async () => {
    const id = await add('ann', roles.operator);
    const step = { ticketHash: 't', userId: id, wallMonitor: true, expiresAtMs: wallMs(AT + 10) };
    await stores.signInSteps.insert(step);
    expect(await stores.signInSteps.find('t', AT)).toEqual({ userId: id, wallMonitor: true });
    expect(await stores.signInSteps.find('t', wallMs(AT + 10))).toBeUndefined();
    expect(await stores.signInSteps.remove('t')).toBe(true);
    expect(await stores.signInSteps.remove('t')).toBe(false);
  });

  it('list open sessions by handles that are not the stored hash, and end them', async () => {
    const [ann, bob] = [await add('ann', roles.operator), await add('bob', roles.operator)];
    const hash = (letter: string): string => letter.repeat(64);
    const begin = (idHash: string, userId: number, idleEndsAtMs = wallMs(AT + 100)) =>
      stores.sessions.insert({
        idHash,
        userId,
        memberGroup: undefined,
        wallMonitor: false,
        createdAtMs: AT,
        lastSeenAtMs: AT,
        idleEndsAtMs,
        endsAtMs: wallMs(AT + 1_000),
        address: '192.0.2.1',
        userAgent: 'test',
      });
    await begin(hash('a'), ann);
    await begin(hash('b'), ann);
    await begin(hash('c'), bob);
    await begin(hash('d'), bob, AT);
    const query = { ...FIRST, sort: 'username', descending: false, at: AT } as const;
    const page = await stores.sessionList.page(query);
    expect(page?.total).toBe(3);
    expect(page?.rows.map(({ handle, username, endsAtMs }) => [handle, username, endsAtMs - AT])).toEqual([
      ['a'.repeat(20), 'ann', 100],
      ['b'.repeat(20), 'ann', 100],
      ['c'.repeat(20), 'bob', 100],
    ]);
    expect((await stores.sessionList.page({ ...query, userId: bob }))?.total).toBe(1);
    expect((await stores.sessionList.page({ ...query, search: 'AN' }))?.total).toBe(2);
    expect((await stores.sessionList.page({ ...query, within: { groups: [], self: bob } }))?.total).toBe(1);
    expect(await stores.sessionList.removeByHandle('%')).toBe(false);
    expect(await stores.sessionList.removeByHandle('c'.repeat(20))).toBe(true);
    expect(await stores.sessionList.removeOthers(ann, hash('b'))).toBe(1);
    expect((await stores.sessionList.page(query))?.rows.map(({ handle }) => handle)).toEqual(['b'.repeat(20)]);
  });

  it('keep member groups apart by name, and tell two changes of one apart', async () => {
    const buses = await stores.deviceGroups.insert('Buses');
    const content: StoredGroupContent = { name: 'North', retentionDays: 30, expiresAtMs: AT, deviceGroups: [buses] };
    const store = stores.memberGroupEditing;
    const added = await store.insert(content);
    if (!added.ok) throw new Error(added.reason);
    const serialno = added.value;
    expect(await store.find(serialno)).toEqual({ ...content, serialno, people: 0, version: 1 });
    expect(await store.insert({ ...content, name: 'NORTH' })).toEqual({ ok: false, reason: 'taken' });
    expect(await store.insert({ ...content, name: 'x', deviceGroups: [99_999] })).toEqual({
      ok: false,
      reason: 'no-device-group',
    });
    const changed = { ...content, name: 'Far north', deviceGroups: [] };
    const always = () => true;
    const first = { serialno, version: 1 };
    expect(await store.update(first, changed, () => false)).toEqual({ ok: false, reason: 'beyond-own' });
    expect(await store.update(first, changed, always)).toMatchObject({ ok: true, value: { name: 'North' } });
    expect(await store.update(first, content, always)).toEqual({ ok: false, reason: 'conflict' });
    const ann = await add('ann', roles.operator);
    await store.addPeople(serialno, [ann]);
    await store.addPeople(serialno, [ann]);
    const query = { ...FIRST, sort: 'people', descending: true } as const;
    await store.insert({ ...content, name: 'South' });
    expect(await store.page(query)).toMatchObject({
      total: 2,
      rows: [{ people: 1, name: 'Far north' }, { people: 0 }],
    });
    expect(await store.page({ ...query, within: [serialno] })).toMatchObject({ total: 1 });
    expect(await store.page({ ...query, within: [] })).toMatchObject({ total: 0, rows: [] });
    expect(await store.page({ ...query, search: 'south' })).toMatchObject({ total: 1 });
    await store.removePeople(serialno, [ann]);
    expect((await store.find(serialno))?.people).toBe(0);
    const second = { serialno, version: 2 };
    expect((await store.remove(second, always)).ok).toBe(true);
    expect(await store.remove(second, always)).toEqual({ ok: false, reason: 'gone' });
  });
});
