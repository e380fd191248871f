import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createStores } from '../../../server/store/stores.ts';
import { FIRMWARE_DEVICE_STATES, type FirmwareDeviceState } from '../../../shared/protocol/firmware/firmwareWords.ts';
import { NETFLOW_KINDS, type NetflowKind } from '../../../shared/protocol/netflow/netflowWords.ts';
import { SYNC_ENDED_STATES, SYNC_ITEM_STATES, type SyncItemState } from '../../../shared/protocol/sync/syncWords.ts';
import { describeOnBothEngines } from '../store/testDatabase.ts';
import { DAY_END_MS, DAY_MS, HOUR_MS, MINUTE_MS, openReportScene, type ReportScene } from './reportScene.ts';

const NOTHING_USED = {
  usedForSignalling: 0,
  usedForPositions: 0,
  usedForLive: 0,
  usedForRecording: 0,
  usedForPlayback: 0,
  usedForTalk: 0,
  usedForAttachments: 0,
  usedForSync: 0,
  usedForFirmware: 0,
};
const TABLES = [
  'netflow_device_month',
  'netflow_hour',
  'netflow_day',
  'device_sim',
  'sim_plan',
  'sync_item',
  'sync_rule',
] as const;
const FIRMWARE_TABLES = ['firmware_step', 'firmware_device', 'firmware_task', 'firmware_image'] as const;

describeOnBothEngines('reports of data usage, firmware and data sync, against numbers worked out by hand', (engine) => {
  let scene: ReportScene;
  beforeAll(async () => {
    scene = await openReportScene(engine);
    const zones = [
      ['BUS1', 'Europe/Berlin'],
      ['BUS2', 'Asia/Tokyo'],
      ['TAXI', 'Europe/Berlin'],
    ] as const;
    for (const [deviceId, time_zone] of zones) {
      await scene.database.db.updateTable('device').set({ time_zone }).where('device_id', '=', deviceId).execute();
    }
  });
  afterEach(async () => {
    for (const table of [...TABLES, ...FIRMWARE_TABLES]) await scene.database.db.deleteFrom(table).execute();
  });
  afterAll(() => scene.database.close());

  const use = (kind: NetflowKind, received_bytes: number, sent_bytes = 0) => ({
    kind: NETFLOW_KINDS.indexOf(kind),
    received_bytes,
    sent_bytes,
  });

  const writeHours = (rows: readonly ({ incarnation: number; hour_ms: number } & ReturnType<typeof use>)[]) =>
    createStores(scene.database.db).netflowUse.write(
      rows.map(({ incarnation, hour_ms, kind, received_bytes, sent_bytes }) => ({
        ...{ incarnation, hourMs: hour_ms },
        received: NETFLOW_KINDS.map((_, at) => (at === kind ? received_bytes : 0)),
        sent: NETFLOW_KINDS.map((_, at) => (at === kind ? sent_bytes : 0)),
      })),
      [],
    );

  async function addPlan(incarnation: number, megabytes: number) {
    const { id } = await scene.database.db
      .insertInto('sim_plan')
      .values({
        member_group: scene.memberGroup,
        name: 'Small',
        name_key: 'small',
        megabytes,
        reset_day: 1,
        time_zone: 'Europe/Berlin',
        price: '',
        action: 'none',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await scene.database.db.insertInto('device_sim').values({ incarnation, plan: id }).execute();
  }

  it('data usage: the days of the device, with what the network adds, and the share of its plan', async () => {
    const { bus1, bus2, taxi } = scene;
    await addPlan(bus1.incarnation, 100);
    await writeHours([
      { incarnation: bus1.incarnation, hour_ms: DAY_MS - HOUR_MS, ...use('live', 99_000_000) },
      { incarnation: bus1.incarnation, hour_ms: DAY_MS, ...use('signalling', 1_000_000, 500_000) },
      // The 25th hour of a day on which the clocks change.
      { incarnation: bus1.incarnation, hour_ms: DAY_MS + 24 * HOUR_MS, ...use('live', 10_000_000) },
      { incarnation: bus1.incarnation, hour_ms: DAY_END_MS, ...use('live', 77_000_000) },
      // Tokyo's 25 October begins seven hours before Berlin's, and has 24 hours.
      { incarnation: bus2.incarnation, hour_ms: DAY_MS - 8 * HOUR_MS, ...use('sync', 1_000_000) },
      { incarnation: bus2.incarnation, hour_ms: DAY_MS - 7 * HOUR_MS, ...use('sync', 2_000_000) },
      { incarnation: bus2.incarnation, hour_ms: DAY_MS + 17 * HOUR_MS, ...use('sync', 4_000_000) },
      { incarnation: taxi.incarnation, hour_ms: DAY_MS, ...use('talk', 0, 1_000_000) },
    ]);
    const day = '2026-10-25';
    const rows = await scene.report('netflow');
    expect(rows).toEqual([
      {
        ...NOTHING_USED,
        device: 'BUS1',
        day,
        usedForSignalling: 1_560_000,
        usedForLive: 10_400_000,
        usedInAll: 11_960_000,
        planShare: expect.closeTo(0.1196, 10),
      },
      { ...NOTHING_USED, device: 'BUS2', day, usedForSync: 2_080_000, usedInAll: 2_080_000, planShare: null },
    ]);
    expect(await scene.report('netflow', {}, scene.otherGroup)).toEqual([
      { ...NOTHING_USED, device: 'TAXI', day, usedForTalk: 1_040_000, usedInAll: 1_040_000, planShare: null },
    ]);
  });

  it('data usage of hours is added to what their days have already, and other days are left out', async () => {
    const { bus2, database } = scene;
    const { incarnation } = bus2;
    await database.db
      .insertInto('netflow_day')
      .values([
        { incarnation, day: 20261023, ...use('sync', 9_000_000) },
        { incarnation, day: 20261024, ...use('position', 1_000_000) },
        { incarnation, day: 20261025, ...use('sync', 1_000_000, 2_000_000) },
        { incarnation, day: 20261027, ...use('sync', 9_000_000) },
      ])
      .execute();
    await writeHours([
      { incarnation, hour_ms: DAY_MS, ...use('sync', 2_000_000) },
      { incarnation, hour_ms: DAY_END_MS, ...use('firmware', 500_000) },
    ]);
    const rows = await scene.report('netflow', { fromMs: DAY_MS - 24 * HOUR_MS, toMs: DAY_END_MS + HOUR_MS });
    const used = { ...NOTHING_USED, device: 'BUS2', planShare: null };
    expect(rows).toEqual([
      { ...used, day: '2026-10-24', usedForPositions: 1_040_000, usedInAll: 1_040_000 },
      { ...used, day: '2026-10-25', usedForSync: 5_200_000, usedInAll: 5_200_000 },
      { ...used, day: '2026-10-26', usedForFirmware: 520_000, usedInAll: 520_000 },
    ]);
  });

  async function addTask(name: string, memberGroup: number, startedAtMs: number): Promise<number> {
    const { db } = scene.database;
    const image = { name, name_key: name, firmware_version: `${name} 2.0`, sha256: 'a', bytes: 1, content: '{}' };
    const { id } = await db
      .insertInto('firmware_image')
      .values({ ...image, member_group: memberGroup, added_at_ms: 0, added_by: 'Ann' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const task = await db
      .insertInto('firmware_task')
      .values({
        member_group: memberGroup,
        image: id,
        name,
        name_key: name,
        content: '{}',
        state: 2,
        created_at_ms: 0,
        created_by: 'Ann',
        edited_by: '[]',
        started_at_ms: startedAtMs,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return task.id;
  }

  interface Update {
    readonly state: FirmwareDeviceState;
    readonly changedAtMs: number;
    readonly attempts?: number;
    readonly versionAfter?: string;
    readonly fault?: string;
  }

  async function addUpdate(task: number, incarnation: number, update: Update): Promise<number> {
    const { id } = await scene.database.db
      .insertInto('firmware_device')
      .values({
        task,
        incarnation,
        stage: 0,
        state: FIRMWARE_DEVICE_STATES.indexOf(update.state),
        changed_at_ms: update.changedAtMs,
        attempts: update.attempts ?? 0,
        version_before: '1.0',
        version_after: update.versionAfter ?? '',
        fault: update.fault ?? '',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  const addStep = (device: number, state: FirmwareDeviceState, atMs: number) =>
    scene.database.db
      .insertInto('firmware_step')
      .values({
        device,
        at_ms: atMs,
        state: FIRMWARE_DEVICE_STATES.indexOf(state),
        wait: '',
        fault: '',
        attempt: 1,
        sent_bytes: 0,
        detail: '',
      })
      .execute();

  it("firmware: what became of each device of the member group's tasks, from the first attempt to the end", async () => {
    const { bus1, bus2, taxi, memberGroup, otherGroup } = scene;
    const early = await addTask('Early', memberGroup, DAY_MS - 5 * HOUR_MS);
    const done = await addUpdate(early, bus1.incarnation, {
      state: 'done',
      changedAtMs: DAY_MS + 20 * MINUTE_MS,
      attempts: 2,
      versionAfter: '2.0',
    });
    await addStep(done, 'waiting', DAY_MS - HOUR_MS);
    await addStep(done, 'sending', DAY_MS + MINUTE_MS);
    await addStep(done, 'sending', DAY_MS + 10 * MINUTE_MS);
    // Ended before the period.
    await addUpdate(early, bus2.incarnation, { state: 'skipped', changedAtMs: DAY_MS - 1, fault: 'model-mismatch' });
    const late = await addTask('Late', memberGroup, DAY_END_MS - 1);
    await addUpdate(late, bus1.incarnation, { state: 'failed', changedAtMs: DAY_END_MS, fault: 'not-back' });
    await addUpdate(late, bus2.incarnation, { state: 'waiting', changedAtMs: DAY_MS });
    const next = await addTask('Next', memberGroup, DAY_END_MS);
    await addUpdate(next, bus1.incarnation, { state: 'queued', changedAtMs: DAY_END_MS });
    const foreign = await addTask('Foreign', otherGroup, DAY_MS);
    await addUpdate(foreign, bus1.incarnation, { state: 'queued', changedAtMs: DAY_MS });
    await addUpdate(foreign, taxi.incarnation, { state: 'queued', changedAtMs: DAY_MS });
    const row = { attempts: 0, versionBefore: '1.0', versionAfter: '', start: null, end: null, updateFault: '' };
    expect(await scene.report('firmware')).toEqual([
      {
        ...row,
        device: 'BUS1',
        firmwareTask: 'Early',
        imageVersion: 'Early 2.0',
        updateState: 'done',
        attempts: 2,
        versionAfter: '2.0',
        start: DAY_MS + MINUTE_MS,
        end: DAY_MS + 20 * MINUTE_MS,
      },
      {
        ...row,
        device: 'BUS1',
        firmwareTask: 'Late',
        imageVersion: 'Late 2.0',
        updateState: 'failed',
        end: DAY_END_MS,
        updateFault: 'not-back',
      },
      { ...row, device: 'BUS2', firmwareTask: 'Late', imageVersion: 'Late 2.0', updateState: 'waiting' },
    ]);
    expect(await scene.report('firmware', { devices: ['BUS2'] })).toHaveLength(1);
    const others = await scene.report('firmware', {}, otherGroup);
    expect(others.map(({ device, firmwareTask }) => [device, firmwareTask])).toEqual([['TAXI', 'Foreign']]);
  });

  async function addRule(name: string, memberGroup: number): Promise<number> {
    const { id } = await scene.database.db
      .insertInto('sync_rule')
      .values({
        member_group: memberGroup,
        name,
        name_key: name,
        enabled: 1,
        priority: 1,
        content: '{}',
        changed_at_ms: 0,
        changed_by: 'Ann',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  function anItem(incarnation: number, state: SyncItemState, changedAtMs: number) {
    return {
      incarnation,
      channel: 2,
      stream: 'main',
      from_ms: DAY_MS - 10 * HOUR_MS,
      to_ms: DAY_MS - 9 * HOUR_MS,
      device_from_ms: 0,
      device_to_ms: 0,
      rule: null as number | null,
      state: SYNC_ITEM_STATES.indexOf(state),
      is_ended: SYNC_ENDED_STATES.some((each) => each === state) ? 1 : 0,
      position: 1,
      created_at_ms: DAY_MS - HOUR_MS,
      changed_at_ms: changedAtMs,
    };
  }

  it('data sync: what was fetched, how and for whom, while it was open or when it ended', async () => {
    const { bus1, bus2, taxi, memberGroup, otherGroup, database } = scene;
    const [own, foreign] = [await addRule('Nightly', memberGroup), await addRule('Theirs', otherGroup)];
    const fetched = { method: 'ftp', received_bytes: 12_345_678, transfer_ms: 90_000, requested_by: 'Ann' };
    const items = [
      { ...anItem(bus1.incarnation, 'done', DAY_MS + HOUR_MS), ...fetched },
      { ...anItem(bus1.incarnation, 'done', DAY_MS - 1) },
      { ...anItem(bus1.incarnation, 'planned', DAY_END_MS), created_at_ms: DAY_END_MS },
      { ...anItem(bus2.incarnation, 'failed', DAY_END_MS), fault: 'no-answer', rule: own },
      { ...anItem(bus2.incarnation, 'waiting', DAY_MS - 1), from_ms: DAY_MS - 9.5 * HOUR_MS, rule: foreign },
      { ...anItem(taxi.incarnation, 'planned', DAY_MS) },
    ];
    for (const item of items) await database.db.insertInto('sync_item').values(item).execute();
    const row = {
      channel: 2,
      start: DAY_MS - 10 * HOUR_MS,
      end: DAY_MS - 9 * HOUR_MS,
      syncMethod: '',
      received: 0,
      transferTime: null,
      requestedBy: '',
      syncRule: '',
      created: DAY_MS - HOUR_MS,
      finished: null,
      syncFault: '',
    };
    expect(await scene.report('sync')).toEqual([
      {
        ...row,
        device: 'BUS1',
        syncState: 'done',
        syncMethod: 'ftp',
        received: 12_345_678,
        transferTime: 90_000,
        requestedBy: 'Ann',
        finished: DAY_MS + HOUR_MS,
      },
      {
        ...row,
        device: 'BUS2',
        syncState: 'failed',
        syncRule: 'Nightly',
        finished: DAY_END_MS,
        syncFault: 'no-answer',
      },
      { ...row, device: 'BUS2', start: DAY_MS - 9.5 * HOUR_MS, syncState: 'waiting' },
    ]);
    const others = await scene.report('sync', {}, otherGroup);
    expect(others.map(({ device }) => device)).toEqual(['TAXI']);
  });
});
