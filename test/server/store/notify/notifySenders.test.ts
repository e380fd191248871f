import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ListedSender } from '../../../../server/store/notify/notifySenders.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { SENDER_KINDS } from '../../../../shared/protocol/notify/notifyWords.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { senderFields } from '../../../support/notify/aSenderRecord.ts';
import { describeOnBothEngines, openWithReading, type TestDatabase } from '../testDatabase.ts';

const FIRST = {
  sort: 'name',
  descending: false,
  limit: 50,
  position: { at: 'offset', offset: 0 },
  search: '',
  filters: {},
} as const;

describeOnBothEngines('senders', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  beforeEach(async () => {
    database = await openWithReading(engine);
    stores = createStores(database.db, undefined, database.reading);
  });
  afterEach(() => database.close());

  async function add(changes: Parameters<typeof senderFields>[0] = {}): Promise<ListedSender> {
    const added = await stores.notifySenders.insert(senderFields(changes), (id) => `sealed for ${id}`);
    if (!added.ok) throw new Error(added.reason);
    return added.value;
  }

  it('are kept with a secret that was sealed for their id', async () => {
    const added = await add();
    expect(added).toEqual({
      ...senderFields(),
      id: added.id,
      version: 1,
      sealedSecret: `sealed for ${added.id}`,
      failures: 0,
      lastSentAtMs: 0,
      lastFailureAtMs: 0,
      lastFailure: '',
      waiting: 0,
    });
    expect(await stores.notifySenders.find(added.id)).toEqual(added);
    const { waiting, ...stored } = added;
    expect(await stores.notifySenders.all()).toEqual([stored]);
    const plain = await stores.notifySenders.insert(senderFields());
    expect(plain).toMatchObject({ ok: true, value: { sealedSecret: '' } });
  });

  it('are not kept without the secret when it can not be sealed', async () => {
    const seal = (): string => {
      throw new Error('no key');
    };
    await expect(stores.notifySenders.insert(senderFields(), seal)).rejects.toThrow('no key');
    expect(await stores.notifySenders.all()).toEqual([]);
  });

  it('are listed by name and by kind, searched and filtered, with what waits for them', async () => {
    for (const [index, kind] of SENDER_KINDS.entries())
      await add({ name: `${index % 2 === 0 ? 'a' : 'B'}${kind}`, kind });
    const names = async (query: object) =>
      (await stores.notifySenders.page({ ...FIRST, ...query }))?.rows.map(({ name }) => name);
    expect(await names({})).toEqual(['aemail', 'apush', 'asms', 'Bsyslog', 'Bwebhook']);
    expect(await names({ sort: 'kind' })).toEqual(['aemail', 'Bwebhook', 'asms', 'Bsyslog', 'apush']);
    expect(await names({ search: 'S', filters: { kind: 'sms' } })).toEqual(['asms']);
    expect(await stores.notifySenders.page({ ...FIRST, limit: 2 })).toMatchObject({
      total: 5,
      rows: [{ waiting: 0 }, {}],
    });
  });

  it('are changed by version; the secret stays unless another is given', async () => {
    const { id, sealedSecret } = await add();
    const at = (version: number) => ({ id, version });
    const fields = senderFields({ name: 'Other', enabled: false });
    const done = await stores.notifySenders.update(at(1), fields);
    expect(done).toMatchObject({ ok: true, value: { name: 'Mail', version: 1 } });
    expect(await stores.notifySenders.find(id)).toMatchObject({ ...fields, version: 2, sealedSecret });
    expect(await stores.notifySenders.update(at(1), fields, '')).toEqual({ ok: false, reason: 'conflict' });
    await stores.notifySenders.update(at(2), fields, 'new');
    expect(await stores.notifySenders.find(id)).toMatchObject({ sealedSecret: 'new' });
    await stores.notifySenders.update(at(3), fields, '');
    expect(await stores.notifySenders.find(id)).toMatchObject({ sealedSecret: '' });
    expect(await stores.notifySenders.update({ id: id + 1, version: 1 }, fields)).toEqual({
      ok: false,
      reason: 'gone',
    });
  });

  it('are changed by one of two at once', async () => {
    const { id } = await add();
    const change = (name: string) => stores.notifySenders.update({ id, version: 1 }, senderFields({ name }));
    const done = await Promise.all([change('One'), change('Two')]);
    expect(done.map(({ ok }) => ok).sort()).toEqual([false, true]);
  });

  it('stay while a rule uses them', async () => {
    const { id } = await add();
    const group = await stores.memberGroups.insert({ name: 'North' });
    const step = { deliveries: [{ sender: id, template: 0 }] };
    const rule = { member_group: group, name: 'Rule', enabled: 1, settings: JSON.stringify({ steps: [step] }) };
    await database.db
      .insertInto('notify_rule')
      .values({ ...rule, changed_at_ms: 0, changed_by: 'root' })
      .execute();
    expect(await stores.notifySenders.remove({ id, version: 1 })).toEqual({ ok: false, reason: 'used' });
    await database.db.deleteFrom('notify_rule').execute();
    expect(await stores.notifySenders.remove({ id, version: 2 })).toEqual({ ok: false, reason: 'conflict' });
    expect(await stores.notifySenders.remove({ id, version: 1 })).toMatchObject({ ok: true, value: { id } });
    expect(await stores.notifySenders.remove({ id, version: 1 })).toEqual({ ok: false, reason: 'gone' });
  });
});

describeOnBothEngines('browsers that members have allowed', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  beforeEach(async () => {
    database = await openWithReading(engine);
    stores = createStores(database.db, undefined, database.reading);
  });
  afterEach(() => database.close());

  const addUser = (username: string) => stores.users.insert({ username, passwordHash: '', permissions: [] }, wallMs(0));
  const subscription = (endpointHash: string) => ({
    endpointHash,
    sealed: `sealed ${endpointHash}`,
    userAgent: 'Firefox',
  });

  it('are kept for each, and go with the member', async () => {
    const [ann, bob] = [await addUser('ann'), await addUser('bob')];
    const id = await stores.pushSubscriptions.add(ann, subscription('a'), wallMs(5));
    expect(await stores.pushSubscriptions.listOf(ann)).toEqual([
      { id, endpointHash: 'a', userAgent: 'Firefox', createdAtMs: 5, lastUsedAtMs: 0 },
    ]);
    expect(await stores.pushSubscriptions.sealedOf(ann)).toEqual([{ id, sealed: 'sealed a' }]);
    await stores.pushSubscriptions.noteUsed(id ?? 0, wallMs(9));
    expect(await stores.pushSubscriptions.listOf(ann)).toMatchObject([{ lastUsedAtMs: 9 }]);
    expect(await stores.pushSubscriptions.remove(bob, id ?? 0)).toBe(false);
    expect(await stores.pushSubscriptions.remove(ann, id ?? 0)).toBe(true);
    await stores.pushSubscriptions.add(ann, subscription('b'), wallMs(5));
    await database.db.deleteFrom('app_user').where('id', '=', ann).execute();
    expect(await stores.pushSubscriptions.listOf(ann)).toEqual([]);
    expect(await stores.pushSubscriptions.add(ann, subscription('c'), wallMs(5))).toBeUndefined();
  });

  it('belong to the member who has allowed them last', async () => {
    const [ann, bob] = [await addUser('ann'), await addUser('bob')];
    await stores.pushSubscriptions.add(ann, subscription('a'), wallMs(5));
    await stores.pushSubscriptions.add(bob, { ...subscription('a'), sealed: 'for bob' }, wallMs(6));
    expect(await stores.pushSubscriptions.listOf(ann)).toEqual([]);
    expect(await stores.pushSubscriptions.sealedOf(bob)).toMatchObject([{ sealed: 'for bob' }]);
  });

  it('are ten at most, also when many are added at once', async () => {
    const ann = await addUser('ann');
    const names = Array.from({ length: 12 }, (_, index) => `e${index}`);
    await Promise.all(names.map((name, index) => stores.pushSubscriptions.add(ann, subscription(name), wallMs(index))));
    const left = await stores.pushSubscriptions.listOf(ann);
    expect(left).toHaveLength(10);
    const [oldest] = left;
    await stores.pushSubscriptions.add(ann, subscription('last'), wallMs(99));
    const after = (await stores.pushSubscriptions.listOf(ann)).map(({ endpointHash }) => endpointHash);
    expect(after).toHaveLength(10);
    expect(after.at(-1)).toBe('last');
    expect(after).not.toContain(oldest?.endpointHash);
  });
});
