import { afterEach, beforeEach, expect, it } from 'vitest';
import type { NetflowDeviceQuery } from '../../../../server/store/netflow/netflowDevices.ts';
import type { HourUse } from '../../../../server/store/netflow/netflowHours.ts';
import type { DeviceUseRow } from '../../../../server/store/netflow/netflowUse.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import type { SimPlanContent } from '../../../../shared/protocol/api/netflow/netflow.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';

const HOUR_MS = 3_600_000;
const NOON_MS = Date.UTC(2026, 10, 23, 12);
const PLAN: SimPlanContent = {
  name: 'Small',
  megabytes: 100,
  resetDay: 5,
  timeZone: 'Asia/Taipei',
  price: '9.90',
  action: 'sub-stream',
};

const bytes = (...first: number[]): number[] => Array.from({ length: 9 }, (_, at) => first[at] ?? 0);

const editOf = <Content>(content: Content) => ({ content, by: 'ann', atMs: 1 });

describeOnBothEngines('data usage in the database (S-2.4.9)', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  let memberGroup: number;
  let deviceGroup: number;
  let bus: number;
  beforeEach(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db);
    deviceGroup = await stores.deviceGroups.insert('Depot');
    memberGroup = await stores.memberGroups.insert({ name: 'North' });
    await stores.memberGroups.setDeviceGroups(memberGroup, [deviceGroup]);
    ({ incarnation: bus } = await addDevice('BUS1'));
  });
  afterEach(() => database.close());

  const addDevice = (deviceId: string) =>
    stores.devices.insert({ deviceId, name: deviceId.toLowerCase(), chn: 1, deviceGroup });
  const hour = (incarnation: number, hourMs: number, received: number[], sent = bytes()): HourUse => ({
    incarnation,
    hourMs,
    received,
    sent,
  });
  const row = (incarnation: number, change: Partial<DeviceUseRow> = {}): DeviceUseRow => ({
    incarnation,
    fromMs: 1,
    toMs: 2,
    receivedBytes: 10,
    sentBytes: 5,
    kinds: bytes(15),
    today: 20_000,
    todayBytes: 15,
    forecastBytes: null,
    days: [[20_000, 15]],
    ...change,
  });
  const over = (fromMs: number, toMs: number) => ({
    ...{ memberGroup, fromMs, toMs, firstDay: 0, lastDay: 99_999_999, groups: undefined, incarnation: undefined },
  });
  const query = (change: Partial<NetflowDeviceQuery> = {}): NetflowDeviceQuery => ({
    memberGroup,
    search: '',
    groups: undefined,
    plan: undefined,
    overheadPercent: 0,
    sort: 'usedBytes',
    descending: true,
    limit: 10,
    position: { at: 'offset', offset: 0 },
    ...change,
  });
  const listed = async (change: Partial<NetflowDeviceQuery> = {}) =>
    (await stores.netflowDevices.page(query(change)))?.rows.map((each) => each.device_id);

  it('is the same however often an hour is written, and leaves out devices that are gone', async () => {
    await stores.netflowUse.write([hour(bus, NOON_MS, bytes(1, 2), bytes(3))], [row(bus)]);
    await stores.netflowUse.write(
      [hour(bus, NOON_MS, bytes(10, 2), bytes(3)), hour(bus + 100, NOON_MS, bytes(9))],
      [row(bus), row(bus + 100)],
    );
    expect(await stores.netflowUse.hoursFrom(NOON_MS)).toEqual([hour(bus, NOON_MS, bytes(10, 2), bytes(3))]);
    expect(await stores.netflowUse.hoursFrom(NOON_MS + 1)).toEqual([]);
    expect(await stores.netflowUse.deviceRows()).toEqual([row(bus)]);
    const sums = await stores.netflowUse.sumsSince([bus, bus + 100], NOON_MS);
    expect([...sums]).toEqual([
      [bus, { received: bytes(10, 2), sent: bytes(3) }],
      [bus + 100, { received: bytes(), sent: bytes() }],
    ]);
  });

  it('adds hours to days of the device, which stay when the hours are deleted', async () => {
    await database.db.updateTable('device').set({ time_zone: 'Asia/Taipei' }).execute();
    const hours = [0, 3, 4].map((at) => hour(bus, NOON_MS + at * HOUR_MS, bytes(10), bytes(1)));
    await stores.netflowUse.write(hours, []);
    // Midnight in Taipei is at 16:00.
    const days = [
      { at: 20_261_123, kind: 0, receivedBytes: 20, sentBytes: 2 },
      { at: 20_261_124, kind: 0, receivedBytes: 10, sentBytes: 1 },
    ];
    const span = over(0, NOON_MS + HOUR_MS * 9);
    expect(await stores.netflowSeries.days(span)).toEqual(days);
    await stores.netflowUse.removeHoursBefore(NOON_MS + 4 * HOUR_MS);
    expect(await stores.netflowSeries.hours(span)).toMatchObject([{ at: NOON_MS + 4 * HOUR_MS, receivedBytes: 10 }]);
    expect(await stores.netflowSeries.days(span)).toEqual(days);
    expect(await stores.netflowSeries.days({ ...span, incarnation: bus })).toEqual(days);
    expect(await stores.netflowSeries.top(span, 5)).toEqual([{ deviceId: 'BUS1', name: 'bus1', bytes: 33 }]);
    const lastDay = { ...span, firstDay: 20_261_124, lastDay: 20_261_124 };
    expect(await stores.netflowSeries.top(lastDay, 5)).toEqual([{ deviceId: 'BUS1', name: 'bus1', bytes: 11 }]);
    await stores.netflowUse.removeDaysBefore(20_261_124);
    expect(await stores.netflowSeries.days(span)).toEqual(days.slice(1));
  });

  it('shows a member group its own devices alone', async () => {
    await stores.netflowUse.write([hour(bus, NOON_MS, bytes(10))], [row(bus)]);
    const other = await stores.memberGroups.insert({ name: 'South' });
    expect(await listed({ memberGroup: other })).toEqual([]);
    expect(await stores.netflowDevices.find(other, 'BUS1')).toBeUndefined();
    expect(await stores.netflowSeries.hours({ ...over(0, NOON_MS * 2), memberGroup: other })).toEqual([]);
    expect((await stores.netflowDevices.row(memberGroup, 'BUS1'))?.incarnation).toBe(bus);
  });

  it('sorts devices by use and by share of their plans, page by page', async () => {
    const { incarnation: van } = await addDevice('VAN1');
    await addDevice('CAR1');
    const plan = await stores.simPlans.insert({ memberGroup }, editOf(PLAN));
    const id = plan.ok ? plan.value.id : 0;
    const sim = { number: '', iccid: '', plan: id, expiryDay: '', version: 0 };
    expect(await stores.sims.putSim(van, sim)).toBe(true);
    const used = { receivedBytes: 85_000_000, todayBytes: 1 };
    await stores.netflowUse.write([], [row(bus, { receivedBytes: 99_000_000 }), row(van, used)]);
    expect(await listed()).toEqual(['BUS1', 'VAN1', 'CAR1']);
    expect(await listed({ sort: 'planShare' })).toEqual(['VAN1', 'CAR1', 'BUS1']);
    expect(await listed({ plan: 'near' })).toEqual(['VAN1']);
    expect(await listed({ plan: 'over', overheadPercent: 20 })).toEqual(['VAN1']);
    expect(await listed({ plan: 'none', search: 'bus' })).toEqual(['BUS1']);
    expect(await listed({ plan: 'within' })).toEqual([]);
    const first = await stores.netflowDevices.page(query({ limit: 1 }));
    const values = first?.next ?? [];
    expect(await listed({ position: { at: 'after', values } })).toEqual(['VAN1', 'CAR1']);
  });

  it('keeps plans by version, and gives the devices of a deleted one none', async () => {
    const added = await stores.simPlans.insert({ memberGroup }, editOf(PLAN));
    const plan = added.ok ? added.value : undefined;
    const named = { id: plan?.id ?? 0, memberGroup, version: 1 };
    await stores.sims.putSim(bus, { number: '1', iccid: '2', plan: named.id, expiryDay: '2027-01-01', version: 0 });
    expect(await stores.simPlans.update(named, editOf({ ...PLAN, megabytes: 200 }))).toMatchObject({ ok: true });
    expect(await stores.simPlans.update(named, editOf(PLAN))).toEqual({ ok: false, reason: 'conflict' });
    expect(await stores.simPlans.update({ ...named, memberGroup: 999 }, editOf(PLAN))).toEqual({
      ok: false,
      reason: 'gone',
    });
    expect(await stores.simPlans.find(named.id, { memberGroup })).toEqual({
      ...{ ...PLAN, megabytes: 200, id: named.id, version: 2, devices: 1 },
    });
    const [device] = await stores.netflowUse.devices();
    expect(device).toMatchObject({ plan: named.id, megabytes: 200, action: 'sub-stream', memberGroups: [memberGroup] });
    expect(await stores.simPlans.remove({ ...named, version: 2 })).toMatchObject({ ok: true });
    expect(await stores.sims.sim(bus)).toMatchObject({ plan: 0, number: '1', version: 1 });
  });

  it('refuses a SIM that somebody else has changed, and lifts without a SIM', async () => {
    const sim = { number: '1', iccid: '', plan: 0, expiryDay: '', version: 0 };
    await stores.sims.lift(bus, { untilMs: 99, by: 'ann' });
    expect(await stores.sims.putSim(bus, sim)).toBe(true);
    expect(await stores.sims.putSim(bus, sim)).toBe(false);
    expect((await stores.netflowUse.devices())[0]?.liftedUntilMs).toBe(99);
    await stores.netflowUse.noteTold([{ incarnation: bus, fromMs: 5, percent: 80, forecast: true }]);
    expect((await stores.netflowUse.devices())[0]).toMatchObject({ toldPercent: 80, toldForecast: true });
  });
});
