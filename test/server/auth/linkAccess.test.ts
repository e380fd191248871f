import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLinkAccess, type LinkAccess, type LinkRequest } from '../../../server/auth/linkAccess.ts';
import { createSecret, hashSecret } from '../../../server/auth/secrets.ts';
import { beginTimes, ORDINARY_LIFE } from '../../../server/auth/sessionTimes.ts';
import type { NewLinkCredential } from '../../../server/store/links/linkCredentials.ts';
import { createStores, type Stores } from '../../../server/store/stores.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { openTestDatabase, type TestDatabase } from '../store/testDatabase.ts';

const START = wallMs(1_795_000_000_000);

describe('access by link', () => {
  let database: TestDatabase;
  let stores: Stores;
  let access: LinkAccess;
  let now = START;
  let owner: number;
  let north: number;
  let south: number;
  let buses: number;

  beforeAll(async () => {
    database = await openTestDatabase('sqlite');
    stores = createStores(database.db);
    access = createLinkAccess({ ...stores, now: () => now });
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    now = START;
    for (const table of ['app_user', 'device', 'member_group', 'device_group'] as const) {
      await database.db.deleteFrom(table).execute();
    }
    buses = await stores.deviceGroups.insert('Buses');
    north = await stores.memberGroups.insert({ name: 'North' });
    south = await stores.memberGroups.insert({ name: 'South' });
    await stores.memberGroups.setDeviceGroups(north, [buses]);
    owner = await stores.users.insert({ username: 'Ann', passwordHash: 'h', permissions: [] }, START);
    await stores.memberGroups.setGroupsOfUser(owner, [north, south]);
    await stores.devices.insert({ deviceId: 'DEV1', name: 'Bus', chn: 4, deviceGroup: buses });
    await stores.devices.insert({ deviceId: 'DEV2', name: 'Bus', chn: 4, deviceGroup: buses });
  });

  async function makeLink(fields: Partial<NewLinkCredential> = {}): Promise<{ id: number; request: LinkRequest }> {
    const credential = createSecret();
    const link = { ownerId: owner, deviceId: 'DEV1', channelMask: 0b0101, kinds: ['live'] as const, ...fields };
    const id = await stores.linkCredentials.insert({ ...link, secretHash: hashSecret(credential) }, now);
    return { id, request: { username: 'ann', credential, deviceId: 'DEV1', kind: 'live' } };
  }
  const opens = async (request: LinkRequest): Promise<boolean> => (await access.check(request)).ok;

  it('opens the device that the link was made for, to its owner’s name in any spelling', async () => {
    const { request } = await makeLink();
    expect(await access.check(request)).toMatchObject({ ok: true, device: { deviceId: 'DEV1', chn: 4 } });
    expect(await opens({ ...request, username: 'ANN' })).toBe(true);
    expect(await opens({ ...request, kind: 'any' })).toBe(true);
  });

  it('opens nothing else', async () => {
    const { request } = await makeLink();
    await stores.users.insert({ username: 'bob', passwordHash: 'h', permissions: [] }, START);
    const others: Partial<LinkRequest>[] = [
      { deviceId: 'DEV2' },
      { deviceId: 'dev1' },
      { deviceId: '' },
      { deviceId: 'DEV1\u0000' },
      { username: 'bob' },
      { username: '' },
      { credential: '' },
      { credential: `${request.credential}x` },
      { kind: 'playback' },
      { kind: 'export' },
      { kind: 'control' },
    ];
    for (const other of others) expect(await opens({ ...request, ...other }), JSON.stringify(other)).toBe(false);
  });

  it('runs the same statements whatever is wrong, so that no refusal is faster than another', async () => {
    await stores.devices.insert({ deviceId: 'TRUCK', name: 'Truck', chn: 4 });
    const { request } = await makeLink();
    const statements: string[] = [];
    const watched = database.db.withPlugin({
      transformQuery: ({ node, queryId }) => {
        statements.push(database.db.getExecutor().compileQuery(node, queryId).sql);
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const watchedAccess = createLinkAccess({ ...createStores(watched), now: () => now });
    const statementsOf = async (wrong: Partial<LinkRequest>): Promise<readonly string[]> => {
      statements.length = 0;
      expect((await watchedAccess.check({ ...request, ...wrong })).ok).toBe(Object.keys(wrong).length === 0);
      return [...statements];
    };
    const ofGoodLink = await statementsOf({});
    expect(ofGoodLink).toHaveLength(4);
    const wrongs: Partial<LinkRequest>[] = [
      { deviceId: 'NOBODY' },
      { deviceId: 'TRUCK' },
      { deviceId: 'DEV1\u0000' },
      { username: 'somebody' },
      { credential: 'x'.repeat(27) },
      { kind: 'export' },
    ];
    for (const wrong of wrongs) expect(await statementsOf(wrong), JSON.stringify(wrong)).toEqual(ofGoodLink);
  });

  it('opens cameras and loudspeakers only where its maker said so, and nothing more with it', async () => {
    const { request } = await makeLink({ kinds: ['control'] });
    expect(await opens({ ...request, kind: 'control', channel: 1 })).toBe(true);
    expect(await opens({ ...request, kind: 'control', channel: 2 })).toBe(false);
    expect(await opens({ ...request, kind: 'live' })).toBe(false);
  });

  it.each([
    [1, true],
    [2, false],
    [3, true],
    [4, false],
    [0, false],
    [33, false],
    [-1, false],
    [1.5, false],
    [Number.NaN, false],
  ])('opens channel %d of the mask 0101: %s', async (channel, expected) => {
    const { request } = await makeLink();
    expect(await opens({ ...request, channel })).toBe(expected);
  });

  it('knows the thirty-second channel of a full mask', async () => {
    const { request } = await makeLink({ channelMask: 2 ** 32 - 1 });
    expect(await opens({ ...request, channel: 32 })).toBe(true);
  });

  it('ends when the link is revoked or its time is over', async () => {
    const { id, request } = await makeLink({ expiresAtMs: wallMs(START + 1_000) });
    expect(await opens(request)).toBe(true);
    now = wallMs(START + 1_000);
    expect(await opens(request)).toBe(false);
    now = START;
    expect(await stores.linkCredentials.revoke(id, now)).toBe(true);
    expect(await stores.linkCredentials.revoke(id, now)).toBe(false);
    expect(await opens(request)).toBe(false);
  });

  it.each<readonly [string, () => Promise<unknown>]>([
    ['its owner is disabled', () => stores.users.setDisabled(owner, true)],
    ['its owner leaves the groups', () => stores.memberGroups.setGroupsOfUser(owner, [south])],
    ['the group loses the device group', () => stores.memberGroups.setDeviceGroups(north, [])],
    ['the device moves to another group', () => stores.devices.update('DEV1', { deviceGroup: undefined })],
    ['the device is disabled', () => stores.devices.update('DEV1', { disabled: true })],
    ['the device is removed', () => stores.devices.remove('DEV1')],
    ['its owner is removed', () => stores.users.remove(owner)],
  ])('ends when %s', async (_what, change) => {
    const { request } = await makeLink();
    expect(await opens(request)).toBe(true);
    await change();
    expect(await opens(request)).toBe(false);
  });

  it('bound to a session sees what the session’s current group sees, and ends with it', async () => {
    const session = { idHash: 's', userId: owner, memberGroup: north, wallMonitor: false, createdAtMs: START };
    await stores.sessions.insert({ ...session, ...beginTimes(START, ORDINARY_LIFE), address: '', userAgent: '' });
    const { request } = await makeLink({ sessionIdHash: 's' });
    expect(await opens(request)).toBe(true);
    await stores.sessions.setMemberGroup('s', south);
    expect(await opens(request)).toBe(false);
    await stores.sessions.setMemberGroup('s', north);
    now = wallMs(START + ORDINARY_LIFE.idleMs);
    expect(await opens(request)).toBe(false);
    now = START;
    expect(await opens(request)).toBe(true);
    await stores.sessions.remove('s');
    expect(await opens(request)).toBe(false);
  });

  it('bound to a session exports as long as its user may', async () => {
    const session = { idHash: 's', userId: owner, memberGroup: north, wallMonitor: false, createdAtMs: START };
    await stores.sessions.insert({ ...session, ...beginTimes(START, ORDINARY_LIFE), address: '', userAgent: '' });
    const { request } = await makeLink({ sessionIdHash: 's', kinds: ['live', 'export'] });
    await stores.users.setPermissions(owner, ['export']);
    expect(await opens({ ...request, kind: 'export' })).toBe(true);
    await stores.users.setPermissions(owner, []);
    expect(await opens({ ...request, kind: 'export' })).toBe(false);
    expect(await opens(request)).toBe(true);
    const given = await makeLink({ kinds: ['export'] });
    expect(await opens({ ...given.request, kind: 'export' })).toBe(true);
  });

  it.each(['share link', 'session'])(
    'of a %s opens loudspeakers as long as its owner may talk, and cameras in any case',
    async (of) => {
      const session = { idHash: 's', userId: owner, memberGroup: north, wallMonitor: false, createdAtMs: START };
      await stores.sessions.insert({ ...session, ...beginTimes(START, ORDINARY_LIFE), address: '', userAgent: '' });
      const { request } = await makeLink({ kinds: ['control'], ...(of === 'session' && { sessionIdHash: 's' }) });
      const talks = async (kind: LinkRequest['kind']): Promise<unknown> => {
        const answer = await access.check({ ...request, kind });
        return answer.ok && answer.mayTalk;
      };
      for (const [permissions, expected] of [
        [['talk'], true],
        [['devicetext', 'link', 'system', 'devicegroup'], false],
        [['talk'], true],
      ] as const) {
        // An account's list of its own ends no session.
        await stores.users.setPermissions(owner, permissions);
        expect([await talks('control'), await talks('any')], permissions.join()).toEqual([expected, expected]);
        expect(await opens({ ...request, kind: 'control' })).toBe(true);
      }
    },
  );

  it('without cameras and loudspeakers opens none, whatever its owner may', async () => {
    await stores.users.setPermissions(owner, ['talk']);
    const { request } = await makeLink();
    expect(await access.check({ ...request, kind: 'any' })).toMatchObject({ ok: true, mayTalk: false });
  });

  it('lists an owner’s links newest first, without those of sessions', async () => {
    const session = { idHash: 's', userId: owner, memberGroup: north, wallMonitor: false, createdAtMs: START };
    await stores.sessions.insert({ ...session, ...beginTimes(START, ORDINARY_LIFE), address: '', userAgent: '' });
    await makeLink({ sessionIdHash: 's' });
    const first = await makeLink({ kinds: ['playback', 'export'] });
    const second = await makeLink();
    const listed = await stores.linkCredentials.listOfOwner(owner);
    expect(listed.map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(listed[1]?.kinds).toEqual(new Set(['playback', 'export']));
    expect(JSON.stringify(listed)).not.toContain(hashSecret(second.request.credential));
  });
});
