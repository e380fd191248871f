import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WALLS_LIMIT } from '../../../../server/store/fleet/cameraWalls.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { anEvent } from '../events/anEvent.ts';
import { describeOnBothEngines, openWithReading, type TestDatabase } from '../testDatabase.ts';

describeOnBothEngines("the dashboard's stores", (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  let north: number;
  let south: number;
  let incarnations: ReadonlyMap<string, number>;
  beforeAll(async () => {
    database = await openWithReading(engine);
    stores = createStores(database.db, undefined, database.reading);
    north = await stores.deviceGroups.insert('North');
    south = await stores.deviceGroups.insert('South');
    const terminal = { canonical: '138', raw: '000000000138' };
    const known = { terminal, authCodeHash: 'x', timeZone: 'Asia/Taipei' };
    await stores.devices.insert({ deviceId: 'N1', name: 'n', chn: 2, deviceGroup: north, ...known });
    await stores.devices.insert({ deviceId: 'S1', name: 's', chn: 1, deviceGroup: south });
    await stores.devices.insert({ deviceId: 'S2', name: 's', chn: 1, deviceGroup: south, disabled: true });
    await stores.devices.insert({ deviceId: 'U1', name: 'u', chn: 1 });
    incarnations = new Map((await stores.devices.list()).map((device) => [device.deviceId, device.incarnation]));
  });
  afterAll(() => database.close());

  it('list the devices that are in a group and not disabled', async () => {
    const devices = await stores.fleet.devices();
    expect(devices.map(({ deviceId }) => deviceId).sort()).toEqual(['N1', 'S1']);
    expect(devices.find(({ deviceId }) => deviceId === 'N1')).toEqual({
      deviceId: 'N1',
      name: 'n',
      plate: '',
      terminalNumber: '138',
      deviceGroup: north,
      groupName: 'North',
      incarnation: incarnations.get('N1'),
      archiveNumber: incarnations.get('N1'),
      chn: 2,
      timeZone: 'Asia/Taipei',
      installchs: '11',
      wasSeen: true,
    });
    expect(await stores.fleet.countAll()).toBe(4);
  });

  it('give the newest position of each device by its own clock, with the cameras that it had lost', async () => {
    const position = (deviceTimeMs: number, extra: Record<string, string> = {}) => ({
      deviceId: 'N1',
      incarnation: incarnations.get('N1') ?? 0,
      deviceTimeMs: wallMs(deviceTimeMs),
      receivedAtMs: wallMs(9),
      latitude: 1,
      longitude: 2,
      altitudeM: 0,
      speedKmh: deviceTimeMs,
      headingDeg: 0,
      alarmBits: 0,
      statusBits: 0,
      extra,
    });
    await stores.positions.append([position(5), position(7, { 21: '00000005' }), position(6)]);
    expect(await stores.fleet.lastReports(9)).toEqual([
      expect.objectContaining({
        deviceId: 'N1',
        deviceTimeMs: 7,
        speedKmh: 7,
        videoLostHex: '00000005',
      }),
    ]);
  });

  it.each([
    { title: 'was a year ahead', steps: [], expected: 1_795_000_000_000 },
    {
      title: 'is 1,024 weeks behind',
      steps: [
        { device_from_ms: 1_000, offset_ms: 0 },
        { device_from_ms: 1_175_000_000_000, offset_ms: 620_000_000_000 },
      ],
      expected: 1_175_000_000_000,
    },
  ])('give the newest position of a clock that $title', async ({ steps, expected }) => {
    const incarnation = incarnations.get('S1') ?? 0;
    await database.db.deleteFrom('position').execute();
    await database.db.deleteFrom('device_clock').execute();
    const nowMs = 1_795_000_000_000;
    const times = [nowMs - 5_000, nowMs, nowMs + 365 * 86_400_000, 1_175_000_000_000, 1_175_000_000_000 - 5_000];
    const place = { latitude: 1, longitude: 2, altitudeM: 0, speedKmh: 0, headingDeg: 0 };
    const flags = { alarmBits: 0, statusBits: 0, extra: {}, receivedAtMs: wallMs(nowMs) };
    await stores.positions.append(
      times.map((at) => ({ deviceId: 'S1', incarnation, deviceTimeMs: wallMs(at), ...place, ...flags })),
    );
    for (const step of steps)
      await database.db
        .insertInto('device_clock')
        .values({ incarnation, ...step })
        .execute();
    const last = await stores.fleet.lastReports(nowMs);
    expect(last.map(({ deviceTimeMs }) => deviceTimeMs)).toEqual([expected]);
  });

  it('know which device groups a member group owns', async () => {
    const member = await stores.memberGroups.insert({ name: 'M' });
    expect(await stores.fleet.deviceGroupsOf(member)).toEqual([]);
    await stores.memberGroups.setDeviceGroups(member, [north, south]);
    expect((await stores.fleet.deviceGroupsOf(member)).sort()).toEqual([north, south].sort());
  });

  describe('online history', () => {
    it('adds samples up within an interval and sums over groups, in order', async () => {
      const { onlineHistory } = stores;
      const sample = (deviceGroup: number, online: number, total: number) => ({ deviceGroup, online, total });
      await onlineHistory.add(10, 20, [sample(north, 1, 2), sample(south, 3, 3)]);
      await onlineHistory.add(10, 20, [sample(north, 2, 2)]);
      await onlineHistory.add(10, 10, [sample(north, 0, 2)]);
      await onlineHistory.add(60, 0, [sample(north, 9, 9)]);
      const span = { stepMs: 10, fromMs: 10, toMs: 30 };
      expect(await onlineHistory.points([north, south], span)).toEqual([
        { atMs: 10, online: 0, total: 2 },
        { atMs: 20, online: 6, total: 7 },
      ]);
      expect(await onlineHistory.points([south], span)).toEqual([{ atMs: 20, online: 3, total: 3 }]);
      expect(await onlineHistory.points([], span)).toEqual([]);
    });

    it('is removed by age, each grain for itself', async () => {
      await stores.onlineHistory.removeBefore(10, 20);
      const span = { fromMs: 0, toMs: 100 };
      expect(await stores.onlineHistory.points([north], { ...span, stepMs: 10 })).toHaveLength(1);
      expect(await stores.onlineHistory.points([north], { ...span, stepMs: 60 })).toHaveLength(1);
    });
  });

  it('count events by type and by device, of the groups asked for alone', async () => {
    const archives = new Map((await stores.fleet.archives()).map((each) => [each.deviceId, each.archiveNumber]));
    const began = (deviceId: string, type: string, beginAtMs: number) =>
      anEvent({ archiveNumber: archives.get(deviceId) ?? -1, type, beginAtMs });
    const added = [
      began('N1', 'emergency', 100),
      began('N1', 'speeding', 100),
      began('N1', 'speeding', 200),
      began('S1', 'speeding', 150),
      began('S2', 'fatigue', 150),
      began('U1', 'fatigue', 150),
      began('N1', 'emergency', 10),
      // This event is of the gateway itself, and of no group.
      anEvent({ archiveNumber: 0, type: 'disk-full', beginAtMs: 150 }),
    ];
    await stores.eventLog.write({ added, changed: [], days: [] });
    const { eventFigures } = stores;
    expect(await eventFigures.summary([north, south], 50, 10)).toEqual({
      types: [
        { type: 'speeding', count: 3 },
        { type: 'emergency', count: 1 },
      ],
      devices: [
        { deviceId: 'N1', count: 3 },
        { deviceId: 'S1', count: 1 },
      ],
    });
    expect((await eventFigures.summary([north, south], 50, 1)).devices).toHaveLength(1);
    expect(await eventFigures.summary([], 0, 1)).toEqual({ types: [], devices: [] });
    expect(await eventFigures.devicesWith([north, south], 'speeding', 50)).toEqual([
      { deviceId: 'N1', count: 2 },
      { deviceId: 'S1', count: 1 },
    ]);
    expect(await eventFigures.devicesWith([north], 'emergency', 50)).toEqual([{ deviceId: 'N1', count: 1 }]);
    expect(await eventFigures.devicesWith([south], 'fatigue', 0)).toEqual([]);
    expect(await eventFigures.devicesWith([], 'speeding', 0)).toEqual([]);
  });

  it('keep walls by name and user, replace one of the same name, and refuse one too many', async () => {
    const user = (username: string) => stores.users.insert({ username, passwordHash: 'h', permissions: [] }, wallMs(5));
    const [first, second] = [await user('first'), await user('second')];
    const wall = { name: 'Gates', channels: [{ deviceId: 'N1', channel: 1 }], cycleSeconds: 0 };
    expect(await stores.cameraWalls.put(first, wall)).toBe(true);
    expect(await stores.cameraWalls.put(first, { ...wall, cycleSeconds: 20 })).toBe(true);
    expect(await stores.cameraWalls.listOf(first)).toEqual([{ ...wall, cycleSeconds: 20 }]);
    expect(await stores.cameraWalls.listOf(second)).toEqual([]);
    expect(await stores.cameraWalls.remove(second, 'Gates')).toBe(false);
    for (let at = 1; at < WALLS_LIMIT.max; at++) await stores.cameraWalls.put(first, { ...wall, name: `W${at}` });
    expect(await stores.cameraWalls.put(first, { ...wall, name: 'one more' })).toBe(false);
    expect(await stores.cameraWalls.put(first, { ...wall, cycleSeconds: 5 })).toBe(true);
    expect(await stores.cameraWalls.remove(first, 'Gates')).toBe(true);
  });

  it('say how much was recorded since a moment', async () => {
    const segment = (startMs: number, bytes: number) => ({
      archiveId: 'N1',
      channel: 1,
      quality: 'main' as const,
      startMs: wallMs(startMs),
      endMs: wallMs(startMs + 1),
      deviceStartMs: wallMs(0),
      deviceEndMs: wallMs(0),
      bytes,
      groupCount: 1,
    });
    expect(await stores.segments.writtenSince(0)).toEqual({ bytes: 0, firstMs: undefined });
    await stores.segments.add([segment(100, 10), segment(200, 20), segment(300, 30)]);
    expect(await stores.segments.writtenSince(200)).toEqual({ bytes: 50, firstMs: 200 });
  });
});
