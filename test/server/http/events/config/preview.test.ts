import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RulePreview, RulePreviewRequest } from '../../../../../shared/protocol/api/eventConfig.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';
import type { Refused } from '../eventDefineScene.ts';
import { createEventConfigScene, type EventConfigScene, type Username } from './eventConfigScene.ts';

const HOUR_MS = 3_600_000;
/** Ignition on, with a fix. */
const DRIVING = 3;

let scene: EventConfigScene;
beforeEach(async () => {
  scene = await createEventConfigScene();
  await drive('BUS1', [50, 85, 50, 105, 50]);
});
afterEach(() => scene.test.close());

/** A minute at each speed, an hour ago. */
async function drive(deviceId: string, speeds: readonly number[]): Promise<void> {
  const { stores, clock } = scene.test;
  const device = await stores.devices.findByDeviceId(deviceId);
  if (device === undefined) throw new Error(`no ${deviceId}`);
  const startMs = clock.now - HOUR_MS;
  const { incarnation } = device;
  const place = { latitude: 25, longitude: 121.5, altitudeM: 0, headingDeg: 0 };
  await stores.positions.append(
    speeds.flatMap((speedKmh, minute) =>
      [0, 10, 20, 30, 40, 50].map((second) => {
        const atMs = wallMs(startMs + (minute * 60 + second) * 1_000);
        const times = { deviceTimeMs: atMs, receivedAtMs: atMs };
        return { deviceId, incarnation, ...place, ...times, speedKmh, alarmBits: 0, statusBits: DRIVING, extra: {} };
      }),
    ),
  );
}

function preview<Data = RulePreview>(request: Partial<RulePreviewRequest> = {}, as?: Username) {
  const whole = { scope: 'installation', type: 'speeding', settings: {}, device: 'BUS1', ...request };
  return scene.ask<Data>('POST', '/api/eventconfig/preview', whole, as);
}

describe('a preview', () => {
  it('says what settings would have raised, beside those that hold now; it changes nothing', async () => {
    const settings = { threshold: 80, clearThreshold: 75 };
    const { status, data } = await preview({ settings: { ...settings, mergeSeconds: 0 } });
    expect(status).toBe(200);
    const startMs = scene.test.clock.now - HOUR_MS;
    expect(data).toEqual({
      events: 2,
      eventsNow: 1,
      positions: 30,
      isPartial: false,
      begins: [startMs + 180_000, startMs + 60_000],
    });
    expect(await scene.test.stores.eventRules.all()).toEqual([]);
    expect(scene.test.changed).toEqual([]);
    // Within the merge window, which is inherited, both are one.
    expect((await preview({ settings: { ...settings, mergeSeconds: 120 } })).data.events).toBe(1);
  });

  it('follows what nearer places have set', async () => {
    const off = { type: 'speeding', version: 0, settings: { threshold: 110 } };
    await scene.put({ ...off, scope: 'device', deviceid: 'BUS1' });
    const { data } = await preview({ settings: { threshold: 96 } });
    expect(data).toMatchObject({ events: 0, eventsNow: 0 });
    const here = await preview({ scope: 'device', deviceid: 'BUS1', settings: { threshold: 96 } });
    expect(here.data).toMatchObject({ events: 1, eventsNow: 0 });
  });

  it.each<[string, Partial<RulePreviewRequest>, number, string]>([
    ['a type that terminals alone report', { type: 'emergency' }, 409, 'no-preview'],
    ['a rule that goes by more than positions', { type: 'offline' }, 409, 'no-preview'],
    ['an unknown type', { type: 'speedy' }, 404, 'no-such-event-type'],
    ['a device of others', { device: 'TRUCK1' }, 404, 'no-such-device'],
    ['a device elsewhere', { scope: 'device', deviceid: 'LONE' }, 422, 'bad-fields'],
    ['settings out of range', { settings: { threshold: 9 } }, 422, 'bad-fields'],
  ])('of %s is refused', async (_, request, status, code) => {
    expect(await preview<Refused>(request)).toMatchObject({ status, code });
  });

  it('of a group is for its devices', async () => {
    const { buses, nightBuses } = scene.groups;
    expect((await preview({ scope: 'group', group: String(buses) })).status).toBe(200);
    const other = await preview<Refused>({ scope: 'group', group: String(nightBuses), device: 'LONE' });
    expect(other.data.fields).toEqual({ device: 'not-allowed' });
  });

  it('is for those who may configure events', async () => {
    expect((await preview({}, 'lister')).status).toBe(403);
    expect((await preview({}, 'south')).status).toBe(404);
  });
});
