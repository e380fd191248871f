import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { NotifyRuleContent } from '../../../../shared/protocol/api/notify/notifyRules.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { aRuleContent } from '../../../support/notify/notifyFacts.ts';
import { anEvent } from '../events/anEvent.ts';
import { describeOnBothEngines } from '../testDatabase.ts';
import { NOW_MS, type NotifyStoreScene, openNotifyScene } from './notifyScene.ts';
import { addMessage, plannedMessage } from './plannedMessage.ts';

const FIRST = { at: 'offset', offset: 0 } as const;

describeOnBothEngines('notification rules and what they go by', (engine) => {
  let scene: NotifyStoreScene;
  let otherGroup: number;
  beforeAll(async () => {
    scene = await openNotifyScene(engine);
    otherGroup = await scene.stores.memberGroups.insert({ name: 'Elsewhere' });
  });
  afterEach(async () => {
    for (const table of ['notify_rule', 'notify_message', 'event'] as const) {
      await scene.database.db.deleteFrom(table).execute();
    }
  });
  afterAll(() => scene.database.close());

  const change = (content: Partial<NotifyRuleContent> = {}, by = 'Ann') => {
    return { content: aRuleContent(content), by, atMs: NOW_MS };
  };
  const add = async (content: Partial<NotifyRuleContent> = {}, memberGroup = scene.memberGroup) => {
    const added = await scene.stores.notifyRules.insert({ memberGroup }, change(content));
    if (!added.ok) throw new Error(added.reason);
    return added.value;
  };

  it('a rule is kept as it was sent, and seen by its member group alone', async () => {
    const rule = await add({ name: 'Night', types: ['speeding'], severities: ['critical'], intervalMinutes: 5 });
    const { notifyRules } = scene.stores;
    expect(await notifyRules.find(rule.id, { memberGroup: scene.memberGroup })).toEqual({
      ...aRuleContent({ name: 'Night', types: ['speeding'], severities: ['critical'], intervalMinutes: 5 }),
      id: rule.id,
      memberGroup: scene.memberGroup,
      version: 1,
      changedAtMs: NOW_MS,
      changedBy: 'Ann',
    });
    expect(await notifyRules.find(rule.id, { memberGroup: otherGroup })).toBeUndefined();
    expect(await notifyRules.all()).toHaveLength(1);
  });

  it('two changes on one version are a conflict, of another group they are of nothing', async () => {
    const { id } = await add({ name: 'Before' });
    const { notifyRules } = scene.stores;
    const named = { id, memberGroup: scene.memberGroup, version: 1 };
    expect(await notifyRules.update(named, change({ name: 'After' }, 'Bob'))).toMatchObject({
      ok: true,
      value: { before: { name: 'Before' }, after: { name: 'After', version: 2, changedBy: 'Bob' } },
    });
    expect(await notifyRules.update(named, change())).toEqual({ ok: false, reason: 'conflict' });
    expect(await notifyRules.remove(named)).toEqual({ ok: false, reason: 'conflict' });
    const elsewhere = { ...named, memberGroup: otherGroup, version: 2 };
    expect(await notifyRules.update(elsewhere, change())).toEqual({ ok: false, reason: 'gone' });
    expect(await notifyRules.remove(elsewhere)).toEqual({ ok: false, reason: 'gone' });
    expect(await notifyRules.remove({ ...named, version: 2 })).toMatchObject({ ok: true, value: { name: 'After' } });
    expect(await notifyRules.all()).toEqual([]);
  });

  it('the list is of the member group, by name, and searched in names', async () => {
    for (const name of ['bravo', 'Alpha', 'charlie 100%']) await add({ name });
    await add({ name: 'Hidden' }, otherGroup);
    const query = {
      memberGroup: scene.memberGroup,
      sort: 'name',
      descending: false,
      limit: 2,
      position: FIRST,
    } as const;
    const page = await scene.stores.notifyRules.page({ ...query, search: '' });
    expect(page).toMatchObject({ total: 3, rows: [{ name: 'Alpha' }, { name: 'bravo' }] });
    const found = await scene.stores.notifyRules.page({ ...query, search: '100%' });
    expect(found?.rows.map(({ name }) => name)).toEqual(['charlie 100%']);
  });

  it('says when rules last told of events of a device and type', async () => {
    const told = (rule: number, atMs: number, type = 'speeding') => ({
      rule,
      type,
      createdAtMs: atMs,
      deviceId: 'BUS1',
    });
    const [own = 0] = await scene.tell([told(1, NOW_MS - 5)], [told(1, NOW_MS - 60), told(2, NOW_MS - 70, 'idling')]);
    const { notifyTold } = scene.stores;
    const { archiveNumber, memberGroup } = scene;
    expect(await notifyTold.since(NOW_MS - 100, 10)).toEqual([
      { rule: 1, archiveNumber, type: 'speeding', atMs: NOW_MS - 5 },
      { rule: 2, archiveNumber, type: 'idling', atMs: NOW_MS - 70 },
    ]);
    expect(await notifyTold.since(NOW_MS - 100, 1)).toHaveLength(1);
    expect(await notifyTold.since(NOW_MS, 10)).toEqual([]);
    const wanted = {
      memberGroup,
      archiveNumber,
      deviceId: 'BUS1',
      type: 'speeding',
      fromMs: NOW_MS - 100,
      toMs: NOW_MS,
    };
    expect(await notifyTold.lastBefore({ ...wanted, exceptEvent: 0 })).toEqual(new Map([[1, NOW_MS - 5]]));
    expect(await notifyTold.lastBefore({ ...wanted, exceptEvent: own })).toEqual(new Map([[1, NOW_MS - 60]]));
    expect(await notifyTold.lastBefore({ ...wanted, toMs: NOW_MS - 60, exceptEvent: 0 })).toEqual(new Map());
    expect(await notifyTold.waitingByGroup()).toEqual(new Map([[memberGroup, 3]]));
    await scene.answer(own);
    expect(await notifyTold.waitingByGroup()).toEqual(new Map([[memberGroup, 2]]));
  });

  it('the repeats of a message are not counted as if the rule had told of another event', async () => {
    const { archiveNumber, memberGroup, database, stores } = scene;
    const message = { rule: 7, type: 'speeding', deviceId: 'BUS1', createdAtMs: NOW_MS };
    const [event = 0] = await scene.tell([message]);
    const repeat = { ...message, memberGroup, archiveNumber, eventBeginAtMs: NOW_MS, createdAtMs: NOW_MS + 600_000 };
    await addMessage(database.db, plannedMessage(repeat), event);
    const told = { rule: 7, archiveNumber, type: 'speeding', atMs: NOW_MS };
    expect(await stores.notifyTold.since(NOW_MS - 100, 10)).toContainEqual(told);
    const wanted = { memberGroup, archiveNumber, deviceId: 'BUS1', type: 'speeding' };
    const during = { ...wanted, fromMs: NOW_MS - 100, toMs: NOW_MS + 900_000, exceptEvent: 0 };
    expect((await stores.notifyTold.lastBefore(during)).get(7)).toBe(NOW_MS);
    expect((await stores.notifyTold.lastBefore({ ...during, fromMs: NOW_MS + 1 })).get(7)).toBeUndefined();
  });

  it('gives past events of the member group in parts, the latest first, with when they were answered', async () => {
    const { archiveNumber, memberGroup } = scene;
    const at = (beginAtMs: number, more = {}) => anEvent({ archiveNumber, beginAtMs, isLate: false, ...more });
    const ids = await scene.stores.eventLog.write({
      added: [
        at(NOW_MS),
        at(NOW_MS + 1),
        at(NOW_MS + 1, { type: 'idling' }),
        at(NOW_MS + 2, { isLate: true }),
        at(NOW_MS + 2, { archiveNumber: 9_999 }),
        at(NOW_MS + 3, { archiveNumber: 0 }),
        at(NOW_MS + 9),
      ],
      changed: [],
      days: [],
    });
    const [first = 0, second, third, , , ofGateway] = ids;
    await scene.answer(first);
    const { pastEvents } = scene.stores;
    const wanted = { memberGroup, seesGateway: false, fromMs: NOW_MS, toMs: NOW_MS + 9, types: [] };
    const part = await pastEvents.latest(wanted, 2, undefined);
    expect(part.map(({ id }) => id)).toEqual([third, second]);
    expect(await pastEvents.latest(wanted, 2, part[1])).toMatchObject([{ id: first, answeredAtMs: NOW_MS + 1_000 }]);
    expect(part[0]).toMatchObject({ archiveNumber, type: 'idling', answeredAtMs: Number.POSITIVE_INFINITY });
    expect(await pastEvents.latest({ ...wanted, types: ['idling'] }, 9, undefined)).toHaveLength(1);
    const withGateway = await pastEvents.latest({ ...wanted, seesGateway: true }, 9, undefined);
    expect(withGateway[0]).toMatchObject({ id: ofGateway, archiveNumber: 0 });
  });

  it('knows members with their addresses, choices, groups and what they may know of', async () => {
    const { stores, database, memberGroup, ann } = scene;
    const root = await stores.users.insert(
      { username: 'root', passwordHash: 'hash', permissions: ['system'], displayName: 'Root', timeZone: 'Asia/Taipei' },
      wallMs(NOW_MS),
    );
    await stores.memberGroups.setGroupsOfUser(root, [memberGroup, otherGroup]);
    const choices = { channels: ['push'], quietHours: [], messageLanguage: 'jp' };
    const columns = { email: 'root@example.com', phone: '+49123456', notify_choices: JSON.stringify(choices) };
    await database.db.updateTable('app_user').set(columns).where('id', '=', root).execute();
    await database.db
      .insertInto('push_subscription')
      .values({ user_id: root, endpoint_hash: 'a', sealed: '', user_agent: '', created_at_ms: 0, last_used_at_ms: 0 })
      .execute();
    await stores.users.insert({ username: 'lone', passwordHash: 'hash', permissions: [] }, wallMs(NOW_MS));
    expect(await stores.notifyMembers.all()).toEqual([
      expect.objectContaining({
        id: ann,
        email: '',
        channels: ['email', 'sms', 'push'],
        hasSystem: false,
        pushBrowsers: 0,
      }),
      {
        id: root,
        username: 'root',
        displayName: 'Root',
        email: 'root@example.com',
        phone: '+49123456',
        language: 'jp',
        timeZone: 'Asia/Taipei',
        disabled: false,
        expiresAtMs: 0,
        role: undefined,
        hasSystem: true,
        memberGroups: new Set([memberGroup, otherGroup]),
        pushBrowsers: 1,
        channels: ['push'],
        quietHours: [],
      },
    ]);
    await stores.users.remove(root);
  });

  it('knows whose devices are where, and leaves out those that nobody is shown', async () => {
    const { stores, deviceGroup, archiveNumber, memberGroup } = scene;
    await stores.devices.insert({ deviceId: 'OFF', name: 'Off', chn: 1, deviceGroup, disabled: true });
    const { devices, parents, owners } = await stores.notifyPlaces.places();
    expect(devices).toEqual([{ deviceId: 'BUS1', name: 'Bus 1', archiveNumber, deviceGroup, timeZone: '' }]);
    expect(parents.has(deviceGroup)).toBe(true);
    expect(owners).toEqual(new Map([[deviceGroup, new Set([memberGroup])]]));
  });
});
