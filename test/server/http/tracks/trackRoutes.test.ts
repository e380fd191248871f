import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_SUMMARY_ROWS } from '../../../../shared/protocol/api/tracks/track.ts';
import { anEvent } from '../../store/events/anEvent.ts';
import { createTrackScene, positionOf, START, type TrackScene } from './trackScene.ts';

const DAY_MS = 86_400_000;
const SPAN = { deviceid: 'BUS1', from: START, to: START + DAY_MS };

describe('calls of a track', () => {
  let scene: TrackScene;
  beforeEach(async () => {
    scene = await createTrackScene();
    const { stores } = scene.test;
    const at = (seconds: number, longitude: number, speedKmh: number) =>
      positionOf(scene.bus, START + seconds * 1_000, { longitude, speedKmh });
    await stores.positions.append([at(0, 13, 10), at(10, 13.1, 90), at(20, 13.2, 40), at(30, 13.2, 0)]);
  });
  afterEach(() => scene.test.close());

  it('give the line, the chart, the positions and the summary to any member of the group', async () => {
    const { get } = scene;
    const { data: line } = (await get('line', { ...SPAN, degreesPerPixel: '0.01' })).json();
    expect(line).toEqual({
      ...{ atMs: [START, START + 10_000, START + 20_000, START + 30_000], lng: [13, 13.1, 13.2, 13.2] },
      ...{ lat: [52, 52, 52, 52], speedKmh: [10, 90, 40, 0], headingDeg: [90, 90, 90, 90] },
      ...{ gaps: [], positions: 4, isCoarse: false, clock: [] },
    });
    const { data: chart } = (await get('chart', { ...SPAN, to: START + 40_000, steps: 2 })).json();
    expect(chart).toMatchObject({ fromMs: START, stepMs: 20_000, speedMin: [10, 0], speedMax: [90, 40] });
    expect(chart).toMatchObject({ speedLimitKmh: null, altitude: [30, 30], ignition: [1, 1], signal: [null, null] });
    expect((await get('chart', { ...SPAN, deviceid: 'LIMITED' })).json().data.speedLimitKmh).toBe(80);
    const { data: points } = (await get('points', { ...SPAN, limit: 2 })).json();
    expect(points.rows).toHaveLength(2);
    expect(points.rows[0]).toMatchObject({ atMs: START, speedKmh: 10, hasFix: true, mileageKm: null });
    expect(points.previous).toBeNull();
    expect((await get('summary', SPAN)).json().data).toEqual({
      ...{ clock: [], trips: [], stops: [], gaps: [], events: [], recordings: [], isCut: false },
    });
  });

  it('say when a summary is cut, and give the first of what there is', async () => {
    const gaps = Array.from({ length: MAX_SUMMARY_ROWS + 1 }, (_, at) => {
      return { incarnation: scene.bus.incarnation, from_ms: START + at * 10, to_ms: START + at * 10 + 5 };
    });
    const whole = gaps.slice(0, -1);
    const { db } = scene.test;
    for (let at = 0; at < whole.length; at += 500) {
      await db
        .insertInto('track_gap')
        .values(whole.slice(at, at + 500))
        .execute();
    }
    const full = (await scene.get('summary', SPAN)).json().data;
    expect([full.gaps.length, full.isCut]).toEqual([MAX_SUMMARY_ROWS, false]);
    await db.insertInto('track_gap').values(gaps.slice(-1)).execute();
    const cut = (await scene.get('summary', SPAN)).json().data;
    expect([cut.gaps.length, cut.isCut]).toEqual([MAX_SUMMARY_ROWS, true]);
    expect(cut.gaps[0]).toEqual({ fromMs: START, toMs: START + 5 });
  });

  it('need a session, and the device in its current member group', async () => {
    const { get, as, export: post } = scene;
    const file = { deviceid: 'BUS1', fromMs: START, toMs: START + 1, format: 'csv', language: 'en', timeZone: 'UTC' };
    for (const path of ['line', 'chart', 'points', 'summary']) {
      expect((await get(path, SPAN, '')).statusCode, path).toBe(401);
      for (const deviceid of ['BUS1', 'NONE']) {
        const answer = await get(path, { ...SPAN, deviceid }, as.stranger);
        expect([answer.statusCode, answer.json().code], path).toEqual([404, 'no-such-device']);
      }
      expect((await get(path, { ...SPAN, deviceid: 'OFF' })).statusCode, path).toBe(404);
    }
    expect((await post(file, as.stranger)).statusCode).toBe(404);
    expect((await post({ ...file, deviceid: 'OFF' })).statusCode).toBe(404);
    expect((await post(file, as.watcher)).statusCode).toBe(403);
    expect((await post(file, '')).statusCode).toBe(401);
  });

  it('refuse spans that are none, that are too long or that no clock has', async () => {
    const { get } = scene;
    const spans = [
      { from: START, to: START },
      { from: START + 1, to: START },
      { from: START, to: START + 31 * DAY_MS + 1 },
      { from: '999999999999998', to: '999999999999999' },
    ];
    for (const path of ['line', 'chart', 'points', 'summary']) {
      for (const span of spans.slice(0, 3)) {
        const answer = await get(path, { ...SPAN, ...span });
        expect([answer.statusCode, answer.json().code], path).toEqual([400, 'bad-track-span']);
      }
      expect((await get(path, { ...SPAN, ...spans[3] })).statusCode, path).toBe(200);
      expect((await get(path, { ...SPAN, from: START - 30 * DAY_MS })).statusCode, path).toBe(200);
    }
  });

  it.each([
    ['line', { from: '-1' }],
    ['line', { from: 'yesterday' }],
    ['line', { degreesPerPixel: '-1' }],
    ['line', { degreesPerPixel: 'NaN' }],
    ['line', { most: '0' }],
    ['line', { deviceid: '' }],
    ['line', { other: '1' }],
    ['chart', { steps: '0' }],
    ['points', { after: 'x'.repeat(201) }],
    ['points', { after: 'nothing' }],
    ['points', { after: Buffer.from('["time",0,1]').toString('base64url') }],
    ['points', { after: Buffer.from('["time",0,1,-1]').toString('base64url') }],
    ['points', { at: '1', after: Buffer.from('["time",0,1,0]').toString('base64url') }],
    ['points', { limit: '1000' }],
    ['summary', { limit: '1' }],
  ])('refuse what %s has no use for: %j', async (path, query) => {
    expect((await scene.get(path, { ...SPAN, ...query })).statusCode).toBe(400);
  });

  it('take the least of what may be asked for', async () => {
    const { data } = (await scene.get('line', { ...SPAN, most: 1, degreesPerPixel: '1e-9' })).json();
    expect([data.atMs, data.isCoarse]).toEqual([[START, START + 30_000], true]);
  });

  it('leave out the year 2099 and zeros, and show what came three times once', async () => {
    const { get, test, bus } = scene;
    const repeated = positionOf(bus, START + 60_000, { latitude: 53 });
    await test.stores.positions.append([
      ...[repeated, repeated, repeated],
      positionOf(bus, Date.UTC(2099, 0, 1)),
      positionOf(bus, START + 50_000, { latitude: 0, longitude: 0 }),
    ]);
    const { data } = (await get('line', SPAN)).json();
    expect(data.positions).toBe(8);
    expect(data.atMs.at(-1)).toBe(START + 60_000);
    expect(data.lat.filter((lat: number) => lat === 53)).toHaveLength(1);
    expect(data.lat).not.toContain(0);
    const { rows } = (await get('points', SPAN)).json().data;
    expect(rows).toHaveLength(8);
    expect(rows.filter(({ hasFix }: { hasFix: boolean }) => !hasFix)).toMatchObject([{ lat: 0, lng: 0 }]);
    const later = { ...SPAN, from: Date.UTC(2099, 0, 1), to: Date.UTC(2099, 0, 2) };
    expect((await get('line', later)).json().data.positions).toBe(1);
  });

  it('use the clock of the gateway, where that of the device is seven minutes behind', async () => {
    const { get, test, bus } = scene;
    const clock = { incarnation: bus.incarnation, device_from_ms: START - DAY_MS, offset_ms: 420_000 };
    await test.db.insertInto('device_clock').values(clock).execute();
    const span = { ...SPAN, from: START + 420_000, to: START + 440_000 };
    const { data: line } = (await get('line', span)).json();
    expect(line).toMatchObject({ atMs: [START + 420_000, START + 430_000], positions: 2 });
    expect(line.clock).toEqual([{ fromMs: START - DAY_MS + 420_000, offsetMs: 420_000 }]);
    const { rows } = (await get('points', span)).json().data;
    expect(rows[1]).toMatchObject({ atMs: START + 430_000, deviceTimeMs: START + 10_000 });
    expect((await get('chart', { ...span, steps: 2 })).json().data.speedMax).toEqual([10, 90]);
    expect((await get('summary', span)).json().data.clock).toEqual(line.clock);
  });

  it('page through positions both ways, and begin at a moment', async () => {
    const { get } = scene;
    const speedsOf = (page: { rows: readonly { speedKmh: number }[] }) => page.rows.map(({ speedKmh }) => speedKmh);
    const page = async (query: object) => (await get('points', { ...SPAN, limit: 2, ...query })).json().data;
    const first = await page({});
    const second = await page({ after: first.next });
    expect([speedsOf(first), speedsOf(second), second.next]).toEqual([[10, 90], [40, 0], null]);
    expect(await page({ before: second.previous })).toEqual({ ...first, previous: null });
    const middle = await page({ at: START + 15_000 });
    expect([speedsOf(middle), middle.previous, middle.next]).toEqual([[90, 40], expect.anything(), expect.anything()]);
    expect(speedsOf(await page({ at: START - 1 }))).toEqual([10, 90]);
    expect(speedsOf(await page({ at: START + DAY_MS }))).toEqual([0]);
    const end = await page({ after: middle.next, limit: 100 });
    expect([speedsOf(end), end.next]).toEqual([[0], null]);
  });

  it('sum up trips, stops and gaps with the names of places, as far as they are in the span', async () => {
    const { get, test, bus, memberGroup } = scene;
    const { incarnation } = bus;
    const times = { from_ms: START + 1_000, to_ms: START + 61_000, clock_offset_ms: 0 };
    const trip = {
      ...{ ...times, incarnation, driver: 'Ann', is_open: 0, from_latitude: 52, from_longitude: 13 },
      ...{ to_latitude: 48, to_longitude: 13, metres: 1_234.6, is_odometer: 1, moving_ms: 50_000, idle_ms: 10_000 },
      ...{ max_speed_kmh: 90, mean_speed_kmh: 45, odometer_from_km: null, odometer_to_km: null, fuel_liters: null },
    };
    const earlier = { ...trip, from_ms: START - 5_000, to_ms: START - 1 };
    await test.db.insertInto('trip').values([trip, earlier]).execute();
    const stop = { ...times, incarnation, is_open: 1, latitude: 52, longitude: 13, idle_ms: 7 };
    await test.db.insertInto('stop').values(stop).execute();
    const gap = { incarnation, from_ms: START - 1_000, to_ms: START + 1_000 };
    await test.db.insertInto('track_gap').values(gap).execute();
    const { data } = (await get('summary', SPAN)).json();
    const shown = { fromMs: START + 1_000, toMs: START + 61_000, clockOffsetMs: 0 };
    expect(data.trips).toMatchObject([
      {
        ...shown,
        driver: 'Ann',
        isOpen: false,
        fromPlace: `north of ${memberGroup}`,
        toPlace: '',
        metres: 1_235,
        isOdometer: true,
        odometerDiffers: false,
      },
    ]);
    expect(data.stops).toMatchObject([{ ...shown, isOpen: true, place: `north of ${memberGroup}`, idleMs: 7 }]);
    expect(data.gaps).toEqual([{ fromMs: START - 1_000, toMs: START + 1_000 }]);
  });

  it('sum up recordings by channel, and events for those who see events', async () => {
    const { get, test, bus, as } = scene;
    const { archiveNumber, archiveId } = bus;
    const added = [START - 1, START + 5_000].map((beginAtMs) =>
      anEvent({ archiveNumber, beginAtMs, type: 'speeding' }),
    );
    await test.stores.eventLog.write({ added, changed: [], days: [] });
    const range = { archive_id: archiveId, from_ms: START - 10_000, to_ms: START + 10_000 };
    await test.db
      .insertInto('recorded_range')
      .values([1, 2].map((channel) => ({ ...range, channel })))
      .execute();
    const { data } = (await get('summary', SPAN, as.guard)).json();
    expect(data.events).toMatchObject([{ type: 'speeding', beginAtMs: START + 5_000, hasPictures: false }]);
    const ranges = [{ fromMs: START, toMs: START + 10_000 }];
    expect(data.recordings).toEqual([
      { channel: 1, ranges },
      { channel: 2, ranges },
    ]);
    expect((await get('summary', SPAN)).json().data.events).toEqual([]);
  });

  it('show nothing of a former device with the same id', async () => {
    const { get, test, bus } = scene;
    await test.stores.devices.remove('BUS1');
    const deviceGroup = bus.deviceGroup;
    await test.stores.devices.insert({ deviceId: 'BUS1', name: 'New', chn: 1, deviceGroup });
    expect((await get('line', SPAN)).json().data.positions).toBe(0);
    expect((await get('points', SPAN)).json().data).toEqual({ rows: [], next: null, previous: null });
  });

  it('are not read by those who came for another group', async () => {
    const { get, test, as } = scene;
    const { stores } = test;
    const other = await stores.memberGroups.insert({ name: 'Other' });
    await stores.memberGroups.setDeviceGroups(other, []);
    const watcher = await stores.users.findByName('watcher');
    await stores.memberGroups.setGroupsOfUser(watcher?.id ?? 0, [other]);
    expect((await get('line', SPAN, as.watcher)).statusCode).toBe(404);
  });
});
