import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { describeOnBothEngines } from '../store/testDatabase.ts';
import { DAY_END_MS, DAY_MS, HOUR_MS, MINUTE_MS, NOW_MS, openReportScene, type ReportScene } from './reportScene.ts';

describeOnBothEngines('reports of tracks, against numbers worked out by hand', (engine) => {
  let scene: ReportScene;
  beforeAll(async () => {
    scene = await openReportScene(engine);
  });
  afterEach(async () => {
    for (const table of TABLES) await scene.database.db.deleteFrom(table).execute();
  });
  afterAll(() => scene.database.close());

  const addTrip = (incarnation: number, fromMs: number, changes: object = {}) =>
    scene.database.db
      .insertInto('trip')
      .values({ ...TRIP, incarnation, from_ms: fromMs, to_ms: fromMs + 30 * MINUTE_MS, ...changes })
      .execute();

  it('trips: those that begin in the period, of the member group alone, by device and time', async () => {
    const { bus1, bus2, taxi } = scene;
    await addTrip(bus2.incarnation, DAY_MS);
    await addTrip(bus1.incarnation, DAY_END_MS - 1, { is_open: 1, is_odometer: 0, odometer_from_km: null });
    await addTrip(bus1.incarnation, DAY_MS + HOUR_MS, { metres: 5_000 });
    await addTrip(bus1.incarnation, DAY_MS - 1);
    await addTrip(bus1.incarnation, DAY_END_MS);
    await addTrip(taxi.incarnation, DAY_MS + HOUR_MS);
    const rows = await scene.report('trips');
    expect(rows.map(({ device, start, distance }) => [device, start, distance])).toEqual([
      ['BUS1', DAY_MS + HOUR_MS, 5_000],
      ['BUS1', DAY_END_MS - 1, 12_345],
      ['BUS2', DAY_MS, 12_345],
    ]);
    expect(rows[2]).toEqual({
      device: 'BUS2',
      driver: 'Ann',
      start: DAY_MS,
      end: DAY_MS + 30 * MINUTE_MS,
      startPlace: 'place 52.5 13.25',
      endPlace: 'place 52.75 13.5',
      distance: 12_345,
      measuredBy: 'odometer',
      moving: 25 * MINUTE_MS,
      idle: 5 * MINUTE_MS,
      maxSpeed: 81.5,
      meanSpeed: 29.6,
      odometerStart: 1_000_500,
      odometerEnd: 1_012_800,
      fuel: 3.5,
      tripState: 'ended',
    });
    expect(rows[1]).toMatchObject({ measuredBy: 'line', tripState: 'under-way', odometerStart: null });
    expect(await scene.report('trips', { leastMinutes: 31 })).toEqual([]);
    expect(await scene.report('trips', { devices: ['BUS2', 'TAXI'] })).toHaveLength(1);
    expect(await scene.report('trips', {}, scene.otherGroup)).toHaveLength(1);
  });

  it('stops, and among them idling', async () => {
    const { incarnation } = scene.bus1;
    const stop = { incarnation, clock_offset_ms: 0, is_open: 0, latitude: 1, longitude: 2 };
    const at = (fromMs: number, minutes: number, idleMinutes: number) => ({
      ...stop,
      from_ms: fromMs,
      to_ms: fromMs + minutes * MINUTE_MS,
      idle_ms: idleMinutes * MINUTE_MS,
    });
    const stops = [at(DAY_MS, 10, 0), at(DAY_MS + HOUR_MS, 20, 15), at(DAY_MS + 2 * HOUR_MS, 60, 4)];
    await scene.database.db.insertInto('stop').values(stops).execute();
    const durations = (rows: Awaited<ReturnType<ReportScene['report']>>) =>
      rows.map(({ duration, idle }) => [Number(duration) / MINUTE_MS, Number(idle) / MINUTE_MS]);
    expect(durations(await scene.report('stops'))).toEqual([
      [10, 0],
      [20, 15],
      [60, 4],
    ]);
    expect(durations(await scene.report('stops', { leastMinutes: 20 }))).toHaveLength(2);
    expect(durations(await scene.report('idling'))).toEqual([
      [20, 15],
      [60, 4],
    ]);
    expect((await scene.report('idling', { leastMinutes: 5 }))[0]).toEqual({
      device: 'BUS1',
      start: DAY_MS + HOUR_MS,
      end: DAY_MS + HOUR_MS + 20 * MINUTE_MS,
      duration: 20 * MINUTE_MS,
      idle: 15 * MINUTE_MS,
      place: 'place 1 2',
    });
  });

  it('mileage by day, and by month as the sum of its days', async () => {
    const day = (incarnation: number, local_day: number, metres: number, changes: object = {}) => ({
      incarnation,
      local_day,
      metres,
      is_odometer: 1,
      moving_ms: 10,
      idle_ms: 20,
      ignition_ms: 30,
      stops: 2,
      max_speed_kmh: metres / 1_000,
      points: 1,
      begin_ms: 0,
      state: '',
      ...changes,
    });
    const { bus1, bus2, taxi } = scene;
    const days = [
      day(bus1.incarnation, 20261024, 40_000),
      day(bus1.incarnation, 20261025, 50_000),
      day(bus1.incarnation, 20261101, 60_000, { is_odometer: 0 }),
      day(bus1.incarnation, 20261102, 0),
      day(bus2.incarnation, 20261025, 70_000),
      day(taxi.incarnation, 20261025, 80_000),
    ];
    await scene.database.db.insertInto('track_day').values(days).execute();
    expect(await scene.report('mileage-day')).toEqual([
      {
        device: 'BUS1',
        day: '2026-10-25',
        distance: 50_000,
        measuredBy: 'odometer',
        moving: 10,
        idle: 20,
        ignition: 30,
        stops: 2,
        maxSpeed: 50,
      },
      expect.objectContaining({ device: 'BUS2', distance: 70_000 }),
    ]);
    const months = await scene.report('mileage-month', {
      fromMs: DAY_MS - 24 * HOUR_MS,
      toMs: DAY_END_MS + 240 * HOUR_MS,
    });
    expect(
      months.map(({ device, month, distance, days: moved, measuredBy }) => [
        device,
        month,
        distance,
        moved,
        measuredBy,
      ]),
    ).toEqual([
      ['BUS1', '2026-10', 90_000, 2, 'odometer'],
      ['BUS1', '2026-11', 60_000, 1, 'line'],
      ['BUS2', '2026-10', 70_000, 1, 'odometer'],
    ]);
    expect(months[0]).toMatchObject({ moving: 20, idle: 40, ignition: 60, stops: 4, maxSpeed: 50 });
  });

  it('geofence visits: by the name of then, those of the own member group, open ones until now', async () => {
    const { incarnation } = scene.bus1;
    const visit = { fence: 7, fence_name: 'Yard', member_group: scene.memberGroup, incarnation, clock_offset_ms: 0 };
    const visits = [
      { ...visit, from_ms: DAY_MS, to_ms: DAY_MS + HOUR_MS },
      { ...visit, fence: 8, fence_name: 'Harbor', from_ms: DAY_MS + HOUR_MS, to_ms: 0 },
      { ...visit, member_group: scene.otherGroup, from_ms: DAY_MS, to_ms: DAY_MS + HOUR_MS },
    ];
    await scene.database.db.insertInto('fence_visit').values(visits).execute();
    expect(await scene.report('fence-visits')).toEqual([
      { device: 'BUS1', fence: 'Yard', start: DAY_MS, end: DAY_MS + HOUR_MS, duration: HOUR_MS },
      { device: 'BUS1', fence: 'Harbor', start: DAY_MS + HOUR_MS, end: null, duration: NOW_MS - DAY_MS - HOUR_MS },
    ]);
    expect((await scene.report('fence-visits', { fences: [8] })).map(({ fence }) => fence)).toEqual(['Harbor']);
  });

  it('driver hours: the card in the reader, and the trips that begin meanwhile', async () => {
    const { incarnation } = scene.bus1;
    const card = { incarnation, name: 'Ann', licence: 'L1', issuer: '', valid_until: '', read_result: 0 };
    const sessions = [
      { ...card, in_ms: DAY_MS, out_ms: DAY_MS + 2 * HOUR_MS },
      { ...card, name: '', in_ms: DAY_MS + 3 * HOUR_MS, out_ms: DAY_MS + 3 * HOUR_MS + MINUTE_MS, read_result: 4 },
    ];
    await scene.database.db.insertInto('driver_session').values(sessions).execute();
    await addTrip(incarnation, DAY_MS + MINUTE_MS);
    await addTrip(incarnation, DAY_MS + HOUR_MS, { metres: 655, moving_ms: MINUTE_MS });
    await addTrip(incarnation, DAY_MS + 2 * HOUR_MS);
    const [first, second] = await scene.report('driver-hours');
    expect(first).toEqual({
      driver: 'Ann',
      licence: 'L1',
      device: 'BUS1',
      start: DAY_MS,
      end: DAY_MS + 2 * HOUR_MS,
      duration: 2 * HOUR_MS,
      moving: 26 * MINUTE_MS,
      distance: 13_000,
      readResult: 'read',
    });
    expect(second).toMatchObject({ driver: '', readResult: 'check-failed', distance: 0 });
  });

  it('passengers as they were counted', async () => {
    const count = {
      incarnation: scene.bus2.incarnation,
      from_ms: DAY_MS,
      to_ms: DAY_MS + HOUR_MS,
      boarded: 5,
      alighted: 3,
    };
    await scene.database.db.insertInto('passenger_count').values(count).execute();
    expect(await scene.report('passengers')).toEqual([
      { device: 'BUS2', start: DAY_MS, end: DAY_MS + HOUR_MS, boarded: 5, alighted: 3 },
    ]);
  });

  it("fuel and temperature by day of the zone, by the gateway's clock", async () => {
    const { incarnation } = scene.bus1;
    const position = { ...POSITION, incarnation };
    // The device's clock is 7 minutes behind.
    await scene.database.db
      .insertInto('device_clock')
      .values({ incarnation, device_from_ms: 0, offset_ms: 7 * MINUTE_MS })
      .execute();
    const at = (gatewayMs: number, fuel: number | null, cabin: number | null) => ({
      ...position,
      device_time_ms: gatewayMs - 7 * MINUTE_MS,
      received_at_ms: gatewayMs,
      fuel_liters: fuel,
      cabin_celsius: cabin,
    });
    const rows = [
      at(DAY_MS - 1, 99, 99),
      at(DAY_MS, 60, -5),
      at(DAY_MS + 10 * HOUR_MS, 50, null),
      at(DAY_MS + 20 * HOUR_MS, 41, 4),
      at(DAY_MS + 21 * HOUR_MS, null, null),
      at(DAY_END_MS - 1, null, 2.5),
      at(DAY_END_MS, 30, 3),
    ];
    await scene.database.db.insertInto('position').values(rows).execute();
    const all = await scene.report('fuel-temperature', { toMs: DAY_END_MS + HOUR_MS });
    expect(all).toEqual([
      {
        device: 'BUS1',
        day: '2026-10-25',
        fuelMin: 41,
        fuelMax: 60,
        fuelMean: 50.3,
        cabinMin: -5,
        cabinMax: 4,
        cabinMean: 0.5,
        positions: 4,
      },
      {
        device: 'BUS1',
        day: '2026-10-26',
        fuelMin: 30,
        fuelMax: 30,
        fuelMean: 30,
        cabinMin: 3,
        cabinMax: 3,
        cabinMean: 3,
        positions: 1,
      },
    ]);
  });

  it("online: a total for each device, and its absences, from the device's first day on and up to now", async () => {
    const { bus1 } = scene;
    const session = { incarnation: bus1.incarnation, seen_at_ms: 0, reason: 0 };
    const sessions = [
      { ...session, from_ms: DAY_MS - HOUR_MS, to_ms: DAY_MS + 5 * HOUR_MS },
      { ...session, from_ms: DAY_MS + 10 * HOUR_MS, to_ms: 0 },
    ];
    await scene.database.db.insertInto('presence_session').values(sessions).execute();
    const rows = await scene.report('online', { devices: ['BUS1'] });
    expect(rows).toEqual([
      {
        device: 'BUS1',
        entry: 'total',
        start: DAY_MS,
        end: DAY_END_MS,
        duration: 25 * HOUR_MS,
        online: 20 * HOUR_MS,
        share: 0.8,
        absences: 1,
      },
      {
        device: 'BUS1',
        entry: 'absence',
        start: DAY_MS + 5 * HOUR_MS,
        end: DAY_MS + 10 * HOUR_MS,
        duration: 5 * HOUR_MS,
        online: null,
        share: null,
        absences: null,
      },
    ]);
    const never = await scene.report('online', { devices: ['BUS2'], fromMs: DAY_MS - 20 * HOUR_MS });
    expect(never[0]).toMatchObject({ start: DAY_MS - 10 * HOUR_MS, share: 0, absences: 1 });
  });
});

const TABLES = [
  'trip',
  'stop',
  'track_day',
  'fence_visit',
  'driver_session',
  'passenger_count',
  'position',
  'device_clock',
  'presence_session',
] as const;

const TRIP = {
  driver: 'Ann',
  clock_offset_ms: 0,
  is_open: 0,
  from_latitude: 52.5,
  from_longitude: 13.25,
  to_latitude: 52.75,
  to_longitude: 13.5,
  metres: 12_345,
  is_odometer: 1,
  moving_ms: 25 * MINUTE_MS,
  idle_ms: 5 * MINUTE_MS,
  max_speed_kmh: 81.5,
  mean_speed_kmh: 29.6,
  odometer_from_km: 1_000.5,
  odometer_to_km: 1_012.8,
  fuel_liters: 3.5,
};

const POSITION = {
  latitude: 0,
  longitude: 0,
  altitude_m: 0,
  speed_kmh: 0,
  heading_deg: 0,
  alarm_bits: 0,
  status_bits: 0,
  extra: '{}',
};
