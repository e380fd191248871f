import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LinkListQuery } from '../../../../server/store/links/linkList.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';

const AT = wallMs(1_795_000_000_000);
const later = (ms: number) => wallMs(AT + ms);

describeOnBothEngines('links', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db);
  });
  afterAll(() => database.close());

  describe('links', () => {
    let owner: number;
    let other: number;
    let north: number;

    beforeEach(async () => {
      for (const table of ['app_user', 'device', 'member_group', 'device_group'] as const)
        await database.db.deleteFrom(table).execute();
      const deviceGroup = await stores.deviceGroups.insert('North');
      north = await stores.memberGroups.insert({ name: 'North' });
      await stores.memberGroups.setDeviceGroups(north, [deviceGroup]);
      await stores.devices.insert({ deviceId: 'BUS', name: 'Bus Ä_1', plate: 'KEE-1', chn: 4, deviceGroup });
      await stores.devices.insert({ deviceId: 'SHIP', name: 'ship', chn: 4 });
      const user = (username: string) => stores.users.insert({ username, passwordHash: '', permissions: [] }, AT);
      owner = await user('owner');
      other = await user('Other');
    });

    const add = (secretHash: string, more: Partial<Parameters<Stores['linkCredentials']['insert']>[0]> = {}) =>
      stores.linkCredentials.insert(
        { secretHash, ownerId: owner, deviceId: 'BUS', channelMask: 5, kinds: ['live', 'export'], ...more },
        AT,
      );
    const query = (more: Partial<LinkListQuery> = {}): LinkListQuery => ({
      ownerId: owner,
      search: '',
      sort: 'created',
      descending: false,
      limit: 99,
      position: { at: 'offset', offset: 0 },
      now: later(10),
      ...more,
    });
    const ids = async (more: Partial<LinkListQuery> = {}) => {
      const page = await stores.linkList.page(query(more));
      expect(page?.total).toBe(page?.rows.length);
      return page?.rows.map(({ id }) => id);
    };

    it('are given with what they open and the state that they are in', async () => {
      const id = await add('a', { note: 'n', expiresAtMs: later(10) });
      expect((await stores.linkList.page(query()))?.rows).toEqual([
        {
          id,
          deviceid: 'BUS',
          name: 'Bus Ä_1',
          plate: 'KEE-1',
          owner: 'owner',
          channels: [1, 3],
          kinds: ['live', 'export'],
          note: 'n',
          state: 'expired',
          createdAtMs: AT,
          untilMs: later(10),
          revokedAtMs: 0,
          lastUsedAtMs: 0,
          useCount: 0,
          lastAddress: '',
        },
      ]);
      expect((await stores.linkList.find(id, { ownerId: owner }, later(9)))?.state).toBe('active');
      expect(await stores.linkList.find(id, { ownerId: other }, AT)).toBeUndefined();
      expect((await stores.linkList.find(id, { ownerId: other, memberGroup: north }, AT))?.id).toBe(id);
    });

    it('are in the order that is asked for, those without an end the last to end', async () => {
      const [a, b, c] = [
        await add('a', { expiresAtMs: later(90), note: 'b' }),
        await add('b', { note: 'A', deviceId: 'SHIP' }),
        await add('c', { expiresAtMs: later(50), note: 'c' }),
      ];
      await stores.linkList.noteUses([{ secretHash: 'b', atMs: later(1), address: '192.0.2.1', count: 3 }]);
      expect(await ids()).toEqual([a, b, c]);
      expect(await ids({ descending: true })).toEqual([c, b, a]);
      expect(await ids({ sort: 'until' })).toEqual([c, a, b]);
      expect(await ids({ sort: 'note' })).toEqual([b, a, c]);
      expect(await ids({ sort: 'device' })).toEqual([a, c, b]);
      expect(await ids({ sort: 'uses' })).toEqual([a, c, b]);
      expect(await ids({ sort: 'used', descending: true })).toEqual([b, c, a]);
      expect(await ids({ sort: 'owner' })).toEqual([a, b, c]);
    });

    it('are found by words, with no wildcards in them', async () => {
      const id = await add('a', { note: '50% off' });
      await add('b', { deviceId: 'SHIP', note: 'none' });
      for (const search of ['BUS', 'kee-1', '50% OFF', '_1']) expect(await ids({ search }), search).toEqual([id]);
      for (const search of ['b_s', '%', '\\'])
        expect(await ids({ search }), search).toHaveLength(search === '%' ? 1 : 0);
      expect(await ids({ search: 'owner' })).toHaveLength(2);
    });

    it('of others are in sight of a group that sees the device', async () => {
      const own = await add('a', { deviceId: 'SHIP' });
      const foreign = await add('b', { ownerId: other });
      await add('c', { ownerId: other, deviceId: 'SHIP' });
      expect(await ids()).toEqual([own]);
      expect(await ids({ memberGroup: north })).toEqual([own, foreign]);
      expect(await ids({ memberGroup: 0 })).toEqual([own]);
    });

    it('of sessions are in no list, and are made once', async () => {
      const session = { userId: owner, memberGroup: undefined, wallMonitor: false, address: '', userAgent: '' };
      const times = { createdAtMs: AT, lastSeenAtMs: AT, idleEndsAtMs: later(9), endsAtMs: later(9) };
      await stores.sessions.insert({ idHash: 's', ...session, ...times });
      const bound = { secretHash: 'x', ownerId: owner, deviceId: 'BUS', channelMask: 1, kinds: ['live'] } as const;
      await stores.linkCredentials.ensure({ ...bound, sessionIdHash: 's' }, AT);
      await stores.linkCredentials.ensure({ ...bound, sessionIdHash: 's' }, later(5));
      expect((await stores.linkCredentials.findBySecretHash('x'))?.credential.createdAtMs).toBe(AT);
      expect(await ids({ memberGroup: north })).toEqual([]);
      await stores.linkList.noteUses([{ secretHash: 'x', atMs: later(1), address: '192.0.2.1', count: 3 }]);
    });

    it('add up their uses', async () => {
      const id = await add('a');
      const use = { secretHash: 'a', atMs: later(1), address: '192.0.2.1', count: 2 };
      await stores.linkList.noteUses([use, { ...use, secretHash: 'unknown' }]);
      await stores.linkList.noteUses([{ ...use, atMs: later(2), address: '192.0.2.2', count: 1 }]);
      expect(await stores.linkList.find(id, { ownerId: owner }, AT)).toMatchObject({
        lastUsedAtMs: later(2),
        useCount: 3,
        lastAddress: '192.0.2.2',
      });
    });
  });
});
