import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createScene, edited, newMember, type Scene } from './scene.ts';

const OWN = '/api/user/notify';
const MEMBERS = '/api/membership/members';
const CHOSEN = {
  email: 'ann@example.com',
  phone: '+886912345678',
  channels: ['push'],
  quietHours: [{ days: [6, 7], fromMinute: 0, toMinute: 1_440 }],
  messageLanguage: 'zh-TW',
};

let scene: Scene;
beforeEach(async () => {
  scene = await createScene();
  await scene.addMember('admin', scene.roles.administrator);
  await scene.addMember('ann', scene.roles.operator, [scene.north]);
});
afterEach(() => scene.test.close());

describe('how a member wants to be told', () => {
  it('is read and changed by the member alone, and audited', async () => {
    const { ask, test } = scene;
    expect((await ask('', 'GET', OWN)).status).toBe(401);
    expect(await ask('ann', 'GET', OWN)).toMatchObject({
      status: 200,
      data: { email: '', phone: '', channels: ['email', 'sms', 'push'], pushKey: '', browsers: [] },
    });
    expect(await ask('ann', 'PUT', OWN, CHOSEN)).toMatchObject({ status: 200, data: CHOSEN });
    expect((await ask('ann', 'GET', OWN)).data).toMatchObject(CHOSEN);
    expect((await ask('admin', 'GET', OWN)).data).toMatchObject({ email: '' });
    expect(test.changed).toContain('member');
    expect((await scene.audit()).filter(({ action }) => action === 'user.notify')).toMatchObject([
      {
        actor: 'ann',
        target: 'ann',
        before: { email: '', notifyChannels: ['email', 'sms', 'push'] },
        after: { email: 'ann@example.com', notifyChannels: ['push'], messageLanguage: 'zh-TW' },
      },
    ]);
  });

  it.each([
    ['an address with a line break', { email: 'ann@example.com\r\nBcc: eve@example.com' }],
    ['two addresses', { email: 'ann@example.com,eve@example.com' }],
    ['an address with a comment', { email: 'ann(eve)@example.com' }],
    ['a group of addresses', { email: 'all:ann@example.com' }],
    ['an address that is too long', { email: `${'a'.repeat(250)}@example.com` }],
    ['a number without its country', { phone: '0912345678' }],
    ['a channel that is none', { channels: ['webhook'] }],
    ['a channel twice', { channels: ['email', 'email'] }],
    ['hours after the end of the day', { quietHours: [{ days: [1], fromMinute: 0, toMinute: 1_441 }] }],
    ['a language that is none', { messageLanguage: 'xx' }],
    ['a field that is none', { username: 'eve' }],
  ])('is refused with %s', async (_, part) => {
    expect((await scene.ask('ann', 'PUT', OWN, { ...CHOSEN, ...part })).status).toBe(400);
    expect((await scene.ask('ann', 'GET', OWN)).data).toMatchObject({ email: '', phone: '' });
  });
});

describe('the addresses of a member', () => {
  const find = async (username: string) => {
    const { rows } = (await scene.ask('admin', 'GET', `${MEMBERS}?search=${username}`)).data;
    return rows[0] ?? expect.fail(`no ${username}`);
  };

  it('S-9.11 are given with a new member, exported, and changed', async () => {
    const addresses = { email: 'bob@example.com', phone: '+4915112345678' };
    await scene.ask('admin', 'POST', MEMBERS, newMember('bob', scene.roles.operator, addresses));
    const bob = await find('bob');
    expect(bob).toMatchObject(addresses);
    const { body } = await scene.download('admin', `${MEMBERS}/csv?search=bob`);
    expect(body.split('\r\n')[0]).toContain(',time_zone,email,phone,');
    // A spreadsheet would take the number for a formula.
    expect(body.split('\r\n')[1]).toContain(",bob@example.com,'+4915112345678,");
    const changed = edited(bob, { email: '', phone: '+81312345678' });
    expect(await scene.ask('admin', 'PUT', `${MEMBERS}/${bob.id}`, changed)).toMatchObject({
      data: { email: '', phone: '+81312345678' },
    });
    const [entry] = (await scene.audit()).filter(({ action }) => action === 'user.change');
    expect(entry).toMatchObject({ before: addresses, after: { email: '', phone: '+81312345678' } });
  });

  it('stay when an older client leaves them out, and are refused when they are none', async () => {
    await scene.ask('ann', 'PUT', OWN, CHOSEN);
    const ann = await find('ann');
    const path = `${MEMBERS}/${ann.id}`;
    expect((await scene.ask('admin', 'PUT', path, edited(ann, { displayName: 'Ann' }))).status).toBe(200);
    expect(await find('ann')).toMatchObject({ displayName: 'Ann', email: CHOSEN.email, phone: CHOSEN.phone });
    for (const bad of [{ email: 'a b@example.com' }, { email: 'ann' }, { phone: '12345' }]) {
      expect((await scene.ask('admin', 'PUT', path, edited(await find('ann'), bad))).status).toBe(400);
    }
  });
});
