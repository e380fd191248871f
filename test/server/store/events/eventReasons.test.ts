import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { REASONS_LIMIT } from '../../../../server/store/events/eventReasons.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import type { EventReason } from '../../../../shared/protocol/api/eventTypes.ts';
import { anyReason } from '../../../support/anyEventType.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';

const REAL = { ...anyReason({ nameEn: '' }), code: 'real', isBuiltIn: true };
const WASH = { ...anyReason(), code: 'custom-1', isBuiltIn: false };

describeOnBothEngines('the store of closing reasons', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db);
  });
  beforeEach(async () => {
    for (const table of ['event_reason', 'event_step'] as const) await database.db.deleteFrom(table).execute();
  });
  afterAll(() => database.close());

  async function added(reason = WASH): Promise<EventReason> {
    const answer = await stores.eventReasons.add(reason);
    if (!answer.ok) throw new Error(answer.reason);
    return answer.value;
  }

  async function addBuiltIn(): Promise<EventReason> {
    await stores.eventReasons.addMissing([REAL]);
    const [reason] = await stores.eventReasons.all();
    if (reason === undefined) throw new Error('no reason');
    return reason;
  }

  /** Stores a step like that of closing an event. */
  async function close(reason: string): Promise<void> {
    const step = { event_id: 1, at_ms: 1, user_id: 1, user_name: 'ann', act: 'close', from_status: 0, to_status: 3 };
    await database.db
      .insertInto('event_step')
      .values({ ...step, assignee_name: '', reason, note: '' })
      .execute();
  }

  it('lists the built-in ones first, and adds them only once', async () => {
    const { eventReasons } = stores;
    const wash = await added();
    const real = await addBuiltIn();
    await eventReasons.update(real, { ...REAL, nameEn: 'Confirmed' });
    await eventReasons.addMissing([REAL]);
    await eventReasons.addMissing([]);
    expect(await eventReasons.all()).toEqual([{ ...real, nameEn: 'Confirmed', version: 2 }, wash]);
  });

  it('keeps every field', async () => {
    const { eventReasons } = stores;
    await addBuiltIn();
    const { id } = await added();
    const other = anyReason({ nameEn: 'Wash', nameZh: '洗車', nameJp: '洗車場', isFalseAlarm: true, enabled: false });
    expect(await eventReasons.update({ id, version: 1 }, other)).toMatchObject({ ok: true, value: WASH });
    expect(await eventReasons.find(id)).toEqual({ ...WASH, ...other, id, version: 2 });
  });

  it('changes nothing of a version that is outdated, nor a reason that is not there', async () => {
    const { eventReasons } = stores;
    await addBuiltIn();
    const { id } = await added();
    await eventReasons.update({ id, version: 1 }, anyReason({ nameEn: 'A' }));
    expect(await eventReasons.update({ id, version: 1 }, WASH)).toEqual({ ok: false, reason: 'conflict' });
    expect(await eventReasons.remove({ id, version: 1 })).toEqual({ ok: false, reason: 'conflict' });
    expect(await eventReasons.update({ id: id + 1, version: 1 }, WASH)).toEqual({ ok: false, reason: 'gone' });
    expect(await eventReasons.remove({ id: id + 1, version: 1 })).toEqual({ ok: false, reason: 'gone' });
  });

  it('always leaves one that events can be closed for, whoever changes what at once', async () => {
    const { eventReasons } = stores;
    const [real, wash] = [await addBuiltIn(), await added()];
    const off = (reason: EventReason) => eventReasons.update(reason, { ...reason, enabled: false });
    const answers = await Promise.all([off(real), off(wash)]);
    expect(answers.map((answer) => (answer.ok ? 'done' : answer.reason)).sort()).toEqual(['done', 'last']);
    const left = (await eventReasons.all()).filter(({ enabled }) => enabled);
    expect(left).toHaveLength(1);
    for (const reason of left) expect(await eventReasons.remove(reason)).toEqual({ ok: false, reason: 'last' });
  });

  it('removes one that no event was closed for, and keeps one that an event was', async () => {
    const { eventReasons } = stores;
    await addBuiltIn();
    const [wash, dock] = [await added(), await added({ ...WASH, code: 'custom-2' })];
    await close('custom-1');
    await close('');
    expect(await eventReasons.remove(wash)).toEqual({ ok: false, reason: 'used' });
    expect(await eventReasons.remove(dock)).toEqual({ ok: true, value: dock });
    expect((await eventReasons.all()).map(({ code }) => code)).toEqual(['real', 'custom-1']);
  });

  it('counts only the reasons of administrators against the limit', async () => {
    const { eventReasons } = stores;
    await addBuiltIn();
    const own = Array.from({ length: REASONS_LIMIT.max - 1 }, (_, index) => ({ ...WASH, code: `custom-${index}` }));
    await eventReasons.addMissing(own);
    expect(await eventReasons.add({ ...WASH, code: 'last-one' })).toMatchObject({ ok: true });
    expect(await eventReasons.add({ ...WASH, code: 'one-more' })).toEqual({ ok: false, reason: 'too-many' });
  });
});
