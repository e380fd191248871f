import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ensureFirstUser } from '../../../../server/auth/firstUser.ts';
import { passwordFault } from '../../../../server/auth/passwordRules.ts';
import { PASSWORD } from '../testApp.ts';
import { createScene, newMember, type Scene } from './scene.ts';

const MEMBERS = '/api/membership/members';
const COMMON = ['12345678', 'password', 'PassWord1', 'qwertyuiop', 'fleetglass', 'iloveyou'];

describe('a password', () => {
  it.each(COMMON)('that is tried first is not taken: %s', (password) => {
    expect(passwordFault(password, 'ann')).toBe('common-password');
  });

  it('that is the user name is not taken, in whatever case', () => {
    expect(passwordFault('Anna.Meier', 'anna.meier')).toBe('common-password');
    expect(passwordFault('anna.meier', 'ann')).toBeUndefined();
  });

  it.each(['correct horse battery', 'a fine password', '對講機在駕駛座右邊'])('like %s is', (password) => {
    expect(passwordFault(password, 'ann')).toBeUndefined();
  });
});

describe('a common password', () => {
  let scene: Scene;
  let ann: number;
  beforeEach(async () => {
    scene = await createScene();
    await scene.addMember('admin', scene.roles.administrator);
    ann = await scene.addMember('ann.operator', scene.roles.operator);
  });
  afterEach(() => scene.test.close());

  const refusal = (field: string) => ({
    status: 422,
    code: 'common-password',
    data: { fields: { [field]: 'common-password' } },
  });

  it('is not given to a new member', async () => {
    const body = newMember('bob', scene.roles.operator, { password: '12345678' });
    expect(await scene.ask('admin', 'POST', MEMBERS, body)).toMatchObject(refusal('password'));
    expect(await scene.test.stores.users.findByName('bob')).toBeUndefined();
    const named = newMember('bob.operator', scene.roles.operator, { password: 'Bob.Operator' });
    expect(await scene.ask('admin', 'POST', MEMBERS, named)).toMatchObject(refusal('password'));
  });

  it('is not set for a member, whose sessions go on', async () => {
    const url = `${MEMBERS}/${ann}/password`;
    await scene.ask('ann.operator', 'GET', '/api/user/profile');
    for (const password of ['password1', 'ANN.OPERATOR']) {
      expect(await scene.ask('admin', 'PUT', url, { password })).toMatchObject(refusal('password'));
    }
    expect((await scene.ask('ann.operator', 'GET', '/api/user/profile')).status).toBe(200);
  });

  it('is not chosen by link, which stays good for a better one', async () => {
    const { data } = await scene.ask('admin', 'POST', `${MEMBERS}/${ann}/invitation`);
    const accept = (password: string) =>
      scene.ask('', 'POST', '/api/user/invitation/accept', { token: data.token, password });
    expect(await accept('qwertyuiop')).toMatchObject(refusal('password'));
    expect(await accept('ann.operator')).toMatchObject(refusal('password'));
    expect((await accept('chosen by ann')).status).toBe(200);
  });

  it('is not chosen in place of the present one', async () => {
    const change = (newPassword: string) =>
      scene.ask('ann.operator', 'POST', '/api/user/password', { password: PASSWORD, newPassword });
    expect(await change('11111111')).toMatchObject(refusal('newPassword'));
    expect(await change('Ann.Operator')).toMatchObject(refusal('newPassword'));
    expect((await change('a quite new password')).status).toBe(200);
  });

  it('is not taken from ADMIN_PASSWORD by a first start, and not looked at by later ones', async () => {
    const { stores, passwords, clock } = scene.test;
    const deps = { ...stores, passwords, now: () => clock.now };
    expect(await ensureFirstUser(deps, '12345678')).toBeUndefined();
    for (const user of await stores.users.list()) await stores.users.remove(user.id);
    await expect(ensureFirstUser(deps, '12345678')).rejects.toThrow('ADMIN_PASSWORD');
    expect(await stores.users.count()).toBe(0);
  });
});
