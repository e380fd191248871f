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

interface ChangeOptions {
  readonly version?: number;
  readonly deviceid?: string;
  readonly as?: Username;
}

function change<Data = DeviceAlarmLimits>(limits: object, options: ChangeOptions = {}) {
  const { version = 0, deviceid = 'BUS1', as } = options;
  return scene.ask<Data>('PUT', LIMITS, { deviceid, version, limits }, as);
}

describe('alarm limits of a terminal', () => {
  it('are not known before anybody has asked or set them', async () => {
    expect((await limitsOf('BUS1')).data).toEqual({
      deviceid: 'BUS1',
      isOnline: false,
      state: 'none',
      version: 0,
      by: '',
      writtenAtMs: 0,
      wanted: null,
      reported: null,
      reportedAtMs: 0,
    });
  });

  it('wait for the terminal, as a command to it, and are audited', async () => {
    await change({ maxSpeedKmh: 80, keyAlarms: 0xffff_ffff });
    const { status, data } = await change({ maxSpeedKmh: 90 }, { version: 1 });
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

  it('that another administrator has changed first are a conflict, with what holds now', async () => {
    await change({ maxSpeedKmh: 80 });
    const { status, code, data } = await change<Refused>({ maxSpeedKmh: 100, restSeconds: 60 });
    expect([status, code]).toEqual([409, 'conflict']);
    expect(data).toMatchObject({ current: { version: 1, wanted: { maxSpeedKmh: 80 } } });
    expect((await limitsOf('BUS1')).data.wanted).toEqual({ maxSpeedKmh: 80 });
  });

  it('that are null are not set any more, though zero is a limit', async () => {
    await change({ maxSpeedKmh: 80, restSeconds: 60 });
    const { data } = await change({ maxSpeedKmh: null, restSeconds: 0 }, { version: 1 });
    expect(data).toMatchObject({ version: 2, wanted: { restSeconds: 0 }, state: 'waiting' });
    const { data: none } = await change({ restSeconds: null }, { version: 2 });
    expect(none).toMatchObject({ version: 3, wanted: {}, state: 'none' });
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
    expect(await change<Refused>({ maxSpeedKmh: 80 }, { deviceid: 'TRUCK1' })).toMatchObject({ status: 404 });
    expect((await limitsOf('TRUCK1', 'south')).status).toBe(200);
    expect((await limitsOf('BUS1', 'lister')).status).toBe(403);
  });
});
