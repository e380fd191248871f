import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { FRAME_TOKENS_LIMIT, type Session } from '../../../../server/store/accounts/sessions.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';

const AT = wallMs(1_795_000_000_000);
const later = (ms: number) => wallMs(AT + ms);

describeOnBothEngines('the session store', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  let userId: number;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db);
  });
  beforeEach(async () => {
    await database.db.deleteFrom('app_user').execute();
    userId = await stores.users.insert({ username: 'a', passwordHash: 'h', permissions: [] }, AT);
  });
  afterAll(() => database.close());

  const session = (idHash: string, fields: Partial<Session> = {}): Session => ({
    idHash,
    userId,
    memberGroup: undefined,
    wallMonitor: false,
    createdAtMs: AT,
    lastSeenAtMs: AT,
    idleEndsAtMs: later(1_000),
    endsAtMs: later(10_000),
    address: '192.0.2.1',
    userAgent: 'test',
    ...fields,
  });

  it('gives a session back as it was put in and as it was touched', async () => {
    await stores.sessions.insert(session('a', { wallMonitor: true }));
    expect(await stores.sessions.find('a')).toEqual(session('a', { wallMonitor: true }));
    await stores.sessions.touch('a', later(500), later(1_500));
    expect(await stores.sessions.find('a')).toMatchObject({ lastSeenAtMs: later(500), idleEndsAtMs: later(1_500) });
    expect(await stores.sessions.find('b')).toBeUndefined();
  });

  it('changes and clears the group of one session only', async () => {
    const group = await stores.memberGroups.insert({ name: 'North' });
    for (const id of ['a', 'b']) await stores.sessions.insert(session(id));
    await stores.sessions.setMemberGroup('a', group);
    expect((await stores.sessions.find('a'))?.memberGroup).toBe(group);
    expect((await stores.sessions.find('b'))?.memberGroup).toBeUndefined();
    await stores.sessions.setMemberGroup('a', undefined);
    expect((await stores.sessions.find('a'))?.memberGroup).toBeUndefined();
  });

  it('ends one session, or all of a user, with their frame tokens and link credentials', async () => {
    await stores.devices.insert({ deviceId: `D-${engine}`, name: 'D', chn: 1 });
    for (const id of ['a', 'b', 'c']) await stores.sessions.insert(session(id));
    await stores.sessions.insertFrameToken({ tokenHash: 't', sessionIdHash: 'a', expiresAtMs: later(100) });
    const link = {
      secretHash: 's',
      ownerId: userId,
      deviceId: `D-${engine}`,
      channelMask: 1,
      kinds: ['live'] as const,
    };
    await stores.linkCredentials.insert({ ...link, sessionIdHash: 'a' }, AT);
    await stores.sessions.remove('a');
    expect(await stores.sessions.find('a')).toBeUndefined();
    expect(await stores.sessions.findByFrameToken('t', AT)).toBeUndefined();
    expect(await stores.linkCredentials.findBySecretHash('s')).toBeUndefined();
    expect(await stores.sessions.removeOfUser(userId)).toBe(2);
    expect(await stores.sessions.find('b')).toBeUndefined();
  });

  it('sweeps what has ended by either of its times, and nothing else', async () => {
    await stores.sessions.insert(session('idle', { idleEndsAtMs: later(10) }));
    await stores.sessions.insert(session('old', { endsAtMs: later(10) }));
    await stores.sessions.insert(session('alive'));
    expect(await stores.sessions.removeEnded(later(10))).toBe(2);
    expect(await stores.sessions.find('alive')).toBeDefined();
  });

  it('finds a session by a frame token until the token expires', async () => {
    await stores.sessions.insert(session('a'));
    const token = { tokenHash: 't', sessionIdHash: 'a', expiresAtMs: later(100) };
    await stores.sessions.insertFrameToken(token);
    expect(await stores.sessions.findByFrameToken('t', later(99))).toEqual({ token, session: session('a') });
    expect(await stores.sessions.findByFrameToken('t', later(100))).toBeUndefined();
    await stores.sessions.extendFrameToken('t', later(200));
    expect((await stores.sessions.findByFrameToken('t', later(100)))?.token.expiresAtMs).toBe(later(200));
  });

  it('keeps the newest frame tokens of a session only', async () => {
    await stores.sessions.insert(session('a'));
    for (let index = 0; index < FRAME_TOKENS_LIMIT.max + 2; index++) {
      await stores.sessions.insertFrameToken({
        tokenHash: `${index}`,
        sessionIdHash: 'a',
        expiresAtMs: later(index + 1),
      });
    }
    expect(await stores.sessions.findByFrameToken('1', AT)).toBeUndefined();
    expect(await stores.sessions.findByFrameToken('2', AT)).toBeDefined();
    expect(await stores.sessions.findByFrameToken(`${FRAME_TOKENS_LIMIT.max + 1}`, AT)).toBeDefined();
  });
});
