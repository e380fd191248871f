import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Device } from '../../../../server/store/devices/devices.ts';
import { anEvent } from '../../store/events/anEvent.ts';
import { createTestApp, type TestApp } from '../testApp.ts';

describe("the dashboard's calls", () => {
  let test: TestApp;
  let cookie: string;
  beforeEach(async () => {
    test = await createTestApp({ MAP_STYLE_URL: 'https://maps.example/style.json', MAP_ATTRIBUTION: 'Maps Ltd' });
    const { stores } = test;
    const [north, south] = [await stores.deviceGroups.insert('North'), await stores.deviceGroups.insert('South')];
    const member = await stores.memberGroups.insert({ name: 'M' });
    await stores.memberGroups.setDeviceGroups(member, [north]);
    const bus = await stores.devices.insert({ deviceId: 'N1', name: 'Bus', plate: 'P1', chn: 2, deviceGroup: north });
    const lorry = await stores.devices.insert({ deviceId: 'S1', name: 'Lorry', chn: 1, deviceGroup: south });
    const at = test.clock.now;
    const began = ({ archiveNumber }: Device, beginAtMs: number) => anEvent({ archiveNumber, beginAtMs });
    const added = [began(bus, at - 1), began(bus, at - 2), began(lorry, at - 1), began(bus, at - 90_000_000)];
    await stores.eventLog.write({ added, changed: [], days: [] });
    const day = at - (at % 600_000);
    await stores.onlineHistory.add(600_000, day, [{ deviceGroup: north, online: 3, total: 4 }]);
    await stores.onlineHistory.add(600_000, day, [{ deviceGroup: south, online: 0, total: 4 }]);
    await test.addUser('op', [], [member]);
    await test.addUser('chief', ['system'], [member]);
    cookie = await test.signIn('op');
  });
  afterEach(() => test.close());

  const get = async (url: string, as = cookie) => {
    const response = await test.request({ method: 'GET', url, headers: { cookie: as } });
    return { status: response.statusCode, body: response.json() };
  };

  it("count the caller's group alone: devices, events of the last day, online rate", async () => {
    const { body } = await get('/api/dashboard/figures');
    expect(body.data).toMatchObject({
      counts: { total: 1, never: 1, online: 0 },
      events: [{ type: 'speeding', count: 2 }],
      busiest: [{ deviceid: 'N1', name: 'Bus', plate: 'P1', count: 2 }],
      onlineDay: { rate: 0.75, points: [{ rate: 0.75 }] },
      onlineMonth: { rate: null, points: [] },
    });
  });

  it('name the devices behind a type of event, of the group alone', async () => {
    const devices = [{ deviceid: 'N1', count: 2 }];
    expect((await get('/api/dashboard/eventdevices?type=speeding')).body.data).toEqual(devices);
    expect((await get('/api/dashboard/eventdevices?type=fatigue')).body.data).toEqual([]);
    for (const query of ['', '?type=', '?kind=speeding', '?type=a&type=b']) {
      expect((await get(`/api/dashboard/eventdevices${query}`)).status, query).toBe(400);
    }
  });

  it('show machine, disk and licence to holders of system', async () => {
    expect((await get('/api/dashboard/system')).status).toBe(403);
    const { status, body } = await get('/api/dashboard/system', await test.signIn('chief'));
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      version: '9.8.7',
      disk: { state: 'ok', freeBytes: 10_000, daysOfRoom: null, daysUntilFull: null },
      licence: { devices: 0, usedDevices: 2, expiresAtMs: 0 },
    });
    expect(body.data.memory.gatewayBytes).toBeGreaterThan(1_000_000);
  });

  it('name the configured background of the map', async () => {
    const { body } = await get('/api/dashboard/map');
    expect(body.data).toEqual({
      styleUrl: 'https://maps.example/style.json',
      pmtilesUrl: '',
      attribution: 'Maps Ltd',
    });
  });

  it('describe a device of the group, and deny that there is one of another', async () => {
    expect((await get('/api/dashboard/device?deviceid=N1')).body.data).toMatchObject({ chn: 2, installchs: '11' });
    expect((await get('/api/dashboard/device?deviceid=S1')).body.code).toBe('no-such-device');
    expect((await get('/api/dashboard/device?deviceid=none')).status).toBe(404);
  });

  describe('walls', () => {
    const wall = { name: 'Gates', channels: [{ deviceid: 'N1', channel: 1 }], cycleSeconds: 20 };
    const put = (body: object, as = cookie) =>
      test.request({ method: 'PUT', url: '/api/dashboard/wall', headers: { cookie: as }, body });

    it('are kept by name, each user their own', async () => {
      expect((await put(wall)).statusCode).toBe(200);
      expect((await put({ ...wall, name: ' Gates ', cycleSeconds: 30 })).json().data).toEqual({ name: 'Gates' });
      expect((await get('/api/dashboard/walls')).body.data).toEqual([{ ...wall, cycleSeconds: 30 }]);
      expect((await get('/api/dashboard/walls', await test.signIn('chief'))).body.data).toEqual([]);
      const remove = () =>
        test.request({ method: 'DELETE', url: '/api/dashboard/wall', headers: { cookie }, query: { name: 'Gates' } });
      expect((await remove()).statusCode).toBe(200);
      expect((await remove()).json().code).toBe('no-such-wall');
    });

    it.each([
      ['no channel', { ...wall, channels: [] }],
      ['nine channels', { ...wall, channels: Array.from({ length: 9 }, () => wall.channels[0]) }],
      ['channel 0', { ...wall, channels: [{ deviceid: 'N1', channel: 0 }] }],
      ['a blank name', { ...wall, name: '   ' }],
      ['a long name', { ...wall, name: 'x'.repeat(65) }],
      ['more than is asked for', { ...wall, owner: 1 }],
    ])('are refused with %s', async (_what, body) => {
      expect((await put(body)).statusCode).toBe(400);
    });
  });
});
