import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Segment } from '../../../../server/store/recordings/segments.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import type { ListedRecording } from '../../../../server/store/sync/deviceRecordings.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { aSyncItem, aSyncRule } from '../../../support/sync/syncRecords.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';

const FIRST = { at: 'offset', offset: 0 } as const;
const DAY_MS = 86_400_000;

describeOnBothEngines('data sync in the database', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  let depot = 0;
  let elsewhere = 0;
  let bus = 0;
  let truck = 0;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db);
    const [near, far] = [await stores.deviceGroups.insert('North'), await stores.deviceGroups.insert('South')];
    [depot, elsewhere] = [
      await stores.memberGroups.insert({ name: 'Depot' }),
      await stores.memberGroups.insert({ name: 'Elsewhere' }),
    ];
    await stores.memberGroups.setDeviceGroups(depot, [near]);
    await stores.memberGroups.setDeviceGroups(elsewhere, [far]);
    const add = (deviceId: string, deviceGroup: number) =>
      stores.devices.insert({ deviceId, name: deviceId, chn: 2, deviceGroup });
    [bus, truck] = [(await add('BUS1', near)).incarnation, (await add('TRUCK1', far)).incarnation];
  });
  afterEach(async () => {
    for (const table of ['sync_item', 'sync_rule', 'device_recording', 'device_listing'] as const) {
      await database.db.deleteFrom(table).execute();
    }
  });
  afterAll(() => database.close());

  const addRule = async (change: Parameters<typeof aSyncRule>[0] = {}, memberGroup = depot) => {
    const added = await stores.syncRules.insert({ memberGroup }, { content: aSyncRule(change), by: 'Ann', atMs: 7 });
    if (!added.ok) throw new Error(added.reason);
    return added.value;
  };
  const add = async (change: Parameters<typeof aSyncItem>[1] = {}, incarnation = bus) =>
    (await stores.syncItems.add([aSyncItem(incarnation, change)], 10))[0] ?? 0;

  it('keeps rules as they were sent, each in its member group', async () => {
    const rule = await addRule({ priority: 2, hours: [{ days: [1], fromMinute: 60, toMinute: 120 }] });
    expect(await stores.syncRules.find(rule.id, { memberGroup: depot })).toEqual(rule);
    expect(rule.content).toEqual(aSyncRule({ priority: 2, hours: [{ days: [1], fromMinute: 60, toMinute: 120 }] }));
    expect(await stores.syncRules.find(rule.id, { memberGroup: elsewhere })).toBeUndefined();
    await addRule({ name: 'another', priority: 1 });
    const query = {
      memberGroup: depot,
      search: '',
      sort: 'priority',
      descending: false,
      limit: 10,
      position: FIRST,
    } as const;
    const page = await stores.syncRules.page(query);
    expect(page?.rows.map(({ content }) => content.name)).toEqual(['another', 'Everything']);
    expect((await stores.syncRules.page({ ...query, search: 'ANOTH' }))?.rows).toHaveLength(1);
    expect((await stores.syncRules.page({ ...query, memberGroup: elsewhere }))?.rows).toEqual([]);
  });

  it('changes and deletes the version of a rule that was looked at', async () => {
    const { id } = await addRule();
    const change = { content: aSyncRule({ name: 'Other' }), by: 'Bob', atMs: 8 };
    const named = { id, memberGroup: depot, version: 1 };
    expect(await stores.syncRules.update(named, change)).toMatchObject({ ok: true, value: { after: { version: 2 } } });
    expect(await stores.syncRules.update(named, change)).toEqual({ ok: false, reason: 'conflict' });
    expect(await stores.syncRules.remove(named)).toEqual({ ok: false, reason: 'conflict' });
    expect(await stores.syncRules.remove({ ...named, memberGroup: elsewhere })).toEqual({ ok: false, reason: 'gone' });
    expect(await stores.syncRules.remove({ ...named, version: 2 })).toMatchObject({ ok: true });
  });

  it('gives the items of a device in their order, and none that is paused or under way', async () => {
    const rule = await addRule();
    const [third, first, second] = [
      await add({ position: 9 }),
      await add({ position: 2, rule: rule.id, memberGroup: depot }),
      await add({ position: 5 }),
    ];
    await add({ position: 1 }, truck);
    const next = async () => (await stores.syncItems.next(bus, 10)).map(({ id }) => id);
    expect(await next()).toEqual([first, second, third]);
    await stores.syncItems.change(first, { state: 'running' }, 11);
    await stores.syncItems.change(second, { state: 'paused' }, 11);
    await stores.syncItems.change(third, { state: 'waiting', wait: 'retry', attempts: 1, nextAtMs: 99 }, 11);
    expect(await next()).toEqual([third]);
    expect(await stores.syncItems.find(third)).toMatchObject({
      wait: 'retry',
      attempts: 1,
      nextAtMs: 99,
      changedAtMs: 11,
    });
    await stores.syncItems.restart(12);
    expect(await next()).toEqual([first, third]);
    expect(new Set(await stores.syncItems.devicesWithOpen())).toEqual(new Set([bus, truck]));
  });

  it('changes nothing of an item that has ended', async () => {
    const id = await add();
    expect(await stores.syncItems.change(id, { state: 'canceled' }, 11)).toBe(true);
    expect(await stores.syncItems.change(id, { state: 'done' }, 12)).toBe(false);
    expect(await stores.syncItems.find(id)).toMatchObject({ state: 'canceled', changedAtMs: 11 });
  });

  it('changes an item only from the states that it is changed from', async () => {
    const id = await add();
    await stores.syncItems.change(id, { state: 'paused' }, 11);
    expect(await stores.syncItems.change(id, { state: 'running' }, 12, ['requested', 'checking'])).toBe(false);
    expect(await stores.syncItems.find(id)).toMatchObject({ state: 'paused', changedAtMs: 11 });
    expect(await stores.syncItems.change(id, { state: 'planned' }, 13, ['planned', 'paused'])).toBe(true);
    expect(await stores.syncItems.find(id)).toMatchObject({ state: 'planned', changedAtMs: 13 });
  });

  it('drops what a rule has planned, and keeps what has come or was asked for', async () => {
    const rule = await addRule();
    const of = { rule: rule.id, memberGroup: depot };
    const [planned, begun, asked, done] = [
      await add(of),
      await add(of),
      await add(),
      await add({ ...of, state: 'done' }),
    ];
    await stores.syncItems.change(begun, { receivedBytes: 5 }, 11);
    expect(await stores.syncItems.dropPlanned(rule.id)).toBe(1);
    expect(await stores.syncItems.find(planned)).toBeUndefined();
    for (const id of [begun, asked, done]) expect(await stores.syncItems.find(id)).toBeDefined();
    expect(await stores.syncItemPages.countOpen([rule.id])).toEqual(new Map([[rule.id, 1]]));
  });

  it('brings forward what is asked for, and frees it of its rule', async () => {
    const rule = await addRule();
    const ofRule = { rule: rule.id, memberGroup: depot, requestedBy: '', position: 900 };
    const span = { fromMs: 5_000, toMs: 6_000 };
    const asked = await add({ ...ofRule, ...span });
    const under = await add({ ...ofRule, ...span, position: 20, state: 'running' });
    const event = await add({ ...span, eventId: 7, requestedBy: '', position: 800 });
    const kept = [
      await add({ ...ofRule, ...span, channel: 2 }),
      await add({ ...ofRule, fromMs: 6_000, toMs: 7_000 }),
      await add({ ...ofRule, ...span, state: 'canceled' }),
      await add({ ...ofRule, ...span }, truck),
    ];
    const asker = { memberGroup: elsewhere, requestedBy: 'mei', position: 50 };
    const open = { incarnation: bus, channels: [1], fromMs: 5_500, toMs: 5_600 };
    expect(await stores.syncItems.bringForward(open, asker, 12)).toBe(2);
    const own = { rule: undefined, memberGroup: elsewhere, requestedBy: 'mei', changedAtMs: 12 };
    expect(await stores.syncItems.find(asked)).toMatchObject({ ...own, position: 50, state: 'planned' });
    expect(await stores.syncItems.find(under)).toMatchObject({ ...own, position: 20, state: 'running' });
    expect(await stores.syncItems.find(event)).toMatchObject({ eventId: 7, requestedBy: '', position: 50 });
    for (const id of kept) expect(await stores.syncItems.find(id)).toMatchObject({ rule: rule.id, position: 900 });
    expect(await stores.syncItems.bringForward({ ...open, channels: [3] }, asker, 13)).toBe(0);
  });

  it('adds up what a rule receives from a device in a day, and forgets the days before', async () => {
    const [rule, other] = [await addRule(), await addRule({ name: 'other' })];
    const note = (dayMs: number, bytes: number, to = rule.id, incarnation = bus) =>
      stores.syncItems.noteReceived({ rule: to, incarnation, dayMs, bytes });
    const received = (dayMs: number, of = rule.id, incarnation = bus) =>
      stores.syncItems.receivedSince(of, incarnation, dayMs);
    await note(0, 5_000_000_000);
    await note(0, 6);
    await note(0, 7, other.id);
    await note(0, 8, rule.id, truck);
    expect(await Promise.all([received(0), received(0, other.id), received(0, rule.id, truck)])).toEqual([
      5_000_000_006, 7, 8,
    ]);
    expect(await received(DAY_MS)).toBe(0);
    await note(DAY_MS, 9);
    expect([await received(DAY_MS), await received(0)]).toEqual([9, 0]);
    await stores.syncRules.remove({ id: other.id, memberGroup: depot, version: 1 });
    await note(DAY_MS, 10, other.id);
    expect(await received(DAY_MS, other.id)).toBe(0);
  });

  it('forgets ended items after their time, and open ones never', async () => {
    const [open, old, fresh] = [await add(), await add({ state: 'lost' }), await add()];
    await stores.syncItems.change(fresh, { state: 'done' }, 50);
    await stores.syncItems.removeEnded(50);
    expect(await stores.syncItems.find(old)).toBeUndefined();
    for (const id of [open, fresh]) expect(await stores.syncItems.find(id)).toBeDefined();
    const rule = await addRule();
    const ofRule = await add({ rule: rule.id, memberGroup: depot, state: 'done' });
    await stores.syncItems.removeEnded(51, [rule.id]);
    expect(await stores.syncItems.find(fresh)).toBeUndefined();
    expect(await stores.syncItems.find(ofRule)).toBeDefined();
    await stores.syncItems.removeEndedOf(rule.id, 51);
    expect(await stores.syncItems.find(ofRule)).toBeUndefined();
  });

  it('knows what a rule has fetched, by its items', async () => {
    const rule = await addRule();
    const { archiveId } = (await stores.devices.findByDeviceId('BUS1')) ?? { archiveId: '' };
    const segment = (startMs: number, change: Partial<Segment> = {}): Segment => {
      const times = { startMs: wallMs(startMs), endMs: wallMs(startMs + 60_000) };
      const device = { deviceStartMs: wallMs(0), deviceEndMs: wallMs(0) };
      return {
        archiveId,
        channel: 1,
        quality: 'main',
        bytes: 1,
        groupCount: 1,
        origin: 'fetched',
        ...times,
        ...device,
        ...change,
      };
    };
    const ended = async (change: Parameters<typeof aSyncItem>[1], atMs = 50) => {
      const id = await add({ rule: rule.id, memberGroup: depot, ...change });
      await stores.syncItems.change(id, { state: 'done', receivedBytes: 5 }, atMs);
    };
    const [from, to] = [1_000_000, 1_600_000];
    await ended({ fromMs: from, toMs: to });
    await ended({ fromMs: to, toMs: to + 600_000 }, 60);
    await ended({ fromMs: from + 120_000, toMs: from + 180_000, rule: undefined, requestedBy: 'ann' });
    await stores.segments.add([
      segment(from - 20_000),
      segment(from + 60_000, { origin: 'live' }),
      segment(from + 120_000),
      segment(from + 180_000, { channel: 2 }),
      segment(from + 240_000),
      segment(to),
    ]);
    const found = async (endedBeforeMs: number, limit = 10, afterId = 0) =>
      await stores.fetchedSegments.ofRule({ rule: rule.id, endedBeforeMs, afterId, limit });
    const starts = (segments: readonly Segment[]) => segments.map(({ startMs }) => startMs - from);
    expect(starts(await found(50))).toEqual([]);
    expect(starts(await found(51))).toEqual([-20_000, 240_000]);
    expect(starts(await found(61))).toEqual([-20_000, 240_000, 600_000]);
    const [first] = await found(61, 1);
    expect(starts(await found(61, 1, first?.id))).toEqual([240_000]);
    await database.db.deleteFrom('segment').execute();
    await database.db.deleteFrom('recorded_range').execute();
  });

  it('says which span an item takes, whatever became of it', async () => {
    await add({ channel: 2, fromMs: 100, toMs: 200, state: 'done' });
    await add({ channel: 1, fromMs: 200, toMs: 300 });
    const taken = await stores.syncItems.taken(bus, { fromMs: 150, toMs: 250 });
    expect(taken.map(({ channel, state }) => [channel, state])).toEqual([
      [1, 'planned'],
      [2, 'done'],
    ]);
    expect(await stores.syncItems.taken(bus, { fromMs: 300, toMs: 400 })).toEqual([]);
  });

  it('remembers what a device has recorded, and marks as gone what it had', async () => {
    const file = (fromMs: number, change: Partial<ListedRecording> = {}): ListedRecording => {
      return { channel: 1, fromMs, toMs: fromMs + 10, stream: 'main', alarms: '0'.repeat(16), bytes: 1, ...change };
    };
    const window = { incarnation: bus, channel: 1, fromMs: 0, toMs: 100 };
    await stores.listedRecordings.replace(window, [file(10), file(20), file(20, { stream: 'sub' })]);
    await stores.listedRecordings.replace({ ...window, fromMs: 100, toMs: 200 }, [file(150)]);
    await stores.listedRecordings.replace(window, [file(20, { toMs: 40, bytes: 3 }), file(30)]);
    const all = await stores.listedRecordings.within(bus, { fromMs: 0, toMs: 1_000 });
    expect(all.map(({ fromMs, toMs, stream, isGone }) => [fromMs, toMs, stream, isGone])).toEqual([
      [10, 20, 'main', true],
      [20, 40, 'main', false],
      [20, 30, 'sub', true],
      [30, 40, 'main', false],
      [150, 160, 'main', false],
    ]);
    await stores.listedRecordings.replace(window, [file(10)]);
    expect((await stores.listedRecordings.within(bus, { fromMs: 0, toMs: 15 }))[0]?.isGone).toBe(false);
    await stores.listedRecordings.removeBefore(50);
    expect(await stores.listedRecordings.within(bus, { fromMs: 0, toMs: 100 })).toEqual([]);
  });

  it('knows the days of which a device has recordings still', async () => {
    const list = async (starts: readonly number[]) => {
      const times = starts.map((fromMs) => ({ fromMs, toMs: fromMs + 10 }));
      const same = { channel: 1, stream: 'main', alarms: '0'.repeat(16), bytes: 1 } as const;
      const window = { incarnation: bus, channel: 1, fromMs: 0, toMs: 9 * DAY_MS };
      await stores.listedRecordings.replace(
        window,
        times.map((each) => ({ ...same, ...each })),
      );
    };
    await list([5, DAY_MS - 1, DAY_MS, 3 * DAY_MS + 7, 3 * DAY_MS + 8, 5 * DAY_MS]);
    const days = async () => stores.listedRecordings.daysBefore(bus, 5 * DAY_MS);
    expect(await days()).toEqual([0, DAY_MS, 3 * DAY_MS]);
    await list([DAY_MS - 1, 3 * DAY_MS + 8]);
    expect(await days()).toEqual([0, 3 * DAY_MS]);
  });

  it('takes no recording that is longer than a day', async () => {
    const long = { channel: 1, fromMs: 5, toMs: 6 + DAY_MS, stream: 'main', alarms: '0', bytes: 1 } as const;
    await stores.listedRecordings.replace({ incarnation: bus, channel: 1, fromMs: 0, toMs: 100 }, [long]);
    expect(await stores.listedRecordings.within(bus, { fromMs: 0, toMs: 1_000 })).toEqual([]);
  });

  it('knows when a device listed last, and nothing of devices that are gone', async () => {
    expect(await stores.listedRecordings.listedAtMs(bus)).toBe(0);
    await stores.listedRecordings.setListed(bus, 5);
    await stores.listedRecordings.setListed(bus, 6);
    await stores.listedRecordings.setListed(999_999, 6);
    expect(await stores.listedRecordings.listings()).toEqual(new Map([[bus, 6]]));
    expect(await stores.syncItems.add([aSyncItem(999_999)], 1)).toEqual([]);
  });

  it('gives devices with their groups, and events of a device', async () => {
    const { devices, owners } = await stores.syncSources.places();
    expect(devices.map(({ deviceId }) => deviceId).toSorted()).toEqual(['BUS1', 'TRUCK1']);
    const group = devices.find(({ deviceId }) => deviceId === 'BUS1')?.deviceGroup ?? 0;
    expect(owners.get(group)).toEqual(new Set([depot]));
    const query = { archiveNumber: 1, types: ['sos'], fromMs: 0, toMs: 10, limit: 5 };
    expect(await stores.syncSources.events(query)).toEqual([]);
  });
});
