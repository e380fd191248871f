import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashSecret } from '../../../../server/auth/secrets.ts';
import { ORDINARY_LIFE, WALL_MONITOR_LIFE } from '../../../../server/auth/sessionTimes.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { cookieOf, createTestApp, PASSWORD, type TestApp } from '../testApp.ts';

let test: TestApp;
beforeEach(async () => {
  test = await createTestApp();
});
afterEach(() => test.close());

const login = (body: object, headers = {}) => test.request({ method: 'POST', url: '/api/user/login', body, headers });
const status = async (headers: Record<string, string>) =>
  (await test.request({ url: '/api/user/status', headers })).json();

describe('signing in', () => {
  it('gives a session as a cookie that scripts cannot read and other sites do not send', async () => {
    await test.addUser('Ann');
    const response = await login({ username: 'ann', password: PASSWORD });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ error: false, data: { login: true, language: '' } });
    expect(response.cookies[0]).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
    expect(response.cookies[0]?.value).toMatch(/^[A-Za-z0-9]{27}$/);
    expect(response.cookies[0]).not.toHaveProperty('maxAge');
    expect((await status({ cookie: cookieOf(response) })).data).toMatchObject({ login: true, username: 'Ann' });
  });

  it('keeps the id as a hash only', async () => {
    await test.addUser('ann');
    const cookie = await test.signIn('ann');
    const id = cookie.split('=')[1] ?? '';
    expect(await test.stores.sessions.find(id)).toBeUndefined();
    expect(await test.stores.sessions.find(hashSecret(id))).toBeDefined();
  });

  it('answers an unknown name, a wrong password and a disabled user alike', async () => {
    await test.addUser('ann');
    await test.stores.users.setDisabled(await test.addUser('off'), true);
    const answers = await Promise.all([
      login({ username: 'ann', password: 'wrong' }),
      login({ username: 'nobody', password: PASSWORD }),
      login({ username: 'off', password: PASSWORD }),
    ]);
    for (const answer of answers) {
      expect(answer.statusCode).toBe(401);
      expect(answer.json()).toEqual({ error: true, code: 'bad-credentials', message: expect.any(String) });
      expect(answer.cookies).toEqual([]);
    }
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
  });

  it('takes as long for a name that does not exist as for one that does', async () => {
    const id = await test.addUser('ann');
    await test.stores.users.setPasswordHash(id, await test.passwords.hash(PASSWORD), test.clock.now);
    // Processor time of all threads: on a busy machine, elapsed time says more of the machine than of the sign-in.
    const time = async (username: string): Promise<number> => {
      const from = process.cpuUsage();
      await login({ username, password: 'wrong' });
      const { user, system } = process.cpuUsage(from);
      return user + system;
    };
    const known: number[] = [];
    const unknown: number[] = [];
    for (let round = 0; round < 9; round++) {
      known.push(await time('ann'));
      unknown.push(await time('nobody'));
    }
    // The quickest of each: what else the machine does only ever adds.
    const ratio = Math.min(...unknown) / Math.min(...known);
    // Without the password function for names that do not exist the two are an order of magnitude apart.
    expect(ratio).toBeGreaterThan(0.4);
    expect(ratio).toBeLessThan(2.5);
  });

  it('renews the id: the browser’s earlier session ends', async () => {
    await test.addUser('ann');
    const first = await test.signIn('ann');
    const second = cookieOf(await login({ username: 'ann', password: PASSWORD }, { cookie: first }));
    expect(second).not.toBe(first);
    expect((await status({ cookie: first })).data).toEqual({ login: false });
    expect((await status({ cookie: second })).data.login).toBe(true);
  });

  it('writes down who came, and who was refused', async () => {
    await test.addUser('ann');
    await test.signIn('ann');
    await login({ username: 'ANN', password: 'wrong' });
    await login({ username: 'her password, in the wrong field', password: 'wrong' });
    const entries = await test.stores.audit.list({ limit: 5 });
    expect(entries.map(({ actor, action, address, detail }) => [actor, action, address, detail])).toEqual([
      ['', 'session.refused', '127.0.0.1', { userExists: false }],
      ['ann', 'session.refused', '127.0.0.1', {}],
      ['ann', 'session.begin', '127.0.0.1', {}],
    ]);
    expect(JSON.stringify(entries)).not.toContain('password');
  });

  it('slows down after failures and still lets in who knows the password', async () => {
    await test.addUser('ann');
    for (let attempt = 0; attempt < 10; attempt++) await login({ username: 'ann', password: 'wrong' });
    expect(test.waits.slice(0, 3)).toEqual([500, 500, 500]);
    expect(Math.max(...test.waits)).toBe(500);
    expect((await login({ username: 'ann', password: PASSWORD })).statusCode).toBe(200);
  });

  it('does not let one attacked account slow down the others behind the same address much', async () => {
    await test.addUser('ann');
    await test.addUser('bob');
    for (let attempt = 0; attempt < 22; attempt++) await login({ username: 'ann', password: 'wrong' });
    test.waits.length = 0;
    expect((await login({ username: 'bob', password: PASSWORD })).statusCode).toBe(200);
    expect(test.waits).toEqual([200]);
  });
});

describe('sessions', () => {
  it('end when they are not used for long enough, and slide while they are', async () => {
    await test.addUser('ann');
    const cookie = await test.signIn('ann');
    test.clock.now = wallMs(test.clock.now + ORDINARY_LIFE.idleMs - 1);
    expect((await status({ cookie })).data.login).toBe(true);
    test.clock.now = wallMs(test.clock.now + ORDINARY_LIFE.idleMs - 1);
    expect((await status({ cookie })).data.login).toBe(true);
    test.clock.now = wallMs(test.clock.now + ORDINARY_LIFE.idleMs);
    expect((await status({ cookie })).data).toEqual({ login: false });
  });

  it('end after their whole life however busy they are', async () => {
    await test.addUser('ann');
    const cookie = await test.signIn('ann');
    const endsAt = test.clock.now + ORDINARY_LIFE.wholeMs;
    while (test.clock.now < endsAt - ORDINARY_LIFE.idleMs) {
      test.clock.now = wallMs(test.clock.now + ORDINARY_LIFE.idleMs / 2);
      expect((await status({ cookie })).data.login).toBe(true);
    }
    test.clock.now = wallMs(endsAt);
    expect((await status({ cookie })).data.login).toBe(false);
  });

  it('last longer on a wall monitor, for members who may and ask', async () => {
    const passwordHash = await test.passwords.hash(PASSWORD);
    const wall = { username: 'wall', passwordHash, permissions: [], wallMonitorAllowed: true };
    await test.stores.users.insert(wall, test.clock.now);
    await test.addUser('ann');
    const granted = await login({ username: 'wall', password: PASSWORD, wallMonitor: true });
    const refused = await login({ username: 'ann', password: PASSWORD, wallMonitor: true });
    expect(granted.cookies[0]).toMatchObject({ maxAge: WALL_MONITOR_LIFE.wholeMs / 1000 });
    expect(refused.cookies[0]).not.toHaveProperty('maxAge');
    test.clock.now = wallMs(test.clock.now + ORDINARY_LIFE.wholeMs);
    expect((await status({ cookie: cookieOf(granted) })).data.login).toBe(true);
    expect((await status({ cookie: cookieOf(refused) })).data.login).toBe(false);
  });

  it('end at once for a user who is disabled or removed', async () => {
    const id = await test.addUser('ann');
    const cookie = await test.signIn('ann');
    await test.stores.users.setDisabled(id, true);
    expect((await status({ cookie })).data.login).toBe(false);
    await test.stores.users.setDisabled(id, false);
    expect((await status({ cookie })).data.login).toBe(true);
    await test.stores.users.remove(id);
    expect((await status({ cookie })).data.login).toBe(false);
  });

  it('fall back to another group of the user when theirs is taken away', async () => {
    const [north, south] = [
      await test.stores.memberGroups.insert({ name: 'North' }),
      await test.stores.memberGroups.insert({ name: 'South' }),
    ];
    const id = await test.addUser('ann', [], [north, south]);
    const cookie = await test.signIn('ann');
    expect((await status({ cookie })).data.membergroup).toBe(north);
    await test.stores.memberGroups.setGroupsOfUser(id, [south]);
    expect((await status({ cookie })).data.membergroup).toBe(south);
    await test.stores.memberGroups.setGroupsOfUser(id, []);
    expect((await status({ cookie })).data.membergroup).toBe(0);
  });
});

describe('the status (S-3.1, S-7.2)', () => {
  it('is login false and nothing else without a session', async () => {
    const response = await test.request({ url: '/api/user/status' });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ error: false, data: { login: false } });
  });

  it('has the user’s fields, times in seconds', async () => {
    const expiresAtMs = wallMs(1_795_132_800_999);
    const group = await test.stores.memberGroups.insert({ name: 'North', retentionDays: 30, expiresAtMs });
    await test.addUser('Zoë <b>', ['event', 'membergroup'], [group]);
    expect(await status({ cookie: await test.signIn('Zoë <b>') })).toEqual({
      error: false,
      data: {
        login: true,
        username: 'Zoë <b>',
        permission: ['event', 'membergroup'],
        membergroup: group,
        retentiondays: 30,
        expirydate: 1_795_132_800,
        language: '',
        displayname: '',
        timezone: '',
      },
    });
  });
});

describe('signing out (S-7.3)', () => {
  it('ends the session, its frame tokens and the cookie', async () => {
    await test.addUser('ann');
    const cookie = await test.signIn('ann');
    const token = (await test.request({ method: 'POST', url: '/api/user/frametoken', headers: { cookie } })).json();
    const response = await test.request({ url: '/api/user/logout', headers: { cookie } });
    expect(response.json()).toEqual({ error: false, data: { login: false } });
    expect(response.cookies[0]).toMatchObject({ value: '' });
    expect((await status({ cookie })).data).toEqual({ login: false });
    expect((await status({ 'connect-sid': token.data.sid, 'page-framed': '1' })).data).toEqual({ login: false });
  });

  it.each(['cross-site', 'same-site'])('is refused when another page asks for it (%s)', async (site) => {
    await test.addUser('ann');
    const cookie = await test.signIn('ann');
    const response = await test.request({ url: '/api/user/logout', headers: { cookie, 'sec-fetch-site': site } });
    expect(response.statusCode).toBe(403);
    expect(response.json()).toMatchObject({ error: true, code: 'foreign-origin' });
    expect((await status({ cookie })).data.login).toBe(true);
  });

  it('works from the address bar and without a session', async () => {
    const response = await test.request({ url: '/api/user/logout', headers: { 'sec-fetch-site': 'none' } });
    expect(response.json()).toEqual({ error: false, data: { login: false } });
  });

  it('is not what a HEAD request does', async () => {
    await test.addUser('ann');
    const cookie = await test.signIn('ann');
    await test.request({ method: 'HEAD', url: '/api/user/logout', headers: { cookie } });
    expect((await status({ cookie })).data.login).toBe(true);
  });
});

describe('changing one’s own password', () => {
  const change = (headers: Record<string, string>, password: string, newPassword: string) =>
    test.request({ method: 'POST', url: '/api/user/password', headers, body: { password, newPassword } });

  it('ends every session, gives the caller a new one, and takes the new password from then on', async () => {
    await test.addUser('ann');
    const [here, elsewhere] = [await test.signIn('ann'), await test.signIn('ann')];
    const response = await change({ cookie: here }, PASSWORD, 'a new password');
    expect(response.json()).toMatchObject({ error: false, data: { login: true } });
    for (const cookie of [here, elsewhere]) expect((await status({ cookie })).data.login).toBe(false);
    expect((await status({ cookie: cookieOf(response) })).data.login).toBe(true);
    expect((await login({ username: 'ann', password: PASSWORD })).statusCode).toBe(401);
    expect((await login({ username: 'ann', password: 'a new password' })).statusCode).toBe(200);
    expect((await test.stores.audit.list({ limit: 9 })).map(({ action }) => action)).toContain('password.change');
  });

  it('needs the present password, and does not send who mistyped it to the sign-in page', async () => {
    await test.addUser('ann');
    const cookie = await test.signIn('ann');
    const response = await change({ cookie }, 'wrong', 'a new password');
    expect(response.statusCode).toBe(403);
    expect(response.json()).toMatchObject({ error: true, code: 'wrong-password' });
    expect((await status({ cookie })).data.login).toBe(true);
  });

  it('refuses a short password', async () => {
    await test.addUser('ann');
    const response = await change({ cookie: await test.signIn('ann') }, PASSWORD, 'short');
    expect(response.statusCode).toBe(400);
  });

  it('never turns a frame token into a cookie', async () => {
    await test.addUser('ann');
    const cookie = await test.signIn('ann');
    const token = (await test.request({ method: 'POST', url: '/api/user/frametoken', headers: { cookie } })).json();
    const response = await change({ 'connect-sid': token.data.sid, 'page-framed': '1' }, PASSWORD, 'a new password');
    expect(response.json()).toEqual({ error: false, data: { login: false } });
    expect(response.cookies).toEqual([]);
  });
});

describe('frame tokens', () => {
  const makeToken = async (headers: Record<string, string>) =>
    (await test.request({ method: 'POST', url: '/api/user/frametoken', headers })).json().data;

  it('stand for the session they were made in, until an hour after their last use', async () => {
    await test.addUser('ann');
    const { sid, expires } = await makeToken({ cookie: await test.signIn('ann') });
    expect(sid).toMatch(/^[A-Za-z0-9]+$/);
    expect(expires).toBe(Math.floor(test.clock.now / 1000) + 3600);
    test.clock.now = wallMs(test.clock.now + 3_599_000);
    expect((await status({ 'connect-sid': sid, 'page-framed': '1' })).data).toMatchObject({
      login: true,
      username: 'ann',
    });
    test.clock.now = wallMs(test.clock.now + 3_599_000);
    expect((await status({ 'connect-sid': sid, 'page-framed': '1' })).data.login).toBe(true);
    test.clock.now = wallMs(test.clock.now + 3_600_000);
    expect((await status({ 'connect-sid': sid, 'page-framed': '1' })).data.login).toBe(false);
  });

  it('override the cookie that comes along, also when they are no good', async () => {
    await test.addUser('ann');
    await test.addUser('bob');
    const cookie = await test.signIn('ann');
    const { sid } = await makeToken({ cookie: await test.signIn('bob') });
    expect((await status({ cookie, 'connect-sid': sid, 'page-framed': '1' })).data.username).toBe('bob');
    for (const bad of ['', 'x', 'A'.repeat(27), `${sid}x`]) {
      expect((await status({ cookie, 'connect-sid': bad, 'page-framed': '1' })).data).toEqual({ login: false });
    }
  });

  it('are passed over where no other site frames the page: a link may have brought them', async () => {
    await test.addUser('ann');
    await test.addUser('bob');
    const cookie = await test.signIn('ann');
    const { sid } = await makeToken({ cookie: await test.signIn('bob') });
    for (const framed of [{}, { 'page-framed': '0' }, { 'page-framed': 'yes' }]) {
      expect((await status({ cookie, 'connect-sid': sid, ...framed })).data.username).toBe('ann');
      expect((await status({ 'connect-sid': sid, ...framed })).data.login).toBe(false);
    }
  });

  it('are not the session’s id', async () => {
    await test.addUser('ann');
    const cookie = await test.signIn('ann');
    const id = cookie.split('=')[1] ?? '';
    expect((await status({ 'connect-sid': id, 'page-framed': '1' })).data.login).toBe(false);
    const { sid } = await makeToken({ cookie });
    expect((await status({ cookie: `${cookie.split('=')[0]}=${sid}` })).data.login).toBe(false);
  });
});
