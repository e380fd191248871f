import { beforeEach, describe, expect, it } from 'vitest';
import { ALL_PERMISSIONS, Permission } from '../../../../shared/protocol/permissions.ts';
import { DISPATCHER, FLEET_TIME, fillFleet } from '../../../support/backup/aBackedUpFleet.ts';
import { MAIL_SETTINGS } from '../../../support/notify/aSenderRecord.ts';
import { createPartsScene, failures, type PartsScene, refusals, rowsOf } from './partsScene.ts';

let scene: PartsScene;
beforeEach(async () => {
  scene = await createPartsScene();
  await fillFleet(scene.archived);
});

const SENDERS = '/api/sender/senders';

async function memberNamed(name: string) {
  const user = (await scene.test.stores.users.findByName(name)) ?? expect.fail(`no ${name}`);
  return (await scene.test.stores.members.find(user.id)) ?? expect.fail(`no ${name}`);
}

describe('members of a backup', () => {
  it('come without a password, as those who are invited', async () => {
    await scene.apply(await scene.plan(['devices', 'members']));
    const amy = await memberNamed('amy');
    expect(amy).toMatchObject({ displayName: 'Amy Chen', roleName: DISPATCHER, hasPassword: false });
    expect(amy.groups).toEqual([scene.north]);
    const invited = await scene.ask('POST', `/api/membership/members/${amy.id}/invitation`);
    expect([invited.status, typeof invited.data.token]).toEqual([200, 'string']);
  });

  it('stay disabled, and keep what the backup does not say', async () => {
    await scene.apply(await scene.plan(['devices', 'members']));
    const { id } = await memberNamed('amy');
    await scene.test.stores.users.setDisabled(id, true);
    await scene.test.stores.users.setProfile(id, { displayName: 'A. Chen', language: 'en', timeZone: '' } as never);
    const plan = await scene.plan(['members']);
    expect(rowsOf(plan, 'member').map(({ changes }) => changes.map(({ field }) => field))).toEqual([
      expect.arrayContaining(['displayName', 'language', 'timeZone']),
    ]);
    expect(failures(await scene.apply(plan))).toEqual([]);
    expect(await memberNamed('amy')).toMatchObject({ displayName: 'Amy Chen', disabled: true });
  });

  it('are never the caller, and never get more than the caller has', async () => {
    const { archived, test, north } = scene;
    const few = [Permission.System, Permission.SystemBackup, Permission.Member, Permission.Event];
    await test.addUser('clerk', few, [north]);
    for (const username of ['clerk', 'root']) {
      const role = (await archived.roles.list()).find(({ name }) => name === DISPATCHER)?.id;
      const user = { username, passwordHash: 'x', permissions: [], role, displayName: 'Otherwise' };
      await archived.members.insert(user as never, [], FLEET_TIME);
    }
    expect(refusals(await scene.plan(['members'], 'clerk'))).toEqual(
      expect.arrayContaining([
        `role ${DISPATCHER}: permissions beyond-own`,
        'member clerk: role unknown,own-account',
        'member root: role unknown,beyond-own',
        'member amy: role unknown,role beyond-own',
      ]),
    );
  });

  it('leave the role of the caller and that of administrators as they are', async () => {
    const { archived, test, north } = scene;
    const role = { name: DISPATCHER, permissions: [...ALL_PERMISSIONS], secondFactorRequired: false };
    const own = await test.stores.roles.insert(role);
    if (!own.ok) expect.fail(own.reason);
    const id = await test.addUser('chief', [], [north]);
    const chief = await memberNamed('chief');
    const content = { ...chief, role: own.value };
    await test.stores.members.update(id, chief.version, { content, scope: undefined });
    expect(refusals(await scene.plan(['members'], 'chief'))).toContain(`role ${DISPATCHER}: own-role`);
    const administrator = await archived.roles.findBuiltIn('administrator');
    const changed = { ...administrator, secondFactorRequired: !administrator.secondFactorRequired };
    await archived.roles.update(administrator.id, administrator.version, changed as never);
    const named = refusals(await scene.plan(['members'])).filter((text) => text.endsWith('built-in'));
    expect(named).toHaveLength(1);
  });
});

describe('accounts of a backup that may not be saved', () => {
  const long = 'x'.repeat(65);

  it('are refused where a call would be', async () => {
    await scene.archived.roles.insert({ name: long, permissions: [], secondFactorRequired: false });
    await scene.archived.memberGroups.insert({ name: 'two\nlines' });
    const user = { username: 'hal/9000', passwordHash: 'x', permissions: [], language: 'xx' };
    const role = (await scene.archived.roles.list()).find(({ name }) => name === DISPATCHER)?.id;
    await scene.archived.members.insert({ ...user, role } as never, [], FLEET_TIME);
    await scene.archived.members.insert({ ...user, username: 'a/b', language: 'en', role } as never, [], FLEET_TIME);
    const done = await scene.apply(await scene.plan(['devices', 'members']));
    expect(failures(done).toSorted()).toEqual([
      'member a/b: bad-format',
      'member hal/9000: bad-request',
      'member-group two\nlines: bad-request',
      `role ${long}: bad-request`,
    ]);
  });

  it('are refused once the caller may not any more', async () => {
    const id = await scene.test.addUser('clerk', ALL_PERMISSIONS, [scene.north]);
    const plan = await scene.plan(['members'], 'clerk');
    const left = ALL_PERMISSIONS.filter((permission) => permission !== Permission.Member);
    await scene.test.stores.users.setPermissions(id, left);
    const done = await scene.apply(plan, 'clerk');
    expect(failures(done).length).toBeGreaterThan(1);
    expect(failures(done).filter((text) => !/: (forbidden|unknown)$/.test(text))).toEqual([]);
    expect(failures(done)).toContain(`role ${DISPATCHER}: forbidden`);
  });
});

describe('senders of a backup', () => {
  it('are turned off and have no secret, and can not be turned on without one', async () => {
    await scene.apply(await scene.plan(['senders']));
    const [mail] = await scene.test.stores.notifySenders.all();
    expect(mail).toMatchObject({ name: 'Mail', enabled: false, sealedSecret: '', settings: MAIL_SETTINGS });
    const { name, kind, perMinute, settings, version, id } = mail ?? expect.fail('none');
    const on = { name, kind, perMinute, settings, version, enabled: true };
    const refused = await scene.ask('PUT', `${SENDERS}/${id}`, on);
    expect([refused.status, refused.data]).toEqual([422, { fields: { secret: 'required' } }]);
    const off = { name, kind, perMinute, settings, enabled: false };
    const tried = await scene.ask('POST', '/api/sender/test', { id, sender: off, to: 'ann@example.com' });
    expect([tried.status, tried.data]).toEqual([422, { fields: { secret: 'required' } }]);
    expect((await scene.ask('PUT', `${SENDERS}/${id}`, { ...on, secret: 'hers' })).status).toBe(200);
    // It stays on, and keeps its secret.
    expect((await scene.plan(['senders'])).counts).toEqual({ added: 0, changed: 0, unchanged: 1, refused: 0 });
  });

  it('do not have a stored secret sent elsewhere', async () => {
    const settings = { ...MAIL_SETTINGS, host: 'mail.elsewhere' };
    const content = { name: 'Mail', kind: 'email', enabled: true, perMinute: 0, settings };
    expect((await scene.ask('POST', SENDERS, { ...content, secret: 'hers' })).status).toBe(200);
    expect(refusals(await scene.plan(['senders']))).toEqual(['sender Mail: secret required']);
  });
});
