import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type {
  NotifyChoices,
  NotifyRule,
  NotifyRuleContent,
  NotifyStep,
} from '../../../../../shared/protocol/api/notify/notifyRules.ts';
import { createNotifyRuleScene, type NotifyRuleScene, RULES } from './notifyRuleScene.ts';

let scene: NotifyRuleScene;
beforeAll(async () => {
  scene = await createNotifyRuleScene();
});
afterEach(async () => {
  for (const table of ['notify_rule', 'audit'] as const) await scene.test.db.deleteFrom(table).execute();
  scene.test.changed.length = 0;
  await scene.test.notifySettings.reload();
});
afterAll(() => scene.test.close());

interface Listed {
  readonly rows: readonly NotifyRule[];
  readonly total: number;
}

describe('who may configure notifications', () => {
  it.each([
    ['nobody who is not signed in', '', 401],
    ['no one without `system`', 'operator', 403],
    ['no one without the permission of the page', 'lister', 403],
  ] as const)('%s', async (_who, as, status) => {
    const { id } = await scene.add();
    const calls = [
      ['GET', RULES],
      ['POST', RULES, scene.content()],
      ['GET', `${RULES}/${id}`],
      ['PUT', `${RULES}/${id}`, { ...scene.content(), version: 1 }],
      ['DELETE', `${RULES}/${id}?version=1`],
      ['GET', '/api/eventnotify/choices'],
      ['POST', '/api/eventnotify/explain', { event: 1 }],
      ['POST', '/api/eventnotify/dryrun', { rule: scene.content() }],
    ] as const;
    for (const [method, url, body] of calls) {
      expect({ url, status: (await scene.ask(method, url, body, as)).status }).toEqual({ url, status });
    }
  });

  it('rules of another member group are not there', async () => {
    const { id } = await scene.add();
    expect(await scene.ask<Listed>('GET', RULES, undefined, 'south')).toMatchObject({ data: { rows: [], total: 0 } });
    const notThere = { status: 404, code: 'no-such-notify-rule' };
    expect(await scene.ask('GET', `${RULES}/${id}`, undefined, 'south')).toMatchObject(notThere);
    const whole = { ...scene.content(), version: 1 };
    expect(await scene.ask('PUT', `${RULES}/${id}`, whole, 'south')).toMatchObject(notThere);
    expect(await scene.ask('DELETE', `${RULES}/${id}?version=1`, undefined, 'south')).toMatchObject(notThere);
  });
});

describe('notification rules', () => {
  it('S-2.4.13 are added, listed, changed and deleted, and each change holds at once, is told and kept in the audit', async () => {
    const added = await scene.add({ name: ' Speed ' });
    expect(added).toMatchObject({ name: 'Speed', version: 1, changedBy: 'north', changedAtMs: scene.test.clock.now });
    expect(scene.test.notifySettings.facts.rules.all).toHaveLength(1);
    const changed = await scene.ask<NotifyRule>('PUT', `${RULES}/${added.id}`, {
      ...scene.content({ name: 'Speeding', severities: ['critical'] }),
      version: 1,
    });
    expect(changed).toMatchObject({ status: 200, data: { name: 'Speeding', version: 2 } });
    expect(await scene.ask<NotifyRule>('GET', `${RULES}/${added.id}`)).toMatchObject({ data: changed.data });
    expect(await scene.ask<Listed>('GET', RULES)).toMatchObject({ data: { rows: [changed.data], total: 1 } });
    expect((await scene.ask('DELETE', `${RULES}/${added.id}?version=2`)).status).toBe(200);
    expect(scene.test.notifySettings.facts.rules.all).toEqual([]);
    expect(scene.test.changed).toEqual(['notifyrule', 'notifyrule', 'notifyrule']);
    const audit = await scene.test.db.selectFrom('audit').selectAll().orderBy('id').execute();
    expect(
      audit.filter(({ action }) => action.startsWith('notifyrule')).map(({ action, target }) => [action, target]),
    ).toEqual([
      ['notifyrule.add', 'Speed'],
      ['notifyrule.change', 'Speeding'],
      ['notifyrule.remove', 'Speeding'],
    ]);
    const change = audit.find(({ action }) => action === 'notifyrule.change');
    expect(JSON.parse(change?.after_change ?? '')).toEqual({ name: 'Speeding', severities: ['critical'] });
  });

  it('S-2.3.5 two changes at once are a conflict, with the rule as it is now', async () => {
    const { id } = await scene.add({ name: 'First' });
    await scene.ask('PUT', `${RULES}/${id}`, { ...scene.content({ name: 'Second' }), version: 1 });
    const late = await scene.ask('PUT', `${RULES}/${id}`, { ...scene.content({ name: 'Third' }), version: 1 });
    expect(late).toMatchObject({ status: 409, code: 'conflict', data: { current: { name: 'Second', version: 2 } } });
    expect(await scene.ask('DELETE', `${RULES}/${id}?version=1`)).toMatchObject({ status: 409, code: 'conflict' });
  });

  it('S-2.1.12 are downloaded as they are listed', async () => {
    await scene.add({ name: 'Speed', types: ['speeding', 'idling'], devices: ['BUS1'] });
    const cookie = await scene.test.signIn('north');
    const file = await scene.test.download(`${RULES}/csv?search=speed`, cookie);
    const [columns, row] = file.body.split('\r\n');
    expect(columns).toContain('name,enabled,types');
    expect(row).toMatch(/^Speed,yes,speeding idling,,,BUS1,0 min,Mail,0,0,0,.*,north$/);
  });

  const step = (change: Partial<NotifyStep>): Partial<NotifyRuleContent> => {
    const [first] = scene.content().steps;
    if (first === undefined) throw new Error('no step');
    return { steps: [{ ...first, ...change }] };
  };

  it.each<[string, () => Partial<NotifyRuleContent>, Record<string, string>]>([
    ['a name of blanks', () => ({ name: '  ' }), { name: 'required' }],
    ['a type that there is not', () => ({ types: ['speeding', 'nothing'] }), { types: 'unknown' }],
    ['a device of others', () => ({ devices: ['TRUCK1'] }), { devices: 'unknown' }],
    ['a device group of others', () => ({ deviceGroups: [scene.south.deviceGroup] }), { deviceGroups: 'unknown' }],
    ['a zone that there is not', () => ({ timeZone: 'Nowhere/Land' }), { timeZone: 'unknown' }],
    ['a repeat that is a flood', () => ({ repeatMinutes: 4 }), { repeatMinutes: 'out-of-range' }],
    ['a member of others', () => step({ members: [scene.users.south] }), { 'steps.0.members': 'unknown' }],
    ['a role that there is not', () => step({ roles: [9_999] }), { 'steps.0.roles': 'unknown' }],
    ['an address that is none', () => step({ addresses: ['0912'] }), { 'steps.0.addresses': 'bad-format' }],
    [
      'a sender that there is not',
      () => step({ deliveries: [{ sender: 9_999, template: 0 }] }),
      { 'steps.0.deliveries': 'unknown' },
    ],
    [
      'a template of another kind',
      () => step({ deliveries: [{ sender: scene.senders.hook, template: scene.template }] }),
      { 'steps.0.deliveries': 'unknown' },
    ],
    ['nobody to send mail to', () => step({ members: [] }), { 'steps.0.recipients': 'required' }],
    [
      'a phone number to send mail to',
      () => step({ members: [], addresses: ['+49123456'] }),
      { 'steps.0.recipients': 'required' },
    ],
    [
      'steps at the same time',
      () => ({ steps: [...scene.content().steps, ...scene.content().steps] }),
      { 'steps.1.afterMinutes': 'out-of-range' },
    ],
  ])('S-6.2 with %s are refused at that field', async (_what, change, fields) => {
    const refused = { status: 422, code: 'bad-fields', data: { fields } };
    expect(await scene.ask('POST', RULES, scene.content(change()))).toEqual(refused);
    expect(await scene.ask('POST', '/api/eventnotify/dryrun', { rule: scene.content(change()) })).toEqual(refused);
  });

  it('a service needs no recipient, and a template of its kind is taken', async () => {
    const toHook = step({ members: [], deliveries: [{ sender: scene.senders.hook, template: 0 }] });
    expect(await scene.add(toHook)).toMatchObject(toHook);
    const own = step({ deliveries: [{ sender: scene.senders.mail, template: scene.template }] });
    expect(await scene.add(own)).toMatchObject(own);
  });

  it.each([
    ['without steps', { steps: [] }],
    ['with a field that there is not', { other: 1 }],
    ['with an address of two lines', { name: 'a\nb' }],
  ])('%s are no rules', async (_what, change) => {
    expect(await scene.ask('POST', RULES, { ...scene.content(), ...change })).toMatchObject({ status: 400 });
  });
});

describe('what a rule can name', () => {
  it('are members and devices of the member group, and senders and templates of the installation', async () => {
    const { data } = await scene.ask<NotifyChoices>('GET', '/api/eventnotify/choices');
    expect(data.members.map(({ username, hasEmail, pushBrowsers }) => [username, hasEmail, pushBrowsers])).toEqual([
      ['lister', false, 0],
      ['north', true, 0],
      ['operator', false, 0],
    ]);
    expect(data.roles.map(({ builtIn, members }) => [builtIn, members])).toContainEqual(['administrator', 0]);
    expect(data.senders).toMatchObject([
      { name: 'Hook', kind: 'webhook', enabled: true },
      { name: 'Mail', kind: 'email', enabled: true },
    ]);
    expect(data.templates).toEqual([{ id: scene.template, name: 'Own', kind: 'email' }]);
    expect(data.deviceGroups).toEqual([{ id: scene.north.deviceGroup, name: 'North', parent: null }]);
    expect(data.devices).toEqual([{ deviceid: 'BUS1', name: 'North 1', plate: 'North-1' }]);
  });
});
