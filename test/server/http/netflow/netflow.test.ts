import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { NetflowDevice, NetflowUse, SimPlan } from '../../../../shared/protocol/api/netflow/netflow.ts';
import { cookieFor } from '../events/eventDefineScene.ts';
import { createTestApp, type TestApp } from '../testApp.ts';

const PLAN = { name: 'Small', megabytes: 100, resetDay: 5, timeZone: 'UTC', price: '9.90', action: 'no-video' };
const HOUR_MS = 3_600_000;

let test: TestApp;
let bus: number;
beforeAll(async () => {
  test = await createTestApp();
  for (const [name, deviceId] of [
    ['North', 'BUS1'],
    ['South', 'TRUCK1'],
  ] as const) {
    const deviceGroup = await test.stores.deviceGroups.insert(name);
    const memberGroup = await test.stores.memberGroups.insert({ name });
    await test.stores.memberGroups.setDeviceGroups(memberGroup, [deviceGroup]);
    const { incarnation } = await test.stores.devices.insert({ deviceId, name, chn: 4, deviceGroup });
    if (deviceId === 'BUS1') bus = incarnation;
    await test.addUser(name.toLowerCase(), ['netflow'], [memberGroup]);
    if (name === 'North') await test.addUser('guest', [], [memberGroup]);
  }
});
afterEach(async () => {
  for (const table of ['device_sim', 'sim_plan', 'netflow_device', 'netflow_hour', 'audit'] as const) {
    await test.db.deleteFrom(table).execute();
  }
});
afterAll(() => test.close());

async function ask<Data>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object, as = 'north') {
  const headers = as === '' ? {} : { cookie: await cookieFor(test, as) };
  const answer = await test.request({ method, url, headers, ...(body === undefined ? {} : { body }) });
  const { code, data } = answer.json() as { code?: string; data: Data };
  return { status: answer.statusCode, code, data };
}

const addPlan = async (): Promise<SimPlan> => (await ask<SimPlan>('POST', '/api/netflow/plans', PLAN)).data;
const sim = (change: object = {}) => ({
  ...{ deviceid: 'BUS1', number: '+1', iccid: '89', plan: 0, expiryDay: '', version: 0 },
  ...change,
});

describe('data usage over the API (S-2.4.9)', () => {
  it.each([
    ['', 401],
    ['guest', 403],
  ] as const)('is not for %s', async (as, status) => {
    const calls = [
      ['GET', '/api/netflow/devices'],
      ['GET', '/api/netflow/use?fromMs=0&toMs=1&step=day&timeZone=UTC'],
      ['GET', '/api/netflow/hours?deviceid=BUS1&day=2026-11-23&timeZone=UTC'],
      ['POST', '/api/netflow/file?format=csv&language=en'],
      ['GET', '/api/netflow/plans'],
      ['POST', '/api/netflow/plans', PLAN],
      ['PUT', '/api/netflow/sim', sim()],
      ['POST', '/api/netflow/lift', { deviceid: 'BUS1', hours: 1, reason: '' }],
    ] as const;
    for (const [method, url, body] of calls) {
      expect({ url, status: (await ask(method, url, body, as)).status }).toEqual({ url, status });
    }
  });

  it('knows no devices and plans of other member groups', async () => {
    const plan = await addPlan();
    const calls = [
      ['GET', '/api/netflow/use?fromMs=0&toMs=1&step=day&timeZone=UTC&deviceid=BUS1'],
      ['GET', '/api/netflow/hours?deviceid=BUS1&day=2026-11-23&timeZone=UTC'],
      ['PUT', '/api/netflow/sim', sim()],
      ['POST', '/api/netflow/lift', { deviceid: 'BUS1', hours: 1, reason: '' }],
      ['PUT', `/api/netflow/plans/${plan.id}`, { ...PLAN, version: 1 }],
      ['DELETE', `/api/netflow/plans/${plan.id}?version=1`],
    ] as const;
    for (const [method, url, body] of calls) {
      expect({ url, status: (await ask(method, url, body, 'south')).status }).toEqual({ url, status: 404 });
    }
    const foreign = await ask('PUT', '/api/netflow/sim', sim({ deviceid: 'TRUCK1', plan: plan.id }), 'south');
    expect(foreign).toMatchObject({ status: 422, data: { fields: { plan: 'unknown' } } });
  });

  it('shows devices with their plan, the overhead of the network included', async () => {
    const plan = await addPlan();
    expect((await ask('PUT', '/api/netflow/sim', sim({ plan: plan.id }))).status).toBe(200);
    const row = { incarnation: bus, fromMs: 1, toMs: 2, receivedBytes: 1_000, sentBytes: 100 };
    const kinds = [1_100, 0, 0, 0, 0, 0, 0, 0, 0];
    await test.stores.netflowUse.write(
      [],
      [{ ...row, kinds, today: 1, todayBytes: 50, forecastBytes: 2_000, days: [] }],
    );
    const { data } = await ask<{ rows: NetflowDevice[] }>('GET', '/api/netflow/devices');
    expect(data.rows).toHaveLength(1);
    expect(data.rows[0]).toMatchObject({
      ...{ deviceid: 'BUS1', receivedBytes: 1_040, sentBytes: 104, todayBytes: 52, forecastBytes: 2_080 },
      ...{ planName: 'Small', planBytes: 100_000_000, action: 'no-video', simNumber: '+1', simVersion: 1 },
    });
  });

  it('adds use up to steps, and shows a device hour by hour', async () => {
    const dayMs = Date.UTC(2026, 10, 22);
    const none = Array.from({ length: 9 }, () => 0);
    const hours = [1, 2].map((at) => ({
      ...{ incarnation: bus, hourMs: dayMs + at * HOUR_MS, received: [100, ...none.slice(1)], sent: none },
    }));
    await test.stores.netflowUse.write(hours, []);
    const range = `fromMs=${dayMs}&toMs=${dayMs + 24 * HOUR_MS}&timeZone=UTC`;
    const byDay = await ask<NetflowUse>('GET', `/api/netflow/use?${range}&step=day`);
    expect(byDay.data.steps).toEqual([{ fromMs: dayMs, kinds: [208, ...none.slice(1)] }]);
    expect(byDay.data.top).toEqual([{ deviceid: 'BUS1', name: 'North', bytes: 208 }]);
    const byHour = await ask<NetflowUse>('GET', `/api/netflow/use?${range}&step=hour`);
    expect(byHour.data.steps).toHaveLength(2);
    const ofDevice = await ask<unknown[]>('GET', '/api/netflow/hours?deviceid=BUS1&day=2026-11-22&timeZone=UTC');
    expect(ofDevice.data).toHaveLength(2);
    const tooLong = `/api/netflow/use?fromMs=0&toMs=${36 * 24 * HOUR_MS}&timeZone=UTC&step=hour`;
    expect((await ask('GET', tooLong)).status).toBe(422);
    // By the hour, a fleet has too many rows; a single device hasn't.
    const threeDays = `/api/netflow/use?fromMs=${dayMs}&toMs=${dayMs + 72 * HOUR_MS}&timeZone=UTC&step=hour`;
    expect((await ask('GET', threeDays)).status).toBe(422);
    expect((await ask<NetflowUse>('GET', `${threeDays}&deviceid=BUS1`)).data.steps).toHaveLength(2);
  });

  it('refuses what another member has changed meanwhile, and says what it is now', async () => {
    const plan = await addPlan();
    const url = `/api/netflow/plans/${plan.id}`;
    expect((await ask('PUT', url, { ...PLAN, megabytes: 200, version: 1 })).status).toBe(200);
    const late = await ask('PUT', url, { ...PLAN, version: 1 });
    expect(late).toMatchObject({ status: 409, code: 'conflict', data: { current: { megabytes: 200 } } });
    expect((await ask('PUT', '/api/netflow/sim', sim())).status).toBe(200);
    const lateSim = await ask('PUT', '/api/netflow/sim', sim());
    expect(lateSim).toMatchObject({ status: 409, data: { current: { deviceid: 'BUS1', simVersion: 1 } } });
    expect((await ask('DELETE', `${url}?version=2`)).status).toBe(200);
  });

  it('lifts a limit for a time, and notes who did and why', async () => {
    const { data } = await ask<NetflowDevice>('POST', '/api/netflow/lift', {
      deviceid: 'BUS1',
      hours: 2,
      reason: 'fire',
    });
    expect(data).toMatchObject({ liftedUntilMs: test.clock.now + 2 * HOUR_MS, liftedBy: 'north' });
    const entries = await test.db.selectFrom('audit').select(['action', 'detail']).execute();
    expect(entries.map(({ action }) => action)).toContain('netflow.lift');
    const ended = await ask<NetflowDevice>('POST', '/api/netflow/lift', { deviceid: 'BUS1', hours: 0, reason: '' });
    expect(ended.data).toMatchObject({ liftedUntilMs: 0, liftedBy: '' });
  });

  it('gives the list as CSV in the language of the reader', async () => {
    const url = '/api/netflow/file?format=csv&language=en';
    const answer = await test.download(url, await cookieFor(test, 'north'));
    expect(answer.body).toContain('Device ID,Device,Plate number');
    expect(answer.body).toContain('BUS1,North');
    expect(answer.body).not.toContain('TRUCK1');
  });

  it('has the days of a period where the plan has them, in the list and in the file', async () => {
    const timeZone = 'Asia/Taipei';
    const { data: plan } = await ask<SimPlan>('POST', '/api/netflow/plans', { ...PLAN, resetDay: 1, timeZone });
    await ask('PUT', '/api/netflow/sim', sim({ plan: plan.id }));
    const { data } = await ask<{ readonly rows: readonly NetflowDevice[] }>('GET', '/api/netflow/devices');
    expect(data.rows[0]).toMatchObject({ deviceid: 'BUS1', timeZone });
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone, day: 'numeric', hour: '2-digit', minute: '2-digit' });
    expect(clock.format(data.rows[0]?.fromMs)).toBe('1, 00:00');
    const answer = await test.download('/api/netflow/file?format=csv&language=en', await cookieFor(test, 'north'));
    expect(answer.body).toMatch(/BUS1,North,,North,\d{4}-\d{2}-01 00:00:00,\d{4}-\d{2}-01 00:00:00,/);
  });

  it('lists all plans that a member group can have at once', async () => {
    await addPlan();
    const { status } = await ask('GET', '/api/netflow/plans?limit=200');
    expect(status).toBe(200);
  });
});
