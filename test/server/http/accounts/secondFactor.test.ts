import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { cookieOf, PASSWORD } from '../testApp.ts';
import { codeAt, createScene, type Scene } from './scene.ts';

let scene: Scene;
let ann: number;
beforeEach(async () => {
  scene = await createScene();
  await scene.addMember('admin', scene.roles.administrator);
  ann = await scene.addMember('ann', scene.roles.operator);
});
afterEach(() => scene.test.close());

const post = (url: string, body: object) => scene.ask('', 'POST', url, body);
const login = () => post('/api/user/login', { username: 'ann', password: PASSWORD });
const giveCode = (ticket: string, code: string) => post('/api/user/login/code', { ticket, code });
const nowCode = (secret: string, offsetMs = 0) => codeAt(secret, scene.test.clock.now + offsetMs);
const pass = (ms: number) => {
  scene.test.clock.now = wallMs(scene.test.clock.now + ms);
};

/** Enrols ann from her session and goes on to the next code. */
async function enrol(): Promise<{ secret: string; recoveryCodes: readonly string[] }> {
  const begun = await scene.ask('ann', 'POST', '/api/user/secondfactor', { password: PASSWORD });
  const { secret } = begun.data;
  const code = nowCode(secret);
  const { data } = await scene.ask('ann', 'POST', '/api/user/secondfactor/confirm', { code });
  pass(60_000);
  return { secret, recoveryCodes: data.recoveryCodes };
}

describe('enrolling', () => {
  it('needs the password, shows the secret once, and counts only after a code', async () => {
    const { ask } = scene;
    const path = '/api/user/secondfactor';
    expect(await ask('ann', 'POST', path, { password: 'wrong' })).toMatchObject({
      status: 403,
      code: 'wrong-password',
    });
    const begun = await ask('ann', 'POST', path, { password: PASSWORD });
    const { secret } = begun.data;
    expect(String(begun.data.address)).toContain(`secret=${secret}`);
    expect((await login()).data).toMatchObject({ login: true });
    expect(await ask('ann', 'POST', `${path}/confirm`, { code: '000000' })).toMatchObject({
      status: 422,
      data: { fields: { code: 'wrong-code' } },
    });
    const done = await ask('ann', 'POST', `${path}/confirm`, { code: nowCode(secret) });
    expect(done.data.recoveryCodes).toHaveLength(10);
    expect((await ask('ann', 'GET', path)).data).toEqual({
      isEnrolled: true,
      isRequired: false,
      recoveryCodesLeft: 10,
    });
    const stored = await scene.test.stores.secondFactors.find(ann);
    expect(JSON.stringify(stored)).not.toContain(secret);
    expect(JSON.stringify(await scene.audit())).not.toContain(secret);
  });

  it('slows down who guesses at a set-up that was left half done', async () => {
    await scene.ask('ann', 'POST', '/api/user/secondfactor', { password: PASSWORD });
    for (let attempt = 0; attempt < 6; attempt++)
      await scene.ask('ann', 'POST', '/api/user/secondfactor/confirm', { code: '000000' });
    expect(scene.test.waits).toEqual([500, 1_000]);
  });

  it('again keeps the old one until the new one is proven', async () => {
    const { secret } = await enrol();
    const begun = await scene.ask('ann', 'POST', '/api/user/secondfactor', {
      password: PASSWORD,
      code: nowCode(secret),
    });
    expect(begun.status).toBe(200);
    pass(60_000);
    const { ticket } = (await login()).data;
    expect((await giveCode(ticket, nowCode(secret))).data.login).toBe(true);
  });
});

describe('signing in with it', () => {
  it('asks for a code after the password; each code opens once', async () => {
    const { secret } = await enrol();
    const first = await login();
    expect(first.data).toMatchObject({ login: false, step: 'code' });
    const code = nowCode(secret);
    const answer = await scene.test.request({
      method: 'POST',
      url: '/api/user/login/code',
      body: { ticket: first.data.ticket, code },
    });
    const status = await scene.test.request({ url: '/api/user/status', headers: { cookie: cookieOf(answer) } });
    expect(status.json().data).toMatchObject({ login: true, username: 'ann' });
    expect((await giveCode(first.data.ticket, nowCode(secret, 30_000))).code).toBe('sign-in-again');
    const second = (await login()).data.ticket;
    expect((await giveCode(second, code)).code).toBe('wrong-code');
    expect((await giveCode(second, nowCode(secret, -30_000))).code).toBe('wrong-code');
    expect((await giveCode(second, nowCode(secret, 30_000))).data.login).toBe(true);
  });

  it('gives no cookie for the password alone, and no session for another’s ticket or an old one', async () => {
    const { secret } = await enrol();
    const answer = await scene.test.request({
      method: 'POST',
      url: '/api/user/login',
      body: { username: 'ann', password: PASSWORD },
    });
    expect(answer.cookies).toEqual([]);
    expect((await giveCode('A'.repeat(27), nowCode(secret))).code).toBe('sign-in-again');
    const { ticket } = (await login()).data;
    pass(10 * 60_000);
    expect((await giveCode(ticket, nowCode(secret))).code).toBe('sign-in-again');
  });

  const ways: [string, () => Promise<unknown>][] = [
    [
      'the member changes the password',
      async () => {
        const body = { password: PASSWORD, newPassword: 'another password' };
        expect((await scene.ask('ann', 'POST', '/api/user/password', body)).status).toBe(200);
      },
    ],
    [
      'an administrator gives a password',
      () => scene.ask('admin', 'PUT', `/api/membership/members/${ann}/password`, { password: 'another password' }),
    ],
    [
      'an administrator ends the sessions',
      () => scene.ask('admin', 'DELETE', `/api/membership/members/${ann}/sessions`),
    ],
  ];
  it.each(ways)('begins again with the password when, between both, %s', async (_, end) => {
    const { secret } = await enrol();
    const { ticket } = (await login()).data;
    await end();
    expect((await giveCode(ticket, nowCode(secret))).code).toBe('sign-in-again');
  });

  it('takes a recovery code once, however it is typed', async () => {
    const { recoveryCodes } = await enrol();
    const [code = ''] = recoveryCodes;
    const typed = code.toLowerCase().replaceAll('-', ' ');
    expect((await giveCode((await login()).data.ticket, typed)).data.login).toBe(true);
    expect((await giveCode((await login()).data.ticket, code)).code).toBe('wrong-code');
    const used = (await scene.audit()).find(({ action }) => action === 'secondfactor.recover');
    expect(used).toMatchObject({ target: 'ann', detail: { codesLeft: 9 } });
  });

  it('waits after five wrong codes, over tickets and right passwords, and says how long', async () => {
    const { secret } = await enrol();
    for (let attempt = 0; attempt < 5; attempt++) {
      expect((await giveCode((await login()).data.ticket, '000000')).code).toBe('wrong-code');
    }
    const { ticket } = (await login()).data;
    expect(await giveCode(ticket, nowCode(secret))).toMatchObject({ status: 429, code: 'slow-down' });
    pass(30_000);
    expect((await giveCode(ticket, nowCode(secret))).data.login).toBe(true);
    for (let attempt = 0; attempt < 4; attempt++) await giveCode((await login()).data.ticket, '000000');
    pass(60_000);
    expect((await giveCode((await login()).data.ticket, nowCode(secret))).data.login).toBe(true);
  });

  it('is over when an administrator takes it away, with the sessions', async () => {
    await enrol();
    expect((await scene.ask('admin', 'DELETE', `/api/membership/members/${ann}/secondfactor`)).status).toBe(200);
    expect((await scene.ask('ann', 'GET', '/api/user/profile')).status).toBe(401);
    expect((await login()).data.login).toBe(true);
  });
});

describe('when it is required', () => {
  const requires: [string, () => Promise<unknown>][] = [
    ['of everybody', () => scene.ask('admin', 'PUT', '/api/membership/policy', { secondFactorForAll: true })],
    [
      'of the role',
      async () => {
        const role = await scene.test.stores.roles.insert({
          name: 'Careful',
          permissions: [],
          secondFactorRequired: true,
        });
        const member = await scene.test.stores.members.find(ann);
        if (!role.ok || member === undefined) throw new Error('no role');
        const content = { ...member, role: role.value };
        await scene.test.stores.members.update(ann, member.version, { content, scope: undefined });
      },
    ],
  ];
  it.each(requires)('%s, the first sign-in sets it up, and nobody gets around it', async (_, require) => {
    await require();
    const { step, ticket } = (await login()).data;
    expect(step).toBe('enrol');
    expect((await giveCode(ticket, '000000')).code).toBe('wrong-code');
    const { secret } = (await post('/api/user/login/enrol', { ticket })).data;
    expect((await post('/api/user/login/confirm', { ticket, code: '000000' })).code).toBe('wrong-code');
    const done = await post('/api/user/login/confirm', { ticket, code: nowCode(secret) });
    expect(done.data).toMatchObject({ login: true });
    expect(done.data.recoveryCodes).toHaveLength(10);
    const again = await login();
    expect(again.data.step).toBe('code');
    // Whoever has the password only must not put another one in its place.
    expect((await post('/api/user/login/enrol', { ticket: again.data.ticket })).code).toBe('sign-in-again');
    const removed = await scene.ask('ann', 'POST', '/api/user/secondfactor/remove', { password: PASSWORD });
    expect(removed.code).toBe('second-factor-required');
  });

  it('by nobody, it can be given up with the password and a code', async () => {
    const { secret } = await enrol();
    const remove = (password: string) =>
      scene.ask('ann', 'POST', '/api/user/secondfactor/remove', { password, code: nowCode(secret) });
    expect((await remove('wrong')).code).toBe('wrong-password');
    expect((await remove(PASSWORD)).status).toBe(200);
    expect((await login()).data.login).toBe(true);
  });
});

describe.each([
  ['replaced', '/api/user/secondfactor'],
  ['removed', '/api/user/secondfactor/remove'],
])('from a session whose password is known, it is %s', (_what, url) => {
  const ask = (code?: string) =>
    scene.ask('ann', 'POST', url, { password: PASSWORD, ...(code === undefined ? {} : { code }) });

  it('with a code of the app or a recovery code only, each of which is taken once', async () => {
    const { secret, recoveryCodes } = await enrol();
    expect(await ask()).toMatchObject({ status: 422, data: { fields: { code: 'required' } } });
    expect(await ask('000000')).toMatchObject({ status: 422, data: { fields: { code: 'wrong-code' } } });
    const stored = await scene.test.stores.secondFactors.find(ann);
    expect(stored).toMatchObject({ pendingSecret: '' });
    expect((await login()).data).toMatchObject({ login: false, step: 'code' });
    const code = nowCode(secret);
    expect((await giveCode((await login()).data.ticket, code)).data.login).toBe(true);
    expect(await ask(code)).toMatchObject({ data: { fields: { code: 'wrong-code' } } });
    expect((await ask(recoveryCodes[0])).status).toBe(200);
    const actions = (await scene.audit()).map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['secondfactor.refused', 'secondfactor.recover']));
  });

  it('and whoever guesses at codes waits as at sign-in', async () => {
    const { secret } = await enrol();
    for (let attempt = 0; attempt < 5; attempt++) expect((await ask('000000')).status).toBe(422);
    expect(await ask(nowCode(secret))).toMatchObject({ status: 429, code: 'slow-down' });
    pass(30_000);
    expect((await ask(nowCode(secret))).status).toBe(200);
  });
});

describe('sessions', () => {
  const begin = async (username: string) => {
    const user = await scene.test.stores.users.findByName(username);
    if (user === undefined) throw new Error('gone');
    return scene.test.sessions.begin(user, { address: '192.0.2.9', userAgent: 'elsewhere' }, false);
  };
  const isIn = async (id: string) => (await scene.test.sessions.find(id)) !== undefined;

  it('of one’s own are seen and ended, never another’s', async () => {
    const elsewhere = await begin('ann');
    const { data } = await scene.ask('ann', 'GET', '/api/user/sessions');
    const rows = data as unknown as readonly Readonly<Record<string, unknown>>[];
    expect(rows.map(({ isCurrent, address }) => [isCurrent, address])).toEqual(
      expect.arrayContaining([
        [true, '192.0.2.1'],
        [false, '192.0.2.9'],
      ]),
    );
    expect(JSON.stringify(rows)).not.toContain(elsewhere.session.idHash);
    const other = await begin('admin');
    const path = '/api/user/sessions';
    expect((await scene.ask('ann', 'DELETE', `${path}/${other.session.idHash.slice(0, 20)}`)).code).toBe(
      'no-such-session',
    );
    expect((await scene.ask('ann', 'DELETE', `${path}/${elsewhere.session.idHash.slice(0, 20)}`)).status).toBe(200);
    expect([await isIn(elsewhere.id), await isIn(other.id)]).toEqual([false, true]);
    const more = await begin('ann');
    expect((await scene.ask('ann', 'DELETE', path)).data).toEqual({ ended: 1 });
    expect(await isIn(more.id)).toBe(false);
    expect((await scene.ask('ann', 'GET', path)).status).toBe(200);
  });

  it('of others are ended by who may change them', async () => {
    const elsewhere = await begin('ann');
    const handle = elsewhere.session.idHash.slice(0, 20);
    await scene.addWith('keeper', ['member', 'event'], [scene.north]);
    expect((await scene.ask('keeper', 'DELETE', `/api/membership/sessions/${handle}`)).code).toBe('no-such-session');
    const { data } = await scene.ask('admin', 'GET', `/api/membership/sessions?member=${ann}`);
    expect(data.rows).toMatchObject([{ id: handle, username: 'ann', mayEnd: true, isCurrent: false }]);
    expect((await scene.ask('admin', 'DELETE', `/api/membership/sessions/${handle}`)).status).toBe(200);
    expect(await isIn(elsewhere.id)).toBe(false);
    const [noted] = await scene.audit();
    expect(noted).toMatchObject({
      actor: 'admin',
      action: 'session.revoke',
      target: 'ann',
      detail: { address: '192.0.2.9' },
    });
    await begin('ann');
    expect((await scene.ask('admin', 'DELETE', `/api/membership/members/${ann}/sessions`)).data).toEqual({ ended: 1 });
  });
});

describe('one’s own profile', () => {
  it('is what one may change of oneself, and the status tells it', async () => {
    const profile = { displayName: 'Ann', language: 'jp', timeZone: 'Asia/Tokyo' };
    expect((await scene.ask('ann', 'PUT', '/api/user/profile', profile)).data).toEqual({ username: 'ann', ...profile });
    expect((await scene.ask('ann', 'GET', '/api/user/status')).data).toMatchObject({
      displayname: 'Ann',
      timezone: 'Asia/Tokyo',
      language: 'jp',
    });
    expect((await scene.ask('ann', 'PUT', '/api/user/profile', { ...profile, role: 1 })).status).toBe(400);
    expect((await scene.ask('ann', 'PUT', '/api/user/profile', { ...profile, timeZone: 'x' })).data.fields).toEqual({
      timeZone: 'unknown',
    });
  });
});
