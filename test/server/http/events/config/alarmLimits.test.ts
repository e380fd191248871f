import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DeviceAlarmLimits } from '../../../../../shared/protocol/api/eventConfig.ts';
import type { Refused } from '../eventDefineScene.ts';
import { createEventConfigScene, type EventConfigScene, type Username } from './eventConfigScene.ts';

const LIMITS = '/api/eventconfig/limits';

let scene: EventConfigScene;
beforeEach(async () => {
  scene = await createEventConfigScene();
});
afterEach(() => scene.test.close());

const limitsOf = (deviceid: string, as?: Username) =>
  scene.ask<DeviceAlarmLimits>('GET', `${LIMITS}?deviceid=${deviceid}`, undefined, as);

function change<Data = DeviceAlarmLimits>(limits: object, deviceid = 'BUS1', as?: Username) {
  return scene.ask<Data>('PUT', LIMITS, { deviceid, limits }, as);
}

describe('alarm limits of a terminal', () => {
  it('are not known before anybody has asked or set them', async () => {
    expect((await limitsOf('BUS1')).data).toEqual({
      deviceid: 'BUS1',
      isOnline: false,
      state: 'none',
      by: '',
      writtenAtMs: 0,
      wanted: null,
      reported: null,
      reportedAtMs: 0,
    });
  });

  it('wait for the terminal, as a command to it, and are audited', async () => {
    await change({ maxSpeedKmh: 80, keyAlarms: 0xffff_ffff });
    const { status, data } = await change({ maxSpeedKmh: 90 });
    expect(status).toBe(200);
    expect(data).toMatchObject({
      state: 'waiting',
      by: 'north',
      writtenAtMs: scene.test.clock.now,
      wanted: { maxSpeedKmh: 90, keyAlarms: 0xffff_ffff },
      reported: null,
    });
    expect((await limitsOf('BUS1')).data).toEqual(data);
    const entries = await scene.test.stores.audit.list({ limit: 20 });
    expect(entries.filter(({ action }) => action === 'device.limits')).toMatchObject([
      { target: 'BUS1', before: { maxSpeedKmh: 80 }, after: { maxSpeedKmh: 90 } },
      { target: 'BUS1', before: {}, after: { maxSpeedKmh: 80, keyAlarms: 0xffff_ffff } },
    ]);
    expect(entries.filter(({ action }) => action === 'device.command')).toMatchObject([
      { actor: 'north', target: 'BUS1', detail: { message: 'setParameters', reason: 'device.limits', reference: 2 } },
      { detail: { reference: 1 } },
    ]);
  });

  it.each([
    ['below zero', { maxSpeedKmh: -1 }, 400],
    ['too high', { maxSpeedKmh: 251 }, 400],
    ['of 33 bits', { maskedAlarms: 0x1_0000_0000 }, 400],
    ['that nobody knows', { collision: 1 }, 400],
    ['none at all', {}, 422],
  ])('%s are refused', async (_, limits, status) => {
    expect((await change<Refused>(limits)).status).toBe(status);
    expect((await limitsOf('BUS1')).data.state).toBe('none');
  });

  it('of devices of others are not there', async () => {
    expect(await limitsOf('TRUCK1')).toMatchObject({ status: 404, code: 'no-such-device' });
    expect(await change<Refused>({ maxSpeedKmh: 80 }, 'TRUCK1')).toMatchObject({ status: 404 });
    expect((await limitsOf('TRUCK1', 'south')).status).toBe(200);
    expect((await limitsOf('BUS1', 'lister')).status).toBe(403);
  });
});
