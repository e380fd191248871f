import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';

const AT = wallMs(1_795_000_000_000);
const NIGHT = { days: [1, 2, 3, 4, 5], fromMinute: 1_320, toMinute: 420 };
const CHOSEN = {
  email: 'ann@example.com',
  phone: '+886912345678',
  channels: ['email'],
  quietHours: [NIGHT],
  messageLanguage: 'jp',
} as const;

describeOnBothEngines('how members want to be told', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db);
  });
  beforeEach(() => database.db.deleteFrom('app_user').execute());
  afterAll(() => database.close());

  const addAnn = async (more: { readonly email?: string } = {}): Promise<number> => {
    const added = await stores.members.insert({ username: 'ann', passwordHash: 'h', permissions: [], ...more }, [], AT);
    return added.ok ? added.value : expect.fail(added.reason);
  };

  it('is by every channel at any time until they choose', async () => {
    const id = await addAnn({ email: 'ann@example.com' });
    expect(await stores.ownNotify.find(id)).toEqual({
      email: 'ann@example.com',
      phone: '',
      channels: ['email', 'sms', 'push'],
      quietHours: [],
      messageLanguage: '',
    });
    expect(await stores.ownNotify.find(id + 1)).toBeUndefined();
  });

  it('is kept as chosen, and a form that was open before does not put it back', async () => {
    const id = await addAnn();
    const open = await stores.members.find(id);
    if (open === undefined) throw new Error('gone');
    expect(await stores.ownNotify.save(id, CHOSEN)).toMatchObject({ email: '', channels: ['email', 'sms', 'push'] });
    expect(await stores.ownNotify.find(id)).toEqual(CHOSEN);
    const { email, phone } = CHOSEN;
    expect(await stores.members.find(id)).toMatchObject({ email, phone, version: open.version + 1 });
    expect(await stores.members.update(id, open.version, { content: open, scope: undefined })).toEqual({
      ok: false,
      reason: 'conflict',
    });
    expect(await stores.ownNotify.save(id + 1, CHOSEN)).toBeUndefined();
  });

  it('stays when an administrator changes the addresses, or something else', async () => {
    const id = await addAnn();
    await stores.ownNotify.save(id, CHOSEN);
    const known = await stores.members.find(id);
    if (known === undefined) throw new Error('gone');
    const { email: _, phone: __, ...older } = known;
    const content = { ...older, displayName: 'Ann' };
    expect(await stores.members.update(id, known.version, { content, scope: undefined })).toMatchObject({ ok: true });
    expect(await stores.ownNotify.find(id)).toEqual(CHOSEN);
    const named = { ...content, email: 'ann@example.org', phone: '' };
    await stores.members.update(id, known.version + 1, { content: named, scope: undefined });
    expect(await stores.ownNotify.find(id)).toEqual({ ...CHOSEN, email: 'ann@example.org', phone: '' });
  });
});
