import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ALL_PERMISSIONS } from '../../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { PASSWORD } from '../testApp.ts';
import { createScene, edited, newMember, type Scene } from './scene.ts';

const MEMBERS = '/api/membership/members';

let scene: Scene;
beforeEach(async () => {
  scene = await createScene();
  await scene.addMember('admin', scene.roles.administrator);
});
afterEach(() => scene.test.close());

const names = (rows: readonly Readonly<Record<string, unknown>>[]) => rows.map(({ username }) => username);
const login = (username: string, password: string) => scene.ask('', 'POST', '/api/user/login', { username, password });

describe('the list of members', () => {
  it('holds everybody for system, and who shares a group for others', async () => {
    const { addMember, addWith, ask, north, south, roles } = scene;
    await addWith(
      'keeper',
      ['member', ...(await scene.test.stores.roles.findBuiltIn('operator')).permissions],
      [north],
    );
    await addMember('ann', roles.operator, [north, south]);
    await addMember('bob', roles.operator, [south]);
    expect(names((await ask('admin', 'GET', MEMBERS)).data.rows)).toEqual(['admin', 'ann', 'bob', 'keeper']);
    const seen = await ask('keeper', 'GET', MEMBERS);
    expect(names(seen.data.rows)).toEqual(['ann', 'keeper']);
    // The only group of ann's in the answer is the one that the keeper knows; a member who works elsewhere too is not the keeper's
    // to change.
    expect(seen.data.rows[0]).toMatchObject({ groups: [north], mayEdit: false, mayPlace: true, isSelf: false });
    expect(seen.data.rows[1]).toMatchObject({ mayEdit: true, mayPlace: false, isSelf: true });
    expect(JSON.stringify(seen.data)).not.toMatch(/hash|secret":"/i);
  });

  it('takes pages, orders, searches and filters, and refuses what it does not know', async () => {
    const { ask } = scene;
    for (const name of ['ann', 'bob', 'cat']) await scene.addMember(name, scene.roles.operator);
    const page = await ask('admin', 'GET', `${MEMBERS}?offset=1&limit=2&sort=username&descending=1`);
    expect([page.data.total, names(page.data.rows)]).toEqual([4, ['bob', 'ann']]);
    expect(names((await ask('admin', 'GET', `${MEMBERS}?search=A&role=${scene.roles.operator}`)).data.rows)).toEqual([
      'ann',
      'cat',
    ]);
    for (const bad of [
      'sort=password_hash',
      'limit=101',
      'limit=0',
      'offset=-1',
      'state=x',
      'descending=yes',
      'nothing=1',
    ]) {
      expect((await ask('admin', 'GET', `${MEMBERS}?${bad}`)).status, bad).toBe(400);
    }
  });

  it('leaves as a CSV file that no spreadsheet runs', async () => {
    const { addMember, download, roles } = scene;
    await addMember('=1+1', roles.operator);
    const { body, statusCode } = await download('admin', `${MEMBERS}/csv?search=1`);
    expect(statusCode).toBe(200);
    expect(body.startsWith('\ufeffusername,')).toBe(true);
    expect(body.split('\r\n')[1]).toMatch(/^'=1\+1,,Operator,,active,no,/);
    expect(body.split('\r\n')).toHaveLength(3);
  });

  it('leaves whole, however long it is', async () => {
    for (let index = 0; index < 520; index++) {
      const user = { username: `u${index}`, passwordHash: 'h', permissions: [] };
      await scene.test.stores.members.insert(user, [], scene.test.clock.now);
    }
    const { body } = await scene.download('admin', `${MEMBERS}/csv`);
    expect(body.trimEnd().split('\r\n')).toHaveLength(522);
  });
});

describe('a new member', () => {
  it('is given a password and signs in with it', async () => {
    const body = newMember('Zoë', scene.roles.operator, { password: 'a fine password', groups: [scene.north] });
    expect(await scene.ask('admin', 'POST', MEMBERS, body)).toMatchObject({ status: 200 });
    expect((await login('zoë', 'a fine password')).data.login).toBe(true);
    const [added] = (await scene.audit()).filter(({ action }) => action === 'user.add');
    expect(added).toMatchObject({
      actor: 'admin',
      target: 'Zoë',
      detail: { by: 'password' },
      after: { groups: ['North'], role: 'Operator' },
    });
    expect(JSON.stringify(await scene.audit())).not.toContain('a fine password');
  });

  it('or is invited: the link is good for one password, and for three days', async () => {
    const { data } = await scene.ask(
      'admin',
      'POST',
      MEMBERS,
      newMember('ann', scene.roles.operator, { displayName: 'Ann' }),
    );
    const { token } = data.invitation;
    const { rows } = (await scene.ask('admin', 'GET', MEMBERS)).data;
    expect(rows.find(({ username }) => username === 'ann')).toMatchObject({ state: 'invited' });
    expect((await login('ann', '')).status).toBe(400);
    expect((await login('ann', 'anything at all')).code).toBe('bad-credentials');
    const look = () => scene.ask('', 'POST', '/api/user/invitation', { token });
    expect(await look()).toMatchObject({ status: 200, data: { username: 'ann', displayName: 'Ann' } });
    const accept = (password: string) => scene.ask('', 'POST', '/api/user/invitation/accept', { token, password });
    expect((await accept('short')).status).toBe(400);
    expect(await accept('chosen by ann')).toMatchObject({ status: 200, data: { username: 'ann' } });
    expect(await accept('chosen by eve')).toMatchObject({ status: 404, code: 'no-such-invitation' });
    expect((await look()).status).toBe(404);
    expect((await login('ann', 'chosen by ann')).data.login).toBe(true);
    expect(JSON.stringify(await scene.audit())).not.toContain(token);
  });

  it.each([
    ['withdrawn', (id: number) => scene.ask('admin', 'DELETE', `${MEMBERS}/${id}/invitation`)],
    ['replaced by another', (id: number) => scene.ask('admin', 'POST', `${MEMBERS}/${id}/invitation`)],
    [
      'of somebody who was given a password',
      (id: number) => scene.ask('admin', 'PUT', `${MEMBERS}/${id}/password`, { password: 'given to her' }),
    ],
    [
      'too old',
      async () => {
        scene.test.clock.now = wallMs(scene.test.clock.now + 3 * 86_400_000);
      },
    ],
    ['of somebody who was disabled', (id: number) => scene.test.stores.users.setDisabled(id, true)],
  ])('an invitation opens nothing once it is %s', async (_, end) => {
    const { data } = await scene.ask('admin', 'POST', MEMBERS, newMember('ann', scene.roles.operator));
    const { token } = data.invitation;
    await end(Number(data.id));
    expect((await scene.ask('', 'POST', '/api/user/invitation', { token })).status).toBe(404);
    const accepted = await scene.ask('', 'POST', '/api/user/invitation/accept', { token, password: 'chosen by ann' });
    expect(accepted.status).toBe(404);
  });

  it.each([
    [{ username: 'ADMIN' }, 409, { username: 'taken' }],
    [{ username: '' }, 422, { username: 'required' }],
    [{ username: 'a/b' }, 422, { username: 'bad-format' }],
    [{ username: ' a' }, 422, { username: 'bad-format' }],
    [{ role: 0 }, 422, { role: 'required' }],
    [{ role: 99_999 }, 422, { role: 'unknown' }],
    [{ groups: [99_999] }, 422, { groups: 'unknown' }],
    [{ timeZone: 'Moon/Crater' }, 422, { timeZone: 'unknown' }],
  ])('is refused by its fields: %j', async (more, status, fields) => {
    const answer = await scene.ask('admin', 'POST', MEMBERS, newMember('ann', scene.roles.operator, more));
    expect(answer).toMatchObject({ status, data: { fields } });
  });
});

describe('a change of a member', () => {
  async function stored(username: string) {
    const { rows } = (await scene.ask('admin', 'GET', `${MEMBERS}?search=${username}`)).data;
    const row = rows.find((each) => each.username === username);
    if (row === undefined) throw new Error(`no ${username}`);
    return row;
  }

  it('is kept, noted with before and after, and refused when somebody else was faster', async () => {
    const id = await scene.addMember('ann', scene.roles.operator);
    const known = await stored('ann');
    const body = edited(known, { displayName: 'Ann', timeZone: 'Asia/Tokyo', groups: [scene.south] });
    expect(await scene.ask('admin', 'PUT', `${MEMBERS}/${id}`, body)).toMatchObject({
      status: 200,
      data: { displayName: 'Ann', timeZone: 'Asia/Tokyo', version: Number(known.version) + 1 },
    });
    const late = await scene.ask('admin', 'PUT', `${MEMBERS}/${id}`, { ...body, displayName: 'Late' });
    expect(late).toMatchObject({ status: 409, code: 'conflict', data: { current: { displayName: 'Ann' } } });
    const [noted] = await scene.audit();
    expect(noted).toMatchObject({
      action: 'user.change',
      target: 'ann',
      before: { displayName: '', groups: [] },
      after: { displayName: 'Ann', groups: ['South'] },
    });
    expect(JSON.stringify(noted)).not.toContain('disabled');
    expect((await scene.ask('admin', 'DELETE', `${MEMBERS}/${id}?version=${known.version}`)).code).toBe('conflict');
    expect((await scene.ask('admin', 'DELETE', `${MEMBERS}/${id}?version=${Number(known.version) + 1}`)).status).toBe(
      200,
    );
    expect((await scene.ask('admin', 'GET', `${MEMBERS}/${id}`)).code).toBe('no-such-member');
  });

  it('that disables ends the sessions at once', async () => {
    const id = await scene.addMember('ann', scene.roles.operator);
    expect((await scene.ask('ann', 'GET', '/api/user/profile')).status).toBe(200);
    await scene.ask('admin', 'PUT', `${MEMBERS}/${id}`, edited(await stored('ann'), { disabled: true }));
    expect((await scene.ask('ann', 'GET', '/api/user/profile')).status).toBe(401);
    await scene.ask('admin', 'PUT', `${MEMBERS}/${id}`, edited(await stored('ann'), { disabled: false }));
    expect((await scene.ask('ann', 'GET', '/api/user/profile')).status).toBe(401);
  });

  it('and an end that has come close the sessions and the sign-in', async () => {
    const id = await scene.addMember('ann', scene.roles.operator);
    const expiresAtMs = scene.test.clock.now + 1_000;
    await scene.ask('admin', 'PUT', `${MEMBERS}/${id}`, edited(await stored('ann'), { expiresAtMs }));
    expect((await scene.ask('ann', 'GET', '/api/user/profile')).status).toBe(200);
    scene.test.clock.now = wallMs(expiresAtMs);
    expect((await scene.ask('ann', 'GET', '/api/user/profile')).status).toBe(401);
    expect((await login('ann', PASSWORD)).code).toBe('bad-credentials');
  });

  it('that ends the right to long sessions ends those', async () => {
    const { ask, test } = scene;
    const id = await scene.addMember('ann', scene.roles.operator);
    await ask('admin', 'PUT', `${MEMBERS}/${id}`, edited(await stored('ann'), { wallMonitorAllowed: true }));
    const user = await test.stores.users.find(id);
    if (user === undefined) throw new Error('gone');
    const begin = (wall: boolean) => test.sessions.begin(user, { address: '192.0.2.9', userAgent: 'wall' }, wall);
    const [wall, desk] = [await begin(true), await begin(false)];
    await ask('admin', 'PUT', `${MEMBERS}/${id}`, edited(await stored('ann'), { displayName: 'Ann' }));
    expect(await test.sessions.find(wall.id)).toBeDefined();
    await ask('admin', 'PUT', `${MEMBERS}/${id}`, edited(await stored('ann'), { wallMonitorAllowed: false }));
    expect(await test.sessions.find(wall.id)).toBeUndefined();
    expect(await test.sessions.find(desk.id)).toBeDefined();
  });

  it('never leaves the installation without an administrator', async () => {
    const admin = await stored('admin');
    await scene.addMember('other', scene.roles.administrator);
    const other = await stored('other');
    const ends = edited(admin, { expiresAtMs: scene.test.clock.now + 1_000 });
    expect((await scene.ask('other', 'PUT', `${MEMBERS}/${admin.id}`, ends)).status).toBe(200);
    expect((await scene.ask('admin', 'DELETE', `${MEMBERS}/${other.id}?version=${other.version}`)).code).toBe(
      'last-administrator',
    );
    const disabled = edited(other, { disabled: true });
    expect((await scene.ask('admin', 'PUT', `${MEMBERS}/${other.id}`, disabled)).code).toBe('last-administrator');
    const demoted = edited(other, { role: scene.roles.operator });
    expect((await scene.ask('admin', 'PUT', `${MEMBERS}/${other.id}`, demoted)).code).toBe('last-administrator');
  });
});

describe('nobody raises themselves', () => {
  const CHIEF = ALL_PERMISSIONS.filter((permission) => permission !== 'audit');
  let chief: number;
  let admin: number;
  beforeEach(async () => {
    chief = await scene.addWith('chief', CHIEF, [scene.north]);
    admin = (await scene.test.stores.users.findByName('admin'))?.id ?? 0;
  });

  const own = async () => (await scene.ask('chief', 'GET', `${MEMBERS}/${chief}`)).data;

  it.each([
    ['role', () => ({ role: scene.roles.administrator })],
    ['groups', () => ({ groups: [scene.north, scene.south] })],
    ['disabled', () => ({ disabled: true })],
    ['expiresAtMs', () => ({ expiresAtMs: 5 })],
    ['wallMonitorAllowed', () => ({ wallMonitorAllowed: true })],
  ])('by changing their own %s', async (field, change) => {
    const answer = await scene.ask('chief', 'PUT', `${MEMBERS}/${chief}`, edited(await own(), change()));
    expect(answer).toMatchObject({ status: 422, data: { fields: { [field]: 'own-account' } } });
    const named = await scene.ask('chief', 'PUT', `${MEMBERS}/${chief}`, edited(await own(), { displayName: 'Chief' }));
    expect(named.status).toBe(200);
  });

  it('by what they make others, or by who may do more', async () => {
    const { ask, roles } = scene;
    const made = await ask('chief', 'POST', MEMBERS, newMember('puppet', roles.administrator, { password: PASSWORD }));
    expect(made).toMatchObject({ status: 422, data: { fields: { role: 'beyond-own' } } });
    const version = Number((await ask('chief', 'GET', `${MEMBERS}/${admin}`)).data.version);
    const tries: [Parameters<Scene['ask']>[1], string, unknown?][] = [
      ['PUT', `${MEMBERS}/${admin}/password`, { password: 'mine from now on' }],
      ['POST', `${MEMBERS}/${admin}/invitation`],
      ['DELETE', `${MEMBERS}/${admin}/invitation`],
      ['DELETE', `${MEMBERS}/${admin}/secondfactor`],
      ['DELETE', `${MEMBERS}/${admin}/sessions`],
      ['DELETE', `${MEMBERS}/${admin}?version=${version}`],
      [
        'PUT',
        `${MEMBERS}/${admin}`,
        edited((await ask('chief', 'GET', `${MEMBERS}/${admin}`)).data, { disabled: true }),
      ],
      ['POST', `/api/membership/groups/${scene.north}/people`, { add: [admin], remove: [] }],
    ];
    for (const [method, url, body] of tries) {
      expect(await ask('chief', method, url, body), `${method} ${url}`).toMatchObject({
        status: 403,
        code: 'beyond-own',
      });
    }
    expect((await login('admin', PASSWORD)).data.login).toBe(true);
  });

  it('by the ways that are for others', async () => {
    const { ask } = scene;
    const tries: [Parameters<Scene['ask']>[1], string, unknown?][] = [
      ['PUT', `${MEMBERS}/${chief}/password`, { password: 'without the old one' }],
      ['POST', `${MEMBERS}/${chief}/invitation`],
      ['DELETE', `${MEMBERS}/${chief}/secondfactor`],
      ['DELETE', `${MEMBERS}/${chief}?version=${Number((await own()).version)}`],
      ['POST', `/api/membership/groups/${scene.south}/people`, { add: [chief], remove: [] }],
    ];
    for (const [method, url, body] of tries) {
      expect(await ask('chief', method, url, body), `${method} ${url}`).toMatchObject({
        status: 403,
        code: 'own-account',
      });
    }
  });

  it('by roles: neither their own, nor one with more than they have', async () => {
    const { ask, test } = scene;
    const roles = await test.stores.roles.list();
    const role = roles.find(({ name }) => name === 'chiefs');
    const body = { version: 1, name: 'chiefs', permissions: ALL_PERMISSIONS, secondFactorRequired: false };
    expect((await ask('chief', 'PUT', `/api/membership/roles/${role?.id}`, body)).code).toBe('own-role');
    const made = { name: 'More', permissions: ['audit'], secondFactorRequired: false };
    expect(await ask('chief', 'POST', '/api/membership/roles', made)).toMatchObject({
      data: { fields: { permissions: 'beyond-own' } },
    });
    const administrator = { ...body, name: 'Administrator', permissions: [] };
    const url = `/api/membership/roles/${scene.roles.administrator}`;
    expect((await ask('admin', 'PUT', url, administrator)).code).toBe('built-in');
    expect((await ask('admin', 'DELETE', `${url}?version=1`)).code).toBe('built-in');
  });
});

describe('without system', () => {
  beforeEach(async () => {
    await scene.addWith(
      'keeper',
      ['member', 'event', 'report', 'membergroup', 'export', 'talk', 'devicetext'],
      [scene.north],
    );
  });

  it('nothing outside the own groups can be reached or given', async () => {
    const { ask, addMember, north, south, roles } = scene;
    const bob = await addMember('bob', roles.operator, [south]);
    const ann = await addMember('ann', roles.operator, [north, south]);
    expect((await ask('keeper', 'GET', `${MEMBERS}/${bob}`)).code).toBe('no-such-member');
    expect((await ask('keeper', 'PUT', `${MEMBERS}/${bob}/password`, { password: 'x'.repeat(9) })).code).toBe(
      'no-such-member',
    );
    expect(
      (await ask('keeper', 'POST', `/api/membership/groups/${south}/people`, { add: [ann], remove: [] })).code,
    ).toBe('no-such-group');
    expect(
      (await ask('keeper', 'POST', `/api/membership/groups/${north}/people`, { add: [bob], remove: [] })).code,
    ).toBe('no-such-member');
    const outside = await ask('keeper', 'POST', MEMBERS, newMember('new', roles.operator, { groups: [south] }));
    expect(outside.data.fields).toEqual({ groups: 'beyond-own' });
    const nowhere = await ask('keeper', 'POST', MEMBERS, newMember('new', roles.operator));
    expect(nowhere.data.fields).toEqual({ groups: 'required' });
    expect((await scene.test.stores.members.find(ann))?.groups).toEqual([north, south]);
  });

  it('nobody becomes somebody who also sees other groups', async () => {
    const { ask, addMember, north, south, roles } = scene;
    const ann = await addMember('ann', roles.operator, [north, south]);
    const known = (await ask('keeper', 'GET', `${MEMBERS}/${ann}`)).data;
    const tries: [Parameters<Scene['ask']>[1], string, unknown?][] = [
      ['PUT', `${MEMBERS}/${ann}/password`, { password: 'mine from now on' }],
      ['POST', `${MEMBERS}/${ann}/invitation`],
      ['DELETE', `${MEMBERS}/${ann}/secondfactor`],
      ['DELETE', `${MEMBERS}/${ann}/sessions`],
      ['DELETE', `${MEMBERS}/${ann}?version=${known.version}`],
      ['PUT', `${MEMBERS}/${ann}`, edited(known, { disabled: true })],
    ];
    for (const [method, url, body] of tries) {
      expect(await ask('keeper', method, url, body), `${method} ${url}`).toMatchObject({
        status: 403,
        code: 'beyond-own',
      });
    }
    expect((await login('ann', PASSWORD)).data.login).toBe(true);
    // The keeper still decides who is in the keeper's own group.
    const people = `/api/membership/groups/${north}/people`;
    expect((await ask('keeper', 'POST', people, { add: [], remove: [ann] })).status).toBe(200);
    expect((await scene.test.stores.members.find(ann))?.groups).toEqual([south]);
    const [noted] = await scene.audit();
    expect(noted).toMatchObject({ target: 'North', detail: { added: [], removed: ['ann'] } });
  });

  it('member groups are seen, and changed by nobody', async () => {
    const { ask, north } = scene;
    const { data } = await ask('keeper', 'GET', '/api/membership/groups');
    expect(data.rows.map(({ name }) => name)).toEqual(['North']);
    const body = { version: 1, name: 'Mine', retentionDays: 1, expiresAtMs: 0, deviceGroups: [] };
    expect((await ask('keeper', 'PUT', `/api/membership/groups/${north}`, body)).status).toBe(403);
    const choices = (await ask('keeper', 'GET', '/api/membership/choices')).data;
    expect(choices).toMatchObject({ groups: [{ name: 'North' }], deviceGroups: [] });
  });
});

describe('member groups and roles', () => {
  it('are made, changed and removed, each with its conflict', async () => {
    const { ask } = scene;
    const body = { name: 'West', retentionDays: 30, expiresAtMs: 5, deviceGroups: [] };
    const made = (await ask('admin', 'POST', '/api/membership/groups', body)).data;
    expect(made).toMatchObject({ ...body, people: 0, version: 1 });
    expect(await ask('admin', 'POST', '/api/membership/groups', { ...body, name: 'WEST' })).toMatchObject({
      status: 409,
      data: { fields: { name: 'taken' } },
    });
    const url = `/api/membership/groups/${made.serialno}`;
    const changed = await ask('admin', 'PUT', url, { ...body, name: 'Far west', version: 1 });
    expect(changed.data).toMatchObject({ name: 'Far west', version: 2 });
    expect((await ask('admin', 'PUT', url, { ...body, version: 1 })).data.current).toMatchObject({ name: 'Far west' });
    const ann = await scene.addMember('ann', scene.roles.operator);
    expect((await ask('admin', 'POST', `${url}/people`, { add: [ann], remove: [] })).data).toMatchObject({ people: 1 });
    expect((await scene.download('admin', '/api/membership/groups/csv')).body).toContain('Far west,1,,30,');
    expect((await scene.audit())[0]).toMatchObject({ action: 'membergroup.people', detail: { added: ['ann'] } });
    expect((await ask('admin', 'DELETE', `${url}?version=2`)).status).toBe(200);

    const role = { name: 'Night', permissions: ['event'], secondFactorRequired: true };
    const night = (await ask('admin', 'POST', '/api/membership/roles', role)).data;
    expect(night).toMatchObject({ ...role, members: 0, mayEdit: true, mayGive: true });
    expect((await ask('admin', 'PUT', `/api/membership/roles/${night.id}`, { ...role, version: 7 })).code).toBe(
      'conflict',
    );
    await scene.addMember('bob', Number(night.id));
    expect((await ask('admin', 'DELETE', `/api/membership/roles/${night.id}?version=1`)).code).toBe('role-in-use');
    const actions = (await scene.audit()).map(({ action }) => action);
    for (const action of [
      'membergroup.add',
      'membergroup.change',
      'membergroup.people',
      'membergroup.remove',
      'role.add',
    ]) {
      expect(actions).toContain(action);
    }
  });
});
