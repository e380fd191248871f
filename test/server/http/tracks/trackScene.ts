// Two member groups with a device each, and a member of each who may export.
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import type { Device } from '../../../../server/store/devices/devices.ts';
import type { Position } from '../../../../server/store/fleet/positions.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { createTestApp, type TestApp, type TestAppOptions } from '../testApp.ts';

export const START = Date.UTC(2026, 10, 23, 8);

export interface TrackScene {
  readonly test: TestApp;
  readonly bus: Device;
  readonly memberGroup: number;
  /** Sees the bus alone, and exports; `watcher` has no permission, and `guard` sees events. */
  readonly as: Readonly<Record<'driver' | 'stranger' | 'watcher' | 'guard', string>>;
  get(path: string, query: Readonly<Record<string, string | number>>, cookie?: string): Promise<LightMyRequestResponse>;
  export(body: object, cookie?: string): Promise<LightMyRequestResponse>;
  /** Asks for the file and fetches it. */
  download(body: object): Promise<LightMyRequestResponse>;
}

export async function createTrackScene(options: TestAppOptions = {}): Promise<TrackScene> {
  const test = await createTestApp({}, options);
  const { stores } = test;
  const [north, south] = [await stores.deviceGroups.insert('North'), await stores.deviceGroups.insert('South')];
  const [mine, theirs] = [
    await stores.memberGroups.insert({ name: 'M' }),
    await stores.memberGroups.insert({ name: 'T' }),
  ];
  await stores.memberGroups.setDeviceGroups(mine, [north]);
  await stores.memberGroups.setDeviceGroups(theirs, [south]);
  const bus = await stores.devices.insert({
    deviceId: 'BUS1',
    name: '=Bus <1>',
    plate: 'P&1',
    chn: 2,
    deviceGroup: north,
  });
  await stores.devices.insert({ deviceId: 'OFF', name: 'Off', chn: 1, deviceGroup: north, disabled: true });
  await stores.devices.insert({ deviceId: 'LIMITED', name: 'L', chn: 1, deviceGroup: north });
  await test.addUser('driver', ['export'], [mine]);
  await test.addUser('stranger', ['export', 'event', 'system'], [theirs]);
  await test.addUser('watcher', [], [mine]);
  await test.addUser('guard', ['event'], [mine]);
  const as = {
    driver: await test.signIn('driver'),
    stranger: await test.signIn('stranger'),
    watcher: await test.signIn('watcher'),
    guard: await test.signIn('guard'),
  };
  const send = (options: InjectOptions, cookie: string) => test.request({ ...options, headers: { cookie } });
  const get: TrackScene['get'] = (path, query, cookie = as.watcher) => {
    const texts = Object.entries(query).map(([name, value]) => [name, String(value)]);
    return send({ url: `/api/track/${path}?${new URLSearchParams(texts)}` }, cookie);
  };
  const post: TrackScene['export'] = (body, cookie = as.driver) =>
    send({ method: 'POST', url: '/api/track/export', body }, cookie);
  const download = async (body: object): Promise<LightMyRequestResponse> => {
    const answer = await post(body);
    return answer.statusCode === 200 ? test.request({ url: answer.json().data.address }) : answer;
  };
  return { test, bus, memberGroup: mine, as, get, export: post, download };
}

/** With a fix and the ignition on. */
export function positionOf(
  { deviceId, incarnation }: Device,
  deviceTimeMs: number,
  more: Partial<Position> = {},
): Position {
  return {
    deviceId,
    incarnation,
    deviceTimeMs: wallMs(deviceTimeMs),
    receivedAtMs: wallMs(deviceTimeMs),
    latitude: 52,
    longitude: 13,
    altitudeM: 30,
    speedKmh: 40,
    headingDeg: 90,
    alarmBits: 0,
    statusBits: 3,
    extra: {},
    ...more,
  };
}
