import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NewEvent } from '../../../../server/store/events/eventLog.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';
import { anEvent } from './anEvent.ts';

const NOWHERE = { latitude: 0, longitude: 0, speedKmh: 0, headingDeg: 0 };
const BEGIN_MS = 1_795_000_000_000;
const EVENT = anEvent({ beginAtMs: BEGIN_MS });

describeOnBothEngines('the log of events', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db);
  });
  afterAll(() => database.close());

  const write = (change: Partial<Parameters<Stores['eventLog']['write']>[0]>) =>
    stores.eventLog.write({ added: [], changed: [], days: [], ...change });

  it('gives back what it was given, with ids in the order of the events', async () => {
    const types = Array.from({ length: 1_200 }, (_, at) => `type-${at}`);
    const ids = await write({ added: [EVENT, ...types.map((type) => ({ ...EVENT, type }))] });
    const stored = new Map((await stores.eventLog.tracked(BEGIN_MS)).map((event) => [event.id, event]));
    expect(stored.get(ids[0] ?? 0)).toEqual({ ...EVENT, id: ids[0], isAnswered: false });
    expect(ids.slice(1).map((id) => stored.get(id)?.type)).toEqual(types);
  });

  it('changes how an event goes on, and nothing that members do to it', async () => {
    const [id = 0] = await write({ added: [{ ...EVENT, type: 'collision' }] });
    await database.db.updateTable('event').set({ status: 4, version: 9 }).where('id', '=', id).execute();
    const end = { endAtMs: BEGIN_MS + 5_000, origins: 0, count: 3, endPlace: { ...NOWHERE, latitude: 24 } };
    await write({ changed: [{ ...EVENT, ...end, id, value: 120 }] });
    const row = await database.db.selectFrom('event').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    expect(row).toMatchObject({
      end_at_ms: BEGIN_MS + 5_000,
      origins: 0,
      count: 3,
      end_latitude: 24,
      value: 120,
      status: 4,
      version: 9,
      type: 'collision',
    });
  });

  it('gives at a start those that last and those that began lately, and says which are closed', async () => {
    const lately = BEGIN_MS + 3_600_000;
    const over = { ...EVENT, endAtMs: BEGIN_MS + 1, origins: 0 };
    const [old, lasting, recent] = await write({
      added: [over, { ...EVENT, type: 'lasting' }, { ...over, type: 'recent', beginAtMs: lately }],
    });
    await database.db
      .updateTable('event')
      .set({ status: 3 })
      .where('id', '=', recent ?? 0)
      .execute();
    const tracked = new Map((await stores.eventLog.tracked(lately)).map((event) => [event.id, event]));
    expect(tracked.has(old ?? 0)).toBe(false);
    expect(tracked.get(lasting ?? 0)?.isAnswered).toBe(false);
    expect(tracked.get(recent ?? 0)?.isAnswered).toBe(true);
  });

  it('finds events of a device and type by when they began, the newest first', async () => {
    const of = { archiveNumber: 77, type: 'fatigue', beginAtMs: BEGIN_MS };
    const later = { ...of, beginAtMs: BEGIN_MS + 10, unit: 2, isLate: false, endAtMs: BEGIN_MS + 20, alarmMark: 'ab' };
    const others = [{ beginAtMs: BEGIN_MS + 11 }, { archiveNumber: 78 }, { type: 'idling' }];
    await write({ added: [of, later, ...others.map((other) => ({ ...of, ...other }))].map((event) => anEvent(event)) });
    const range = { archiveNumber: 77, type: 'fatigue', fromMs: BEGIN_MS, toMs: BEGIN_MS + 10 };
    const [newest, oldest, ...rest] = await stores.eventLog.begunBetween(range);
    expect(newest).toEqual({
      unit: 2,
      area: EVENT.area,
      beginAtMs: BEGIN_MS + 10,
      endAtMs: BEGIN_MS + 20,
      lastSeenAtMs: EVENT.lastSeenAtMs,
      isLate: false,
      alarmMark: 'ab',
    });
    expect(oldest).toMatchObject({ beginAtMs: BEGIN_MS, isLate: true });
    expect(rest).toEqual([]);
  });

  it('adds to the counts of a day', async () => {
    const day = { archiveNumber: 4, type: 'speeding', day: 20_261_123, count: 2, seconds: 30 };
    await write({ days: [day, { ...day, type: 'idling' }] });
    await write({ days: [{ ...day, count: 0, seconds: -10 }] });
    const rows = await database.db
      .selectFrom('event_day')
      .select(['type', 'count', 'seconds'])
      .orderBy('type')
      .execute();
    expect(rows.map((row) => ({ ...row, seconds: Number(row.seconds) }))).toEqual([
      { type: 'idling', count: 2, seconds: 30 },
      { type: 'speeding', count: 2, seconds: 20 },
    ]);
  });

  it('takes all of a batch or nothing', async () => {
    const before = await stores.eventLog.tracked(0);
    const broken = { ...EVENT, driver: undefined as unknown as string };
    await expect(write({ added: [EVENT, broken] })).rejects.toThrow();
    expect(await stores.eventLog.tracked(0)).toHaveLength(before.length);
  });
});

describe('the columns of an event', () => {
  it('sort by severity first, and by time within one', async () => {
    const database = await openTestDatabase('sqlite');
    const { eventLog } = createStores(database.db);
    const at = (severity: NewEvent['severity'], seconds: number): NewEvent => ({
      ...EVENT,
      severity,
      beginAtMs: BEGIN_MS + seconds * 1_000,
    });
    const [info, critical, newer, oldest] = await eventLog.write({
      added: [at('info', 9), at('critical', 1), at('critical', 2), at('major', -86_400_000)],
      changed: [],
      days: [],
    });
    const rows = await database.db.selectFrom('event').select('id').orderBy('severity_order', 'desc').execute();
    expect(rows.map(({ id }) => id)).toEqual([newer, critical, oldest, info]);
    await database.close();
  });
});
