// Old positions, and those of deleted devices: which of them go, how many a statement takes, and what comes in between.
import { CompiledQuery, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { POSITION_REMOVAL_LIMIT, ReportRetention } from '../../../../server/fleet/reportRetention.ts';
import type { Device } from '../../../../server/store/devices/devices.ts';
import type { StoreDb } from '../../../../server/store/engine/database.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { describeOnBothEngines, openWithReading, type TestDatabase } from '../testDatabase.ts';
import { keptIn, packAll } from './packedPositions.ts';
import { addTraces, TRACE_TABLES, tracesLeft } from './traces.ts';

const PART = POSITION_REMOVAL_LIMIT.max;
const DAY_MS = 86_400_000;
const NOW = 1_795_000_000_000;
const HOUR_MS = 3_600_000;
const MANY = PART * 8 + 1;

async function removeAll(db: StoreDb): Promise<void> {
  for (const table of [
    ...TRACE_TABLES,
    'position',
    'position_block',
    'fence',
    'device',
    'device_incarnation',
    'member_group',
  ] as const)
    await db.deleteFrom(table).execute();
}

describeOnBothEngines('positions that are no longer kept', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  beforeAll(async () => {
    database = await openWithReading(engine);
    stores = createStores(database.db, undefined, database.reading);
  });
  beforeEach(async () => {
    await removeAll(database.db);
  });
  afterAll(() => database.close());

  const add = (deviceId: string, deviceGroup?: number) =>
    stores.devices.insert({ deviceId, name: deviceId, chn: 1, ...(deviceGroup !== undefined && { deviceGroup }) });

  interface Reported {
    readonly agoDays: number;
    readonly receivedAgoDays?: number;
  }
  const report = ({ deviceId, incarnation }: Device, { agoDays, receivedAgoDays = agoDays }: Reported) =>
    stores.positions.append([
      {
        deviceId,
        incarnation,
        latitude: 1,
        longitude: 2,
        altitudeM: 0,
        speedKmh: 0,
        headingDeg: 0,
        deviceTimeMs: wallMs(NOW - agoDays * DAY_MS),
        receivedAtMs: wallMs(NOW - receivedAgoDays * DAY_MS),
        alarmBits: 0,
        statusBits: 0,
        extra: {},
      },
    ]);

  async function agesOf(deviceId: string): Promise<number[]> {
    const kept = await stores.positions.between(deviceId, { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER }, 100);
    return kept.map(({ deviceTimeMs }) => (NOW - deviceTimeMs) / DAY_MS).reverse();
  }

  async function countAll(db: StoreDb = database.db): Promise<number> {
    const row = await db
      .selectFrom('position')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return Number(row.count);
  }

  /** Adds many positions of a device in one statement. */
  async function reportMany({ incarnation }: Device, count: number, agoDays: number): Promise<void> {
    const timeMs = NOW - agoDays * DAY_MS;
    await database.db.executeQuery(
      CompiledQuery.raw(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
        insert into position (incarnation, device_time_ms, received_at_ms, latitude, longitude, altitude_m, speed_kmh,
          heading_deg, alarm_bits, status_bits, extra)
        select ${incarnation}, ${timeMs} - i, ${timeMs}, 1, 2, 0, 0, 0, 0, 0, '{}' from n`),
    );
  }

  interface Work {
    readonly retention: ReportRetention;
    /** Rows that each deletion of positions took. */
    readonly parts: number[];
    /** Answers to a question that somebody asked in each pause. */
    readonly between: number[];
    done(): Promise<void>;
  }

  /** Pauses are as short as can be; the next round is one that the test does not wait for. */
  function work({ positionDays = 365, stopAfter = Number.POSITIVE_INFINITY } = {}): Work {
    const parts: number[] = [];
    const between: number[] = [];
    let isDone = false;
    const faults: Error[] = [];
    const counted: typeof stores.reportRemoval = {
      ...stores.reportRemoval,
      removeFirst: (incarnation, limit) => part(() => stores.reportRemoval.removeFirst(incarnation, limit)),
      removeReceived: async (incarnation, scan) => {
        let next: Awaited<ReturnType<typeof stores.reportRemoval.removeReceived>>['next'];
        const removed = await part(async () => {
          const done = await stores.reportRemoval.removeReceived(incarnation, scan);
          next = done.next;
          return done.removed;
        });
        return { removed, next };
      },
    };
    const part = async (remove: () => Promise<number>): Promise<number> => {
      const before = await countAll();
      const removed = await remove();
      expect(before - (await countAll())).toBe(removed);
      parts.push(removed);
      if (parts.length === stopAfter) void retention.close();
      return removed;
    };
    const retention: ReportRetention = new ReportRetention({
      removal: counted,
      memberGroups: stores.memberGroups,
      positionDays,
      now: () => NOW,
      runAfter: (delayMs, run) => {
        if (delayMs >= HOUR_MS) {
          isDone = true;
          return () => undefined;
        }
        const ask = async (): Promise<void> => {
          if (delayMs < 1_000) between.push(await countAll());
          run();
        };
        let isCancelled = false;
        setImmediate(() => void (isCancelled ? undefined : ask()));
        return () => {
          isCancelled = true;
        };
      },
      onFault: (error) => faults.push(error),
    });
    return {
      retention,
      parts,
      between,
      done: async () => {
        await waitFor('the end of the round', () => isDone || faults.length > 0);
        await retention.close();
        expect(faults).toEqual([]);
      },
    };
  }

  it('go in parts when their device was deleted, which itself touches none of them', async () => {
    const [first, other] = [await add('A'), await add('B')];
    await reportMany(first, MANY, 1);
    await report(other, { agoDays: 1 });
    expect(await stores.devices.remove('A')).toBe(true);
    expect(await countAll()).toBe(MANY + 1);
    const again = await add('A');
    await report(again, { agoDays: 2 });
    expect(await agesOf('A')).toEqual([2]);
    expect(await stores.reportRemoval.countEnded()).toBe(1);

    const { retention, parts, between, done } = work();
    await done();
    expect(Math.max(...parts)).toBe(PART);
    expect(parts.reduce((sum, part) => sum + part)).toBe(MANY);
    // Somebody else was answered after each part.
    expect(between.length).toBeGreaterThanOrEqual(parts.length);
    expect(new Set(between).size).toBeGreaterThanOrEqual(parts.length);
    expect([retention.deletedPositions, retention.endedDevices]).toEqual([MANY, 0]);
    expect([await agesOf('A'), await agesOf('B')]).toEqual([[2], [1]]);
  });

  it('are those past the installation’s days, or the group’s where they are fewer', async () => {
    const group = await stores.deviceGroups.insert('North');
    const member = await stores.memberGroups.insert({ name: 'North', retentionDays: 30 });
    const patient = await stores.memberGroups.insert({ name: 'Patient', retentionDays: 500 });
    await stores.memberGroups.setDeviceGroups(member, [group]);
    await stores.memberGroups.setDeviceGroups(patient, [group]);
    const [grouped, ungrouped] = [await add('G', group), await add('U')];
    for (const device of [grouped, ungrouped]) {
      for (const agoDays of [1, 29, 31, 364, 366]) await report(device, { agoDays });
    }
    await work().done();
    expect([await agesOf('G'), await agesOf('U')]).toEqual([
      [1, 29],
      [1, 29, 31, 364],
    ]);
    await work({ positionDays: 0 }).done();
    expect([await agesOf('G'), await agesOf('U')]).toEqual([
      [1, 29],
      [1, 29, 31, 364],
    ]);
    await work({ positionDays: 10 }).done();
    expect([await agesOf('G'), await agesOf('U')]).toEqual([[1], [1]]);
  });

  it('go by their arrival where the terminal’s clock is ahead', async () => {
    const device = await add('A');
    await report(device, { agoDays: -4_000, receivedAgoDays: 366 });
    await report(device, { agoDays: -4_001, receivedAgoDays: 364 });
    await report(device, { agoDays: -4_002, receivedAgoDays: 366 });
    await work().done();
    expect(await agesOf('A')).toEqual([-4_001]);
  });

  it('stay where the terminal’s clock is years behind, until so much time has gone by since they came', async () => {
    const device = await add('A');
    await report(device, { agoDays: 7_169, receivedAgoDays: 366 });
    for (const agoDays of [7_168, 7_167.5, 7_100]) await report(device, { agoDays, receivedAgoDays: 1 });
    await work().done();
    expect(await agesOf('A')).toEqual([7_100, 7_167.5, 7_168]);
    await packAll(stores);
    expect(await keptIn(database.db)).toMatchObject({ rows: 1, packed: 2 });
    await work({ positionDays: 30 }).done();
    expect(await agesOf('A')).toEqual([7_100, 7_167.5, 7_168]);
    await database.db
      .updateTable('position_block')
      .set({ received_from_ms: NOW - 32 * DAY_MS, received_to_ms: NOW - 31 * DAY_MS })
      .execute();
    await work({ positionDays: 30 }).done();
    expect(await agesOf('A')).toEqual([7_100]);
  });

  it('leave a block in which younger ones lie, as of a terminal that begins in the same year each time', async () => {
    const device = await add('A');
    const begun = [0, 0.125, 0.25, 0.375, 0.5].map((later) => 9_800 - later);
    for (const agoDays of begun) await report(device, { agoDays, receivedAgoDays: agoDays > 9_799.7 ? 400 : 2 });
    await report(device, { agoDays: 1 });
    await packAll(stores);
    expect(await keptIn(database.db)).toEqual({ rows: 1, blocks: 1, packed: 5 });
    const { retention, done } = work();
    await done();
    expect(retention.deletedPositions).toBe(3);
    expect(await agesOf('A')).toEqual([1, 9_799.5, 9_799.625]);
    expect(await keptIn(database.db)).toEqual({ rows: 1, blocks: 1, packed: 2 });
  });

  it('go from their blocks by their arrival where the clock was ahead by some days', async () => {
    const device = await add('A');
    for (const agoDays of [362.9, 362.8]) await report(device, { agoDays, receivedAgoDays: agoDays + 3 });
    await report(device, { agoDays: 1 });
    await packAll(stores);
    await work().done();
    expect(await agesOf('A')).toEqual([1]);
  });

  it('keep the difference of the clock that they lie by, whatever year that was', async () => {
    const device = await add('A');
    const steps = [
      { device_from_ms: NOW - 500 * DAY_MS, offset_ms: 0 },
      { device_from_ms: NOW - 400 * DAY_MS, offset_ms: 1_000 },
      { device_from_ms: NOW - (7_168 + 20) * DAY_MS, offset_ms: 7_168 * DAY_MS },
    ];
    for (const step of steps)
      await database.db
        .insertInto('device_clock')
        .values({ incarnation: device.incarnation, ...step })
        .execute();
    await work().done();
    const left = await database.db.selectFrom('device_clock').select('offset_ms').orderBy('offset_ms').execute();
    expect(left.map(({ offset_ms }) => offset_ms)).toEqual([1_000, 7_168 * DAY_MS]);
  });

  it('go part by part too when all of a device are too old, newest last, and a stop waits for one part alone', async () => {
    const device = await add('A');
    await reportMany(device, MANY, 366);
    await report(device, { agoDays: 1 });
    const { retention, parts } = work({ stopAfter: 3 });
    await waitFor('three parts', () => parts.length >= 3);
    await retention.close();
    expect(parts).toEqual([PART, PART, PART]);
    expect(await countAll()).toBe(MANY + 1 - 3 * PART);
    // The next start goes on.
    await work().done();
    expect(await agesOf('A')).toEqual([1]);
  });

  it('leave nothing behind of a device in the end, unless there are recordings or evidence of it', async () => {
    const [bare, recorded] = [await add('A'), await add('B')];
    await report(bare, { agoDays: 1 });
    const range = { archiveId: recorded.archiveId, channel: 1, fromMs: wallMs(1), toMs: wallMs(2) };
    await stores.evidenceHolds.add({ ...range, reason: '', heldBy: '' }, wallMs(3));
    for (const deviceId of ['A', 'B']) await stores.devices.remove(deviceId);
    const longAgo = { ended_at_ms: NOW - 2 * DAY_MS };
    await database.db.updateTable('device_incarnation').set(longAgo).execute();
    await work().done();
    expect(await stores.archives.ids()).toEqual([recorded.archiveId]);
    const left = await sql<{ n: number }>`select count(*) as n from device_incarnation`.execute(database.db);
    expect(Number(left.rows[0]?.n)).toBe(1);
  });

  it('go with their block, when the last of it is too old', async () => {
    const device = await add('A');
    for (const agoDays of [400, 399.5, 365.6, 364.8, 300, 1]) await report(device, { agoDays });
    await packAll(stores);
    expect(await keptIn(database.db)).toEqual({ rows: 1, blocks: 3, packed: 5 });
    const { retention, done } = work();
    await done();
    expect(retention.deletedPositions).toBe(2);
    expect(await agesOf('A')).toEqual([1, 300, 364.8, 365.6]);
  });

  it('go by their arrival in blocks too, where the terminal’s clock was ahead', async () => {
    const device = await add('A');
    await report(device, { agoDays: -4_000, receivedAgoDays: 366 });
    await report(device, { agoDays: -4_000, receivedAgoDays: 367 });
    await report(device, { agoDays: -4_100, receivedAgoDays: 364 });
    await report(device, { agoDays: -4_200, receivedAgoDays: 364 });
    await packAll(stores);
    await work().done();
    expect(await agesOf('A')).toEqual([-4_200, -4_100]);
    expect((await stores.positions.latest('A'))?.deviceTimeMs).toBe(NOW + 4_200 * DAY_MS);
  });

  it('are found in blocks when no row is left', async () => {
    const device = await add('A');
    await report(device, { agoDays: 3 });
    await report(device, { agoDays: -4_000, receivedAgoDays: 366 });
    await packAll(stores);
    await work().done();
    expect(await keptIn(database.db)).toEqual({ rows: 0, blocks: 1, packed: 1 });
    expect((await stores.positions.latest('A'))?.deviceTimeMs).toBe(NOW - 3 * DAY_MS);
  });

  it('take with them what was made of them, and leave what is younger or goes on', async () => {
    const device = await add('A');
    await addTraces(database.db, device.incarnation, { fromMs: NOW - 400 * DAY_MS, toMs: NOW - 399 * DAY_MS });
    await addTraces(database.db, device.incarnation, { fromMs: NOW - 10 * DAY_MS, toMs: NOW - 9 * DAY_MS });
    await addTraces(database.db, device.incarnation, { fromMs: NOW - 390 * DAY_MS, toMs: 0 });
    await work().done();
    const left = await tracesLeft(database.db);
    // Young ones, and those without an end; of a clock the difference that held last before them.
    expect(left).toEqual({
      presence_session: 2,
      trip: 2,
      stop: 2,
      track_gap: 2,
      track_day: 1,
      driver_session: 2,
      passenger_count: 2,
      fence_visit: 2,
      device_clock: 2,
      fence_state: 3,
    });
  });

  it('leave nothing else behind of a device that was deleted', async () => {
    const device = await add('A');
    for (const agoDays of [3, 2, 1]) await report(device, { agoDays });
    await packAll(stores);
    await addTraces(database.db, device.incarnation, { fromMs: NOW - 2 * DAY_MS, toMs: NOW - DAY_MS });
    await stores.devices.remove('A');
    await database.db
      .updateTable('device_incarnation')
      .set({ ended_at_ms: NOW - 2 * DAY_MS })
      .execute();
    // As long as anything is there, it is not forgotten.
    expect(await stores.reportRemoval.forgetEnded(NOW, 10)).toBe(0);
    const { retention, done } = work();
    await done();
    expect(Object.values(await tracesLeft(database.db)).every((count) => count === 0)).toBe(true);
    expect(await keptIn(database.db)).toEqual({ rows: 0, blocks: 0, packed: 0 });
    expect(retention.deletedPositions).toBe(3);
    const gone = await database.db.selectFrom('device_incarnation').select('incarnation').execute();
    expect(gone).toEqual([]);
  });
});
