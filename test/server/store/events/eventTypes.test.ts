import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { CUSTOM_TYPES_LIMIT } from '../../../../server/store/events/eventTypes.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { anyEventType } from '../../../support/anyEventType.ts';
import { describeOnBothEngines, openWithReading, type TestDatabase } from '../testDatabase.ts';
import { storedEvent } from './storedEvent.ts';

const BUILT_IN = { ...anyEventType({ nameEn: '', source: null }), code: 'speeding', isBuiltIn: true };
const CUSTOM = { ...anyEventType(), code: 'custom-1', isBuiltIn: false };

describeOnBothEngines('the store of event types', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  beforeAll(async () => {
    database = await openWithReading(engine);
    stores = createStores(database.db, undefined, database.reading);
  });
  beforeEach(async () => {
    for (const table of ['event_type', 'event', 'event_day'] as const) await database.db.deleteFrom(table).execute();
  });
  afterAll(() => database.close());

  it('adds what is missing and leaves what is there as it was edited', async () => {
    const { eventTypes } = stores;
    await eventTypes.addMissing([]);
    await eventTypes.addMissing([BUILT_IN]);
    await eventTypes.update({ code: 'speeding', version: 1 }, { ...BUILT_IN, nameEn: 'Too fast' });
    await eventTypes.addMissing([BUILT_IN, { ...BUILT_IN, code: 'fatigue' }]);
    expect((await eventTypes.all()).map(({ code, nameEn }) => [code, nameEn])).toEqual([
      ['fatigue', ''],
      ['speeding', 'Too fast'],
    ]);
  });

  it('keeps every field of a type', async () => {
    const { eventTypes } = stores;
    expect(await eventTypes.add(CUSTOM)).toEqual({ ok: true, value: { ...CUSTOM, version: 1 } });
    expect(await eventTypes.find('custom-1')).toEqual({ ...CUSTOM, version: 1 });
    const other = anyEventType({
      nameEn: 'Ramp',
      nameZh: '坡道',
      nameJp: 'ランプ',
      category: 'device',
      severity: 'critical',
      color: '',
      icon: 'flag',
      sound: 'none',
      needsAcknowledgment: false,
      clipBeforeS: 0,
      clipAfterS: 300,
      snapshotChannels: [],
      enabled: false,
      source: { kind: 'passthrough', passthroughType: 0xf0, match: null },
    });
    expect(await eventTypes.update({ code: 'custom-1', version: 1 }, other)).toMatchObject({
      ok: true,
      value: { nameEn: 'Ramp down', version: 1 },
    });
    expect(await eventTypes.find('custom-1')).toEqual({ ...CUSTOM, ...other, version: 2 });
  });

  it('lets the first of two changes of one version through', async () => {
    const { eventTypes } = stores;
    await eventTypes.add(CUSTOM);
    const rename = (nameEn: string) => eventTypes.update({ code: 'custom-1', version: 1 }, { ...CUSTOM, nameEn });
    const answers = await Promise.all([rename('A'), rename('B'), eventTypes.remove({ code: 'custom-1', version: 1 })]);
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    const reasons = answers.flatMap((answer) => (answer.ok ? [] : answer.reason));
    expect(reasons.every((reason) => reason === 'conflict' || reason === 'gone')).toBe(true);
  });

  it('changes nothing of a version that is outdated, nor a type that is not there', async () => {
    const { eventTypes } = stores;
    await eventTypes.add(CUSTOM);
    await eventTypes.update({ code: 'custom-1', version: 1 }, { ...CUSTOM, nameEn: 'A' });
    const outdated = { code: 'custom-1', version: 1 };
    expect(await eventTypes.update(outdated, CUSTOM)).toEqual({ ok: false, reason: 'conflict' });
    expect(await eventTypes.remove(outdated)).toEqual({ ok: false, reason: 'conflict' });
    expect(await eventTypes.find('custom-1')).toMatchObject({ nameEn: 'A', version: 2 });
    const none = { code: 'custom-2', version: 1 };
    expect(await eventTypes.update(none, CUSTOM)).toEqual({ ok: false, reason: 'gone' });
    expect(await eventTypes.remove(none)).toEqual({ ok: false, reason: 'gone' });
    expect(await eventTypes.find('custom-2')).toBeUndefined();
  });

  it('removes a type that no event was raised of', async () => {
    const { eventTypes, eventLog } = stores;
    await eventTypes.add(CUSTOM);
    await eventLog.write({ added: [storedEvent('speeding')], changed: [], days: [] });
    expect(await eventTypes.remove({ code: 'custom-1', version: 1 })).toMatchObject({ ok: true });
    expect(await eventTypes.all()).toEqual([]);
  });

  it('keeps a type that an event has', async () => {
    const { eventTypes, eventLog } = stores;
    await eventTypes.add(CUSTOM);
    await eventLog.write({ added: [storedEvent('custom-1')], changed: [], days: [] });
    expect(await eventTypes.remove({ code: 'custom-1', version: 1 })).toEqual({ ok: false, reason: 'used' });
  });

  it('keeps a type whose events are gone and only counted still', async () => {
    const { eventTypes, eventLog } = stores;
    await eventTypes.add(CUSTOM);
    const days = [{ archiveNumber: 1, type: 'custom-1', day: 20261123, count: 1, seconds: 0 }];
    await eventLog.write({ added: [], changed: [], days });
    expect(await eventTypes.remove({ code: 'custom-1', version: 1 })).toEqual({ ok: false, reason: 'used' });
    expect(await eventTypes.find('custom-1')).toMatchObject({ version: 1 });
  });

  it('counts only the types of administrators against the limit', async () => {
    const { eventTypes } = stores;
    await eventTypes.addMissing([BUILT_IN]);
    const own = Array.from({ length: CUSTOM_TYPES_LIMIT.max }, (_, index) => ({ ...CUSTOM, code: `custom-${index}` }));
    await eventTypes.addMissing(own.slice(1));
    expect(await eventTypes.add({ ...CUSTOM, code: 'custom-0' })).toMatchObject({ ok: true });
    expect(await eventTypes.add({ ...CUSTOM, code: 'one-more' })).toEqual({ ok: false, reason: 'too-many' });
    expect(await eventTypes.find('one-more')).toBeUndefined();
  });
});
