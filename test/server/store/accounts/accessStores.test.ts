// What lets people in, and what ends it, on both engines.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { KNOWN_BROWSERS_LIMIT } from '../../../../server/store/accounts/knownBrowsers.ts';
import { SESSIONS_LIMIT, type Session } from '../../../../server/store/accounts/sessions.ts';
import { SIGN_IN_STEPS_LIMIT } from '../../../../server/store/accounts/signInSteps.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { type WallMs, wallMs } from '../../../../shared/protocol/time.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';

const AT = wallMs(1_795_000_000_000);
const later = (ms: number): WallMs => wallMs(AT + ms);

describeOnBothEngines('the stores of access', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  let ann: number;
  let bob: number;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db);
  });
  beforeEach(async () => {
    await database.db.deleteFrom('app_user').execute();
    await database.db.deleteFrom('member_group').execute();
    const add = (username: string) => stores.users.insert({ username, passwordHash: 'h', permissions: [] }, AT);
    [ann, bob] = [await add('ann'), await add('bob')];
  });
  afterAll(() => database.close());

  const remember = (userId: number, tokenHash: string, previousHash?: string, at = AT) =>
    stores.knownBrowsers.remember({ userId, tokenHash, previousHash, expiresAtMs: wallMs(at + 1_000) }, at);

  it('know a browser by its newest secret, for each account that signed in there', async () => {
    const { knows } = stores.knownBrowsers;
    await remember(ann, 'a');
    await remember(bob, 'b', 'a');
    expect([await knows('a', ann, AT), await knows('b', ann, AT), await knows('b', bob, AT)]).toEqual([
      false,
      true,
      true,
    ]);
    expect(await knows('b', ann, later(1_000))).toBe(false);
    await stores.knownBrowsers.removeOfUser(ann, 'b');
    expect(await knows('b', ann, AT)).toBe(true);
    await stores.knownBrowsers.removeOfUser(ann);
    expect([await knows('b', ann, AT), await knows('b', bob, AT)]).toEqual([false, true]);
    await stores.knownBrowsers.removeEnded(later(1_000));
    expect(await database.db.selectFrom('known_browser').selectAll().execute()).toEqual([]);
  });

  it('keep a bounded number of browsers, and those that came back before those that did not', async () => {
    await remember(ann, 'desk');
    await remember(ann, 'desk again', 'desk', later(1));
    for (let count = 0; count < KNOWN_BROWSERS_LIMIT.max + 5; count++) {
      const removed = await remember(ann, `program ${count}`, undefined, later(10 + count));
      expect(removed).toBe(count < KNOWN_BROWSERS_LIMIT.max - 1 ? 0 : 1);
    }
    expect(await stores.knownBrowsers.knows('desk again', ann, later(2))).toBe(true);
    expect(await stores.knownBrowsers.knows('program 0', ann, later(20))).toBe(false);
  });

  it('count the codes of each known browser apart', async () => {
    const waitAfter = (failures: number): number => (failures >= 2 ? 1_000 : 0);
    await remember(ann, 'a');
    await remember(ann, 'b');
    const one = { tokenHash: 'a', userId: ann };
    const begin = (at: WallMs) => stores.knownBrowsers.beginCode(one, at, waitAfter);
    expect([await begin(AT), await begin(AT), await begin(AT)]).toEqual([true, true, false]);
    expect(await stores.knownBrowsers.codeWaitUntil(one)).toBe(AT + 1_000);
    expect(await stores.knownBrowsers.beginCode({ tokenHash: 'b', userId: ann }, AT, waitAfter)).toBe(true);
    await stores.knownBrowsers.forgiveCodes(one);
    expect(await begin(AT)).toBe(true);
  });

  const invite = (userId: number) =>
    stores.invitations.put({ userId, issuedBy: bob, tokenHash: `t${userId}`, expiresAtMs: later(1_000) }, AT);
  const isAlive = async (userId: number) => (await stores.invitations.find(`t${userId}`, AT)) !== undefined;

  const changes: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['the password', () => stores.users.setPasswordHash(ann, 'x', AT)],
    ['the own permissions', () => stores.users.setPermissions(ann, ['system'])],
    ['the disabled flag', () => stores.users.setDisabled(ann, true)],
    ['the member groups', () => stores.memberGroups.setGroupsOfUser(ann, [])],
    [
      'the role',
      async () => {
        const member = await stores.members.find(ann);
        if (member === undefined) throw new Error('gone');
        const role = (await stores.roles.findBuiltIn('operator')).id;
        await stores.members.update(ann, member.version, { content: { ...member, role }, scope: undefined });
      },
    ],
    [
      'the issuer, who is removed',
      async () => {
        await stores.users.remove(bob);
      },
    ],
    [
      'a member group, which is removed',
      async () => {
        const group = await stores.memberGroups.insert({ name: 'North' });
        await stores.memberGroups.setGroupsOfUser(ann, [group]);
        await invite(ann);
        await stores.memberGroups.remove(group);
      },
    ],
  ];
  it.each(changes)('end an invitation with a change of %s', async (_what, run) => {
    await invite(ann);
    expect(await isAlive(ann)).toBe(true);
    await run();
    expect(await isAlive(ann)).toBe(false);
  });

  it('end the sessions that were not used for longest when a user has too many', async () => {
    const begin = (index: number): Session => ({
      idHash: `s${index}`,
      userId: ann,
      memberGroup: undefined,
      wallMonitor: false,
      createdAtMs: AT,
      lastSeenAtMs: later(index),
      idleEndsAtMs: later(9_000),
      endsAtMs: later(9_000),
      address: '192.0.2.1',
      userAgent: 'test',
    });
    for (let index = 0; index < SESSIONS_LIMIT.max; index++) expect(await stores.sessions.insert(begin(index))).toBe(0);
    expect(await stores.sessions.insert({ ...begin(999), lastSeenAtMs: AT })).toBe(1);
    expect(await stores.sessions.find('s0')).toBeUndefined();
    expect(await stores.sessions.find('s1')).toBeDefined();
    expect(await stores.sessions.find('s999')).toBeDefined();
  });

  it('end the oldest sign-ins that wait for a second factor', async () => {
    const step = (index: number) => ({
      ticketHash: `t${index}`,
      userId: ann,
      wallMonitor: false,
      expiresAtMs: later(1_000 + index),
    });
    for (let index = 0; index < SIGN_IN_STEPS_LIMIT.max; index++)
      expect(await stores.signInSteps.insert(step(index))).toBe(0);
    expect(await stores.signInSteps.insert(step(99))).toBe(1);
    expect(await stores.signInSteps.find('t0', AT)).toBeUndefined();
    expect(await stores.signInSteps.find('t99', AT)).toBeDefined();
  });
});
