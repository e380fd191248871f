import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NOWHERE } from '../../../../server/events/engine/trackedEvent.ts';
import { thinned } from '../../../../server/http/events/eventTrack.ts';
import type { Device } from '../../../../server/store/devices/devices.ts';
import type { NewEvent } from '../../../../server/store/events/eventLog.ts';
import {
  EVENT_TRACK_POINTS,
  EVENT_TRACK_SPAN_MS,
  type EventTrack,
  eventTrackPath,
} from '../../../../shared/protocol/api/eventTrack.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { createTestApp, type TestApp } from '../testApp.ts';

const EVENT_MS = Date.UTC(2026, 10, 23, 8, 30);
const SECOND = 1_000;

let test: TestApp;
let bus: Device;
beforeEach(async () => {
  test = await createTestApp();
  const north = await test.stores.deviceGroups.insert('North');
  const south = await test.stores.deviceGroups.insert('South');
  const members = await test.stores.memberGroups.insert({ name: 'Northern fleet' });
  const others = await test.stores.memberGroups.insert({ name: 'Southern fleet' });
  await test.stores.memberGroups.setDeviceGroups(members, [north]);
  await test.stores.memberGroups.setDeviceGroups(others, [south]);
  bus = await test.stores.devices.insert({ deviceId: 'BUS1', name: 'Lake line 1', chn: 1, deviceGroup: north });
  await test.addUser('mei', ['event'], [members]);
  await test.addUser('kai', ['event'], [others]);
  await test.addUser('viewer', ['report'], [members]);
});
afterEach(() => test.close());

async function addEvent(fields: Partial<NewEvent> = {}): Promise<number> {
  const event: NewEvent = {
    archiveNumber: bus.archiveNumber,
    type: 'speeding',
    unit: 0,
    area: 0,
    severity: 'major',
    source: 'terminal',
    beginAtMs: EVENT_MS,
    deviceTimeMs: EVENT_MS,
    place: NOWHERE,
    driver: '',
    rule: 0,
    isLate: false,
    edition: '2019',
    origins: 0,
    endAtMs: EVENT_MS + SECOND,
    lastSeenAtMs: EVENT_MS,
    endPlace: NOWHERE,
    count: 1,
    value: undefined,
    limit: undefined,
    alarmMark: '',
    ...fields,
  };
  const [id = 0] = await test.stores.eventLog.write({ added: [event], changed: [], days: [] });
  return id;
}

/** One position for each of the times, a little further north each. */
async function drive(timesMs: readonly number[], southMost = 25): Promise<void> {
  const positions = timesMs.map((atMs, at) => ({
    deviceId: bus.deviceId,
    incarnation: bus.incarnation,
    deviceTimeMs: wallMs(atMs),
    receivedAtMs: wallMs(atMs),
    latitude: southMost + at / 1_000,
    longitude: southMost === 0 ? 0 : 121.5,
    altitudeM: 0,
    speedKmh: 40,
    headingDeg: 0,
    alarmBits: 0,
    statusBits: 0,
    extra: {},
  }));
  await test.stores.positions.append(positions);
}

async function trackOf(id: number | string, username = 'mei') {
  const answer = await test.request({ url: eventTrackPath(id), headers: { cookie: await test.signIn(username) } });
  const { code, data } = answer.json() as { readonly code?: string; readonly data: EventTrack };
  return { status: answer.statusCode, code, data };
}

describe('the track of an event', () => {
  it("is where its device was five minutes before and after, by the device's clock", async () => {
    // A clock that is an hour late: positions are found by it.
    const deviceTimeMs = EVENT_MS - 3_600_000;
    const id = await addEvent({ deviceTimeMs });
    const times = [-EVENT_TRACK_SPAN_MS - 1, -EVENT_TRACK_SPAN_MS, 0, EVENT_TRACK_SPAN_MS - 1, EVENT_TRACK_SPAN_MS];
    await drive([...times.map((ms) => deviceTimeMs + ms), EVENT_MS]);
    const { status, data } = await trackOf(id);
    expect(status).toBe(200);
    expect(data.map(({ atMs }) => atMs - deviceTimeMs)).toEqual([-EVENT_TRACK_SPAN_MS, 0, EVENT_TRACK_SPAN_MS - 1]);
    expect(data[0]).toEqual({ atMs: deviceTimeMs - EVENT_TRACK_SPAN_MS, lat: 25.001, lng: 121.5, speedKmh: 40 });
  });

  it("goes by the gateway's clock where the event has no other", async () => {
    const id = await addEvent({ deviceTimeMs: 0 });
    await drive([EVENT_MS]);
    expect((await trackOf(id)).data).toHaveLength(1);
  });

  it('has so many points at most, the first and the last among them', async () => {
    const id = await addEvent();
    const times = Array.from({ length: 600 }, (_, at) => EVENT_MS - EVENT_TRACK_SPAN_MS + at * SECOND);
    await drive(times);
    const { data } = await trackOf(id);
    expect(data).toHaveLength(EVENT_TRACK_POINTS);
    expect([data[0]?.atMs, data.at(-1)?.atMs]).toEqual([times[0], times.at(-1)]);
    expect(thinned([1, 2, 3], 3)).toEqual([1, 2, 3]);
    expect(thinned([1, 2, 3, 4, 5], 3)).toEqual([1, 3, 5]);
  });

  it('is empty for a device that reported no place', async () => {
    const id = await addEvent();
    expect(await trackOf(id)).toMatchObject({ status: 200, data: [] });
    // Zeros, before the first fix.
    await drive([EVENT_MS], 0);
    expect(await trackOf(id)).toMatchObject({ status: 200, data: [] });
  });

  it('is there for whoever sees the event, and for nobody else', async () => {
    const id = await addEvent();
    await drive([EVENT_MS]);
    expect(await trackOf(id, 'kai')).toMatchObject({ status: 404, code: 'no-such-event' });
    expect(await trackOf(4_711)).toMatchObject({ status: 404, code: 'no-such-event' });
    expect(await trackOf(id, 'viewer')).toMatchObject({ status: 403 });
    expect((await test.request({ url: eventTrackPath(id) })).statusCode).toBe(401);
    expect(await trackOf('x')).toMatchObject({ status: 400 });
  });
});
