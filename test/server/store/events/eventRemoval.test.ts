import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NewEvent } from '../../../../server/store/events/eventLog.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';
import { anEvent } from './anEvent.ts';

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 10, 23);

describeOnBothEngines('removing events', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db);
  });
  afterAll(() => database.close());

  const add = (...events: Partial<NewEvent>[]) =>
    stores.eventLog.write({ added: events.map((event) => anEvent(event)), changed: [], days: [] });
  const left = async (archiveNumber: number): Promise<number[]> => {
    const rows = database.db.selectFrom('event').select('id').where('archive_number', '=', archiveNumber).orderBy('id');
    return (await rows.execute()).map(({ id }) => id);
  };
  const agedDays = (days: number) => ({ beginAtMs: NOW_MS - days * DAY_MS, endAtMs: NOW_MS - days * DAY_MS + 1 });

  it('takes the oldest of an archive in parts, with their steps, and leaves what lasts and what is held', async () => {
    const of = { archiveNumber: 50 };
    const [first = 0, lasting, held = 0, second, recent] = await add(
      { ...of, ...agedDays(40) },
      { ...of, ...agedDays(39), endAtMs: 0 },
      { ...of, ...agedDays(38) },
      { ...of, ...agedDays(37) },
      { ...of, ...agedDays(10) },
    );
    await database.db.updateTable('event').set({ held: 1 }).where('id', '=', held).execute();
    await addStep(first);
    await addStep(held);
    const beforeMs = NOW_MS - 30 * DAY_MS;
    expect(await stores.eventRemoval.withExpired(beforeMs, 10)).toContain(50);
    expect(await stores.eventRemoval.removeFirst(50, beforeMs, 1)).toEqual({ count: 1, files: [], isMore: true });
    expect(await left(50)).toEqual([lasting, held, second, recent]);
    expect(await stores.eventRemoval.removeFirst(50, beforeMs, 1)).toEqual({ count: 1, files: [], isMore: true });
    expect(await stores.eventRemoval.removeFirst(50, beforeMs, 1)).toEqual({ count: 0, files: [], isMore: false });
    expect(await left(50)).toEqual([lasting, held, recent]);
    expect(await stores.eventRemoval.withExpired(beforeMs, 10, [50])).toEqual([]);
    const steps = await database.db.selectFrom('event_step').select('event_id').execute();
    expect(steps.map((step) => step.event_id)).toEqual([held]);
  });

  async function addStep(eventId: number): Promise<void> {
    const step = { user_id: null, user_name: '', act: 'note', from_status: 0, to_status: 0, assignee_name: '' };
    const row = { ...step, event_id: eventId, at_ms: NOW_MS, reason: '', note: '' };
    await database.db.insertInto('event_step').values(row).execute();
  }

  it('deletes so many steps at once, and an event when it has no more than that', async () => {
    const of = { archiveNumber: 51, ...agedDays(40) };
    const [few = 0, many = 0] = await add(of, of, of);
    for (const eventId of [few, few, many, many, many, many]) await addStep(eventId);
    const remove = () => stores.eventRemoval.removeFirst(51, NOW_MS, 3);
    const countSteps = async () => {
      const steps = database.db.selectFrom('event_step').select('id').where('event_id', 'in', [few, many]);
      return (await steps.execute()).length;
    };
    expect(await remove()).toEqual({ count: 1, files: [], isMore: true });
    expect(await countSteps()).toBe(4);
    expect(await remove()).toEqual({ count: 0, files: [], isMore: true });
    expect(await countSteps()).toBe(1);
    expect(await remove()).toEqual({ count: 2, files: [], isMore: false });
    expect(await countSteps()).toBe(0);
  });

  it('forgets the names of drivers that no event has any more', async () => {
    const of = { archiveNumber: 52, ...agedDays(40) };
    const drivers = ['Bo', 'Chen', 'Li', 'Wang'];
    await database.db.deleteFrom('event_driver').execute();
    await add(...drivers.map((driver) => ({ ...of, driver })));
    await database.db
      .deleteFrom('event')
      .where('archive_number', '=', 52)
      .where('driver', 'in', ['Bo', 'Li'])
      .execute();
    expect(await stores.eventRemoval.removeDrivers('', 2)).toBe('Chen');
    expect(await stores.eventRemoval.removeDrivers('Chen', 2)).toBe('Wang');
    expect(await stores.eventRemoval.removeDrivers('Wang', 2)).toBeUndefined();
    const left = await database.db.selectFrom('event_driver').select('name').orderBy('name').execute();
    expect(left.map(({ name }) => name)).toEqual(['Chen', 'Wang']);
  });

  it('finds the archives of deleted devices that nobody takes over', async () => {
    const device = await stores.devices.insert({ deviceId: 'GONE', name: 'g', chn: 1 });
    const other = await stores.devices.insert({ deviceId: 'HERE', name: 'h', chn: 1 });
    await add(
      { archiveNumber: device.archiveNumber, endAtMs: NOW_MS },
      { archiveNumber: other.archiveNumber, endAtMs: NOW_MS },
    );
    expect(await stores.eventRemoval.abandoned(10)).toEqual([]);
    await remove(stores, 'GONE', true);
    expect(await stores.eventRemoval.abandoned(10)).toEqual([device.archiveNumber]);
  });

  it('removes the counts of old days in parts', async () => {
    const day = (number: number) => ({ archiveNumber: 1, type: 'speeding', day: number, count: 1, seconds: 1 });
    const days = [20_250_101, 20_250_102, 20_261_123].map(day);
    await stores.eventLog.write({ added: [], changed: [], days });
    expect(await stores.eventRemoval.removeDays(20_260_101, 1)).toBe(1);
    expect(await stores.eventRemoval.removeDays(20_260_101, 5)).toBe(1);
    expect(await stores.eventRemoval.removeDays(20_260_101, 5)).toBe(0);
    const rest = await database.db.selectFrom('event_day').select('day').execute();
    expect(rest).toEqual([{ day: 20_261_123 }]);
  });

  it('has a month of its own for each event on PostgreSQL, and drops one that is empty and over', async () => {
    const { eventMonths } = stores;
    const months = engine === 'postgres' ? 3 : 0;
    expect(await eventMonths.addMonths(NOW_MS, 2)).toBe(months);
    expect(await eventMonths.addMonths(NOW_MS, 2)).toBe(months);
    await add({ archiveNumber: 60, beginAtMs: NOW_MS, endAtMs: NOW_MS });
    if (engine === 'postgres') {
      const { rows } = await sql<{ count: number }>`select count(*)::int as count from event_month_2026_11`.execute(
        database.db,
      );
      expect(rows[0]?.count).toBeGreaterThan(0);
    }
    await eventMonths.dropEmpty(Date.UTC(2027, 0, 15));
    // November has events, January is not over.
    expect(await eventMonths.addMonths(NOW_MS, 0)).toBe(engine === 'postgres' ? 2 : 0);
    expect(await left(60)).toHaveLength(1);
  });
});

describe('archive numbers', () => {
  it('pass on to a later device of the same owners, and to no other', async () => {
    const database = await openTestDatabase('sqlite');
    const stores = createStores(database.db);
    const group = await stores.deviceGroups.insert('North');
    const owners = await stores.memberGroups.insert({ name: 'Depot' });
    await stores.memberGroups.setDeviceGroups(owners, [group]);
    const first = await stores.devices.insert({ deviceId: 'BUS', name: 'b', chn: 1, deviceGroup: group });
    expect(first.archiveNumber).toBe(first.incarnation);
    await remove(stores, 'BUS', false);
    const again = await stores.devices.insert({ deviceId: 'BUS', name: 'b', chn: 1, deviceGroup: group });
    expect(again.incarnation).not.toBe(first.incarnation);
    expect(again.archiveNumber).toBe(first.archiveNumber);
    await remove(stores, 'BUS', true);
    const other = await stores.devices.insert({ deviceId: 'BUS', name: 'b', chn: 1, deviceGroup: group });
    expect(other.archiveNumber).toBe(other.incarnation);
    await database.close();
  });
});

async function remove({ deviceRecords }: Stores, deviceId: string, recordings: boolean): Promise<void> {
  const answer = await deviceRecords.remove({ deviceId, version: 1 }, { recordings, at: wallMs(NOW_MS) });
  expect(answer.ok).toBe(true);
}
