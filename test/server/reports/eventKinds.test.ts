import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { NewEvent } from '../../../server/store/events/eventLog.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { anEvent } from '../store/events/anEvent.ts';
import { describeOnBothEngines } from '../store/testDatabase.ts';
import { DAY_END_MS, DAY_MS, HOUR_MS, MINUTE_MS, NOW_MS, openReportScene, type ReportScene } from './reportScene.ts';

describeOnBothEngines('reports of events, recordings and acts, against numbers worked out by hand', (engine) => {
  let scene: ReportScene;
  beforeAll(async () => {
    scene = await openReportScene(engine);
  });
  afterEach(async () => {
    for (const table of TABLES) await scene.database.db.deleteFrom(table).execute();
  });
  afterAll(() => scene.database.close());

  const addEvents = (...events: readonly Partial<NewEvent>[]) =>
    scene.stores.eventLog.write({
      added: events.map((event) => anEvent({ archiveNumber: scene.bus1.archiveNumber, beginAtMs: DAY_MS, ...event })),
      changed: [],
      days: [],
      messages: [],
    });

  it('speeding: how fast and how long, above the thresholds', async () => {
    const place = { latitude: 1, longitude: 2, speedKmh: 90, headingDeg: 0 };
    await addEvents(
      { driver: 'Ann', place, value: 95.5, limit: 80, endAtMs: DAY_MS + 5 * MINUTE_MS },
      { type: 'area-speeding', beginAtMs: DAY_MS + HOUR_MS, place, value: undefined, endAtMs: 0 },
      { beginAtMs: DAY_END_MS, place },
      { type: 'fatigue', place },
      { archiveNumber: scene.taxi.archiveNumber, place },
    );
    const rows = await scene.report('speeding');
    expect(rows).toEqual([
      {
        device: 'BUS1',
        driver: 'Ann',
        start: DAY_MS,
        end: DAY_MS + 5 * MINUTE_MS,
        duration: 5 * MINUTE_MS,
        speed: 95.5,
        limit: 80,
        place: 'place 1 2',
      },
      expect.objectContaining({ end: null, duration: NOW_MS - DAY_MS - HOUR_MS, speed: 90, limit: null }),
    ]);
    expect(await scene.report('speeding', { speedKmh: 95 })).toHaveLength(1);
    expect(await scene.report('speeding', { leastMinutes: 6 })).toHaveLength(1);
  });

  it('video loss by channel, and faults of storages', async () => {
    await addEvents(
      { type: 'video-loss', unit: 2, endAtMs: DAY_MS + HOUR_MS },
      { type: 'storage-fault', unit: 1, endAtMs: DAY_MS + MINUTE_MS },
    );
    const lasted = { device: 'BUS1', start: DAY_MS };
    expect(await scene.report('video-loss')).toEqual([
      { ...lasted, channel: 2, end: DAY_MS + HOUR_MS, duration: HOUR_MS },
    ]);
    expect(await scene.report('storage-faults')).toEqual([
      { ...lasted, storage: 1, end: DAY_MS + MINUTE_MS, duration: MINUTE_MS },
    ]);
  });

  it('events by type, group and day', async () => {
    const { bus1, bus2, taxi } = scene;
    const day = (archive_number: number, type: string, count: number) => ({
      archive_number,
      type,
      count,
      day: 20261025,
      seconds: count * 10,
    });
    const days = [
      day(bus1.archiveNumber, 'speeding', 3),
      day(bus2.archiveNumber, 'speeding', 4),
      day(bus2.archiveNumber, 'fatigue', 1),
      day(taxi.archiveNumber, 'speeding', 50),
      { ...day(bus1.archiveNumber, 'speeding', 60), day: 20261026 },
    ];
    await scene.database.db.insertInto('event_day').values(days).execute();
    const row = { day: '2026-10-25', group: 'North' };
    expect(await scene.report('event-matrix')).toEqual([
      { ...row, eventType: 'fatigue', events: 1, duration: 10_000 },
      { ...row, eventType: 'speeding', events: 7, duration: 70_000 },
    ]);
    expect(await scene.report('event-matrix', { eventTypes: ['fatigue'] })).toHaveLength(1);
  });

  it('response times: whoever was first, to acknowledge and to close', async () => {
    const { stores, memberGroup } = scene;
    const user = (username: string) =>
      stores.users.insert({ username, passwordHash: '', permissions: [] }, wallMs(DAY_MS));
    const [ann, bob] = [await user('Ann'), await user('Bob')];
    const [first = 0, second = 0] = await addEvents({ isLate: false }, { isLate: false });
    const act = async (event: number, act: 'acknowledge' | 'close', userId: number, minutes: number) => {
      const { version } = (await stores.eventList.find(event, { memberGroup, seesGateway: false }))?.event ?? {
        version: 0,
      };
      const by = { userId, username: userId === ann ? 'Ann' : 'Bob' };
      const acts = { act, events: [{ id: event, version }], by, note: '', atMs: DAY_MS + minutes * MINUTE_MS };
      const reason = act === 'close' ? { code: 'done', isFalseAlarm: false } : undefined;
      await stores.eventActs.act({ ...acts, reason }, { memberGroup, seesGateway: false }, () => ({
        actor: by.username,
        action: 'event.acknowledge',
      }));
    };
    await act(first, 'acknowledge', ann, 2);
    await act(second, 'acknowledge', ann, 4);
    await act(first, 'close', bob, 30);
    expect(await scene.report('response-times')).toEqual([
      {
        member: 'Ann',
        acknowledged: 2,
        acknowledgeMean: 3 * MINUTE_MS,
        acknowledgeMax: 4 * MINUTE_MS,
        closed: 0,
        closeMean: null,
        closeMax: null,
      },
      {
        member: 'Bob',
        acknowledged: 0,
        acknowledgeMean: null,
        acknowledgeMax: null,
        closed: 1,
        closeMean: 30 * MINUTE_MS,
        closeMax: 30 * MINUTE_MS,
      },
    ]);
    expect(await scene.report('response-times', { members: [bob] })).toHaveLength(1);
    expect(await scene.report('response-times', {}, scene.otherGroup)).toEqual([]);
  });

  it('S-2.4.9 recording coverage: due by schedule and ignition, what was recorded of it, what a data plan withheld, and the gaps', async () => {
    const { bus1, database } = scene;
    const policy = { device_id: 'BUS1', quality: 'main', retention_days: 0 };
    const hours = [{ days: [7], fromMinute: 8 * 60, toMinute: 12 * 60 }];
    const policies = [
      { ...policy, channel: 1, mode: 'always', schedule: JSON.stringify(hours) },
      { ...policy, channel: 2, mode: 'ignition', schedule: '[]' },
    ];
    await database.db.insertInto('recording_policy').values(policies).execute();
    await database.db.updateTable('device').set({ time_zone: 'Europe/Berlin' }).execute();
    // The clock was put back at 3: eight o'clock is nine hours after midnight.
    const eightMs = DAY_MS + 9 * HOUR_MS;
    const range = (channel: number, fromMs: number, toMs: number) => ({
      archive_id: bus1.archiveId,
      channel,
      from_ms: fromMs,
      to_ms: toMs,
    });
    const ranges = [
      range(1, eightMs - HOUR_MS, eightMs + HOUR_MS),
      range(1, eightMs + 2 * HOUR_MS, eightMs + 4 * HOUR_MS),
      range(2, eightMs, eightMs + 2 * MINUTE_MS),
    ];
    await database.db.insertInto('recorded_range').values(ranges).execute();
    const position = (minutes: number, isOn: boolean) => ({
      incarnation: bus1.incarnation,
      device_time_ms: eightMs + minutes * MINUTE_MS,
      received_at_ms: eightMs + minutes * MINUTE_MS,
      latitude: 0,
      longitude: 0,
      altitude_m: 0,
      speed_kmh: 0,
      heading_deg: 0,
      alarm_bits: 0,
      status_bits: isOn ? 3 : 2,
      extra: '{}',
    });
    const positions = [
      position(0, true),
      position(4, true),
      position(8, false),
      position(20, true),
      position(60, true),
    ];
    await database.db.insertInto('position').values(positions).execute();
    const withheld = (from: number, to: number, isAll: number) => ({
      incarnation: bus1.incarnation,
      from_ms: eightMs + from * MINUTE_MS,
      to_ms: eightMs + to * MINUTE_MS,
      is_all: isAll,
    });
    // The first began while it was still recorded.
    await database.db
      .insertInto('netflow_withheld')
      .values([withheld(50, 75, 1), withheld(75, 90, 0)])
      .execute();
    const rows = await scene.report('recording-coverage');
    const total = { device: 'BUS1', entry: 'total', day: '2026-10-25', start: DAY_MS, end: DAY_END_MS, duration: null };
    const gap = { device: 'BUS1', entry: 'gap', day: '2026-10-25', due: null, recorded: null, share: null };
    const none = { withheld: null };
    expect(rows).toEqual([
      { ...total, channel: 1, due: 4 * HOUR_MS, recorded: 3 * HOUR_MS, share: 0.75, withheld: HOUR_MS / 2 },
      {
        ...gap,
        ...none,
        channel: 1,
        start: eightMs + 1.5 * HOUR_MS,
        end: eightMs + 2 * HOUR_MS,
        duration: HOUR_MS / 2,
      },
      { ...total, channel: 2, due: 8 * MINUTE_MS, recorded: 2 * MINUTE_MS, share: 0.25, withheld: 0 },
      {
        ...gap,
        ...none,
        channel: 2,
        start: eightMs + 2 * MINUTE_MS,
        end: eightMs + 8 * MINUTE_MS,
        duration: 6 * MINUTE_MS,
      },
    ]);
  });

  it('commands sent, by whom and what became of them', async () => {
    const order = {
      token: 'a',
      incarnation: scene.bus1.incarnation,
      message: 'text',
      body: '{}',
      requested_by: null,
      requested_by_name: 'Ann',
      reason: '',
      reference: null,
      state: 'done',
      result: 0,
      created_at_ms: DAY_MS,
      expires_at_ms: DAY_END_MS,
      sent_at_ms: DAY_MS + 1,
      finished_at_ms: 0,
      sent_serial: null,
      answer_id: null,
    };
    const taxis = { ...order, token: 'b', incarnation: scene.taxi.incarnation };
    await scene.database.db.insertInto('device_order').values([order, taxis]).execute();
    expect(await scene.report('commands')).toEqual([
      {
        device: 'BUS1',
        command: 'text',
        requestedBy: 'Ann',
        created: DAY_MS,
        sent: DAY_MS + 1,
        finished: null,
        orderState: 'done',
        result: 0,
      },
    ]);
  });

  it('the audit log of the period, in its order', async () => {
    const add = (actor: string, atMs: number) =>
      scene.stores.audit.add({ actor, action: 'device.add', target: 'BUS1', address: '::1' }, wallMs(atMs));
    await add('Ann', DAY_END_MS - 1);
    await add('Bob', DAY_MS);
    await add('Bob', DAY_END_MS);
    expect(await scene.report('audit')).toEqual([
      { at: DAY_MS, member: 'Bob', action: 'device.add', target: 'BUS1', address: '::1' },
      expect.objectContaining({ at: DAY_END_MS - 1, member: 'Ann' }),
    ]);
  });
});

const TABLES = [
  'event',
  'event_day',
  'event_step',
  'audit',
  'device_order',
  'recording_policy',
  'recorded_range',
  'position',
] as const;
