// A one-time link sets a password, so it must not outlive what its issuer was allowed to do when it was made.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runAdmin } from '../../../../server/commands/admin.ts';
import { createScene, edited, newMember, type Scene } from './scene.ts';

const MEMBERS = '/api/membership/members';

let scene: Scene;
beforeEach(async () => {
  scene = await createScene();
  await scene.addMember('admin', scene.roles.administrator);
});
afterEach(() => scene.test.close());

/** A link that `issuer` made for the member. */
async function linkBy(issuer: string, id: number): Promise<string> {
  const { status, data } = await scene.ask(issuer, 'POST', `${MEMBERS}/${id}/invitation`);
  expect(status).toBe(200);
  return data.token;
}

const look = (token: string) => scene.ask('', 'POST', '/api/user/invitation', { token });
const use = (token: string) =>
  scene.ask('', 'POST', '/api/user/invitation/accept', { token, password: 'chosen by the issuer' });

async function expectDead(token: string): Promise<void> {
  expect(await look(token)).toMatchObject({ status: 404, code: 'no-such-invitation' });
  expect(await use(token)).toMatchObject({ status: 404, code: 'no-such-invitation' });
}

const change = async (id: number, changes: Readonly<Record<string, unknown>>) => {
  const { data } = await scene.ask('admin', 'GET', `${MEMBERS}/${id}`);
  const answer = await scene.ask('admin', 'PUT', `${MEMBERS}/${id}`, edited(data, changes));
  expect(answer.status).toBe(200);
};

describe('a one-time link ends when the member’s', () => {
  let ann: number;
  let keepersLink: string;
  beforeEach(async () => {
    const { addMember, addWith, roles, north } = scene;
    const { permissions } = await scene.test.stores.roles.findBuiltIn('operator');
    await addWith('keeper', ['member', ...permissions], [north]);
    ann = await addMember('ann', roles.operator, [north]);
    keepersLink = await linkBy('keeper', ann);
    expect((await look(keepersLink)).status).toBe(200);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['role becomes Administrator', () => change(ann, { role: scene.roles.administrator })],
    ['role becomes another one', () => change(ann, { role: scene.roles.manager })],
    ['groups become more', () => change(ann, { groups: [scene.north, scene.south] })],
    [
      'groups become more through the group',
      () => scene.ask('admin', 'POST', `/api/membership/groups/${scene.south}/people`, { add: [ann], remove: [] }),
    ],
    [
      'groups become fewer through the group',
      () => scene.ask('admin', 'POST', `/api/membership/groups/${scene.north}/people`, { add: [], remove: [ann] }),
    ],
    ['group is removed', () => scene.ask('admin', 'DELETE', `/api/membership/groups/${scene.north}?version=1`)],
    [
      'account is disabled and enabled again',
      async () => {
        await change(ann, { disabled: true });
        await change(ann, { disabled: false });
      },
    ],
    [
      'password is changed',
      async () => {
        const body = { password: 'correct horse battery', newPassword: 'another horse battery' };
        expect((await scene.ask('ann', 'POST', '/api/user/password', body)).status).toBe(200);
      },
    ],
    [
      'password is reset on the machine',
      () => runAdmin({ kind: 'reset-password', name: 'ann' }, { ...scene.test, now: () => scene.test.clock.now }),
    ],
    [
      'second factor is reset on the machine',
      () => runAdmin({ kind: 'reset-second-factor', name: 'ann' }, { ...scene.test, now: () => scene.test.clock.now }),
    ],
    [
      'second factor is reset by an administrator',
      () => scene.ask('admin', 'DELETE', `${MEMBERS}/${ann}/secondfactor`),
    ],
  ])('%s', async (_what, happens) => {
    await happens();
    await expectDead(keepersLink);
  });

  it('and lasts while only names and settings change', async () => {
    await change(ann, { displayName: 'Ann', timeZone: 'Asia/Taipei' });
    expect((await use(keepersLink)).status).toBe(200);
  });
});

it('a link ends when the role that the member holds is given more permissions', async () => {
  const { addMember, addWith, ask, north, test } = scene;
  await addWith('keeper', ['member', 'event'], [north]);
  const role = await test.stores.roles.insert({ name: 'Night', permissions: ['event'], secondFactorRequired: false });
  if (!role.ok) throw new Error(role.reason);
  const token = await linkBy('keeper', await addMember('ann', role.value, [north]));
  const body = { version: 1, name: 'Night', permissions: ['event', 'audit', 'system'], secondFactorRequired: false };
  expect((await ask('admin', 'PUT', `/api/membership/roles/${role.value}`, body)).status).toBe(200);
  await expectDead(token);
});

describe('a link opens nothing any more once its issuer', () => {
  let keeper: number;
  let token: string;
  beforeEach(async () => {
    const { addMember, addWith, north, roles } = scene;
    const { permissions } = await scene.test.stores.roles.findBuiltIn('operator');
    keeper = await addWith('keeper', ['member', ...permissions], [north]);
    token = await linkBy('keeper', await addMember('ann', roles.operator, [north]));
  });

  it.each<[string, () => Promise<unknown>]>([
    ['is disabled', () => change(keeper, { disabled: true })],
    ['has expired', () => change(keeper, { expiresAtMs: scene.test.clock.now })],
    ['belongs to another group', () => change(keeper, { groups: [scene.south] })],
    ['holds a role without the permission', () => change(keeper, { role: scene.roles.operator })],
    [
      'is removed',
      async () => {
        const { version } = (await scene.ask('admin', 'GET', `${MEMBERS}/${keeper}`)).data;
        return scene.ask('admin', 'DELETE', `${MEMBERS}/${keeper}?version=${version}`);
      },
    ],
  ])('%s', async (_what, happens) => {
    expect((await look(token)).status).toBe(200);
    await happens();
    await expectDead(token);
  });
});

it('somebody who holds member alone does not become an administrator by a link made before the promotion', async () => {
  const { addWith, ask, north, south } = scene;
  const { permissions } = await scene.test.stores.roles.findBuiltIn('operator');
  await addWith('keeper', ['member', ...permissions], [north]);
  const body = newMember('deputy', scene.roles.operator, { groups: [north] });
  const { data } = await ask('keeper', 'POST', MEMBERS, body);
  await change(Number(data.id), { role: scene.roles.administrator, groups: [north, south] });
  await expectDead(data.invitation.token);
  expect(
    (await ask('', 'POST', '/api/user/login', { username: 'deputy', password: 'chosen by the issuer' })).code,
  ).toBe('bad-credentials');
});
