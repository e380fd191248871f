import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';

const ALWAYS = { fromMs: 0, toMs: 1_000_000 };

describeOnBothEngines('sessions of terminals', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  let [first, second] = [0, 0];
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db);
    first = (await stores.devices.insert({ deviceId: 'A', name: 'A', chn: 1 })).incarnation;
    second = (await stores.devices.insert({ deviceId: 'B', name: 'B', chn: 1 })).incarnation;
  });
  beforeEach(() => database.db.deleteFrom('presence_session').execute());
  afterAll(() => database.close());

  const come = (incarnation: number, fromMs: number) => ({ incarnation, fromMs, toMs: 0, reason: 'lasts' as const });
  const all = () => stores.presenceSessions.between([first, second], ALWAYS);

  it('begin, are followed by others, and end', async () => {
    const { presenceSessions } = stores;
    await presenceSessions.write({ ended: [], added: [come(first, 10), come(second, 20)] });
    await presenceSessions.write({
      ended: [{ incarnation: first, atMs: 30, reason: 'replaced' }],
      added: [come(first, 30)],
    });
    await presenceSessions.write({ ended: [{ incarnation: first, atMs: 40, reason: 'closed' }], added: [] });
    expect(await all()).toEqual([
      { incarnation: first, fromMs: 10, toMs: 30, reason: 'replaced' },
      { incarnation: first, fromMs: 30, toMs: 40, reason: 'closed' },
      { incarnation: second, fromMs: 20, toMs: 0, reason: 'lasts' },
    ]);
    await presenceSessions.endAll(50, 'gateway-stopped');
    expect((await all()).at(-1)).toEqual({ incarnation: second, fromMs: 20, toMs: 50, reason: 'gateway-stopped' });
  });

  it('are those that reach into the span, of these devices', async () => {
    const { presenceSessions } = stores;
    const over = { incarnation: first, fromMs: 10, toMs: 20, reason: 'closed' } as const;
    await presenceSessions.write({ ended: [], added: [over, come(first, 30), come(second, 5)] });
    const between = async (fromMs: number, toMs: number) =>
      (await presenceSessions.between([first], { fromMs, toMs })).map((session) => session.fromMs);
    expect(await between(0, 10)).toEqual([]);
    expect(await between(19, 30)).toEqual([10]);
    expect(await between(20, 31)).toEqual([30]);
    expect(await between(900, 1_000)).toEqual([30]);
    expect(await presenceSessions.between([], ALWAYS)).toEqual([]);
  });

  it('that a crash left open end when they were last noted', async () => {
    const { presenceSessions } = stores;
    await presenceSessions.write({ ended: [], added: [come(first, 10)] });
    await presenceSessions.noteSeen(70);
    await presenceSessions.write({ ended: [], added: [come(second, 80)] });
    expect(await presenceSessions.endLeftOpen()).toBe(2);
    expect(await all()).toEqual([
      { incarnation: first, fromMs: 10, toMs: 70, reason: 'crash' },
      { incarnation: second, fromMs: 80, toMs: 80, reason: 'crash' },
    ]);
    expect(await presenceSessions.endLeftOpen()).toBe(0);
  });
});
