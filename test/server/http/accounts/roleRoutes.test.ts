import { afterEach, beforeEach, expect, it } from 'vitest';
import { createScene, type Scene } from './scene.ts';

const ROLES = '/api/membership/roles';
const NIGHT = { name: 'Night', permissions: ['event'], secondFactorRequired: true };

let scene: Scene;
beforeEach(async () => {
  scene = await createScene();
  await scene.addMember('admin', scene.roles.administrator);
});
afterEach(() => scene.test.close());

it('what is done to a role is in the audit, with what it was before', async () => {
  const { ask } = scene;
  const { id } = (await ask('admin', 'POST', ROLES, NIGHT)).data;
  const changed = { ...NIGHT, name: 'Late', permissions: ['event', 'report'], version: 1 };
  expect((await ask('admin', 'PUT', `${ROLES}/${id}`, changed)).status).toBe(200);
  expect((await ask('admin', 'DELETE', `${ROLES}/${id}?version=2`)).status).toBe(200);
  const entries = (await scene.audit()).filter(({ action }) => action.startsWith('role.'));
  expect(entries).toMatchObject([
    { action: 'role.remove', actor: 'admin', target: 'Late', before: { name: 'Late' } },
    { action: 'role.change', actor: 'admin', target: 'Night', before: { name: 'Night' }, after: { name: 'Late' } },
    { action: 'role.add', actor: 'admin', target: 'Night', after: { name: 'Night' } },
  ]);
});

it('a role that was not removed is not in the audit as removed', async () => {
  const { id } = (await scene.ask('admin', 'POST', ROLES, NIGHT)).data;
  await scene.addMember('bob', Number(id));
  expect((await scene.ask('admin', 'DELETE', `${ROLES}/${id}?version=1`)).code).toBe('role-in-use');
  expect((await scene.audit()).map(({ action }) => action)).not.toContain('role.remove');
});
