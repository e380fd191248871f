import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { builtInRows } from '../../../../../server/events/types/builtInRows.ts';
import type { EventRuleChange, EventRuleScope } from '../../../../../server/store/events/rules/eventRules.ts';
import { createStores, type Stores } from '../../../../../server/store/stores.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../../testDatabase.ts';

const INSTALLATION: EventRuleScope = { kind: 'installation' };
const BUS: EventRuleScope = { kind: 'device', deviceId: 'BUS1' };

describeOnBothEngines('the store of event rules', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  let buses: EventRuleScope & { readonly kind: 'group' };
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db);
  });
  beforeEach(async () => {
    for (const table of ['event_rule', 'device', 'device_incarnation', 'device_group', 'event_type'] as const) {
      await database.db.deleteFrom(table).execute();
    }
    await stores.eventTypes.addMissing(builtInRows());
    buses = { kind: 'group', deviceGroup: await stores.deviceGroups.insert('Buses') };
    await stores.devices.insert({ deviceId: 'BUS1', name: 'Bus', chn: 1, deviceGroup: buses.deviceGroup });
  });
  afterAll(() => database.close());

  const put = (change: Partial<EventRuleChange> = {}) =>
    stores.eventRules.put({
      type: 'speeding',
      scope: INSTALLATION,
      settings: { threshold: 90 },
      version: 0,
      ...change,
    });

  it('keeps what each place has set for each type, as it was given', async () => {
    const schedule = [{ days: [1, 7], fromMinute: 0, toMinute: 1_440 }];
    await put();
    await put({ scope: buses, settings: { clearThreshold: null, schedule, driverText: '慢一點 "!"' } });
    await put({ scope: BUS, settings: { enabled: false, recordChannels: [1, 2] } });
    await put({ type: 'idling', settings: { popUp: true } });
    expect(await stores.eventRules.all()).toMatchObject([
      { type: 'speeding', scope: INSTALLATION, settings: { threshold: 90 }, version: 1 },
      {
        type: 'speeding',
        scope: buses,
        settings: { clearThreshold: null, schedule, driverText: '慢一點 "!"' },
        version: 1,
      },
      { type: 'speeding', scope: BUS, settings: { enabled: false, recordChannels: [1, 2] }, version: 1 },
      { type: 'idling', scope: INSTALLATION, settings: { popUp: true }, version: 1 },
    ]);
  });

  it('gives what was before and what is now, and removes a rule without settings', async () => {
    const first = await put({ scope: BUS });
    const second = await put({ scope: BUS, version: 1, settings: { threshold: 80 } });
    const third = await put({ scope: BUS, version: 2, settings: {} });
    expect([first, second, third]).toMatchObject([
      { ok: true, value: { after: { settings: { threshold: 90 }, version: 1 } } },
      {
        ok: true,
        value: { before: { settings: { threshold: 90 } }, after: { settings: { threshold: 80 }, version: 2 } },
      },
      { ok: true, value: { before: { settings: { threshold: 80 } } } },
    ]);
    expect(third).not.toMatchObject({ value: { after: expect.anything() } });
    expect(await stores.eventRules.all()).toEqual([]);
    expect(await put({ settings: {} })).toEqual({ ok: true, value: {} });
  });

  it('refuses a change of what the caller has not seen', async () => {
    const conflict = { ok: false, reason: 'conflict' };
    await put();
    expect(await put()).toEqual(conflict);
    expect(await put({ version: 2 })).toEqual(conflict);
    expect(await put({ scope: BUS, version: 1 })).toEqual(conflict);
  });

  it('keeps one of two changes at once', async () => {
    const both = await Promise.all([put({ scope: BUS }), put({ scope: BUS, settings: { threshold: 70 } })]);
    expect(both.map(({ ok }) => ok).sort()).toEqual([false, true]);
    expect(await stores.eventRules.all()).toHaveLength(1);
  });

  it.each<[string, Partial<EventRuleChange>]>([
    ['type', { type: 'speedy' }],
    ['group', { scope: { kind: 'group', deviceGroup: 999_999 } }],
    ['device', { scope: { kind: 'device', deviceId: 'BUS9' } }],
  ])('refuses a change for a %s that is not there', async (_, change) => {
    expect(await put(change)).toEqual({ ok: false, reason: 'gone' });
  });

  it('loses the rules of a device, a group and a type with them', async () => {
    await put({ scope: buses });
    await put({ scope: BUS });
    await put({ type: 'idling' });
    await stores.devices.remove('BUS1');
    expect((await stores.eventRules.all()).map(({ type, scope }) => [type, scope.kind])).toEqual([
      ['speeding', 'group'],
      ['idling', 'installation'],
    ]);
    await stores.deviceGroups.remove(buses.deviceGroup);
    await database.db.deleteFrom('event_type').where('code', '=', 'idling').execute();
    expect(await stores.eventRules.all()).toEqual([]);
  });
});
