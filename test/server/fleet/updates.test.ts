// The live updates of a running gateway, with simulated terminals on one side and raw WebSocket clients on the other.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type Gateway, locateDatabase, startGateway } from '../../../server/app/gateway.ts';
import { createPasswords } from '../../../server/auth/passwords.ts';
import { readConfig } from '../../../server/config/readConfig.ts';
import { createLog } from '../../../server/process/log.ts';
import { openDatabase } from '../../../server/store/engine/database.ts';
import { createStores, type Stores } from '../../../server/store/stores.ts';
import type { DashboardFigures } from '../../../shared/protocol/api/fleet.ts';
import type { LiveDevice, LiveUpdate } from '../../../shared/protocol/api/liveUpdates.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { loadDemoClips } from '../../../simulator/clip/loadClip.ts';
import { SimulatedTerminal } from '../../../simulator/terminal.ts';
import { prepareDataDir } from '../../support/databases/sqliteFile.ts';
import { FREE_PORTS } from '../../support/gateway/freePorts.ts';
import { createTempFolder, type TempFolder } from '../../support/tempFolder.ts';
import { waitFor } from '../../support/waitFor.ts';

const PASSWORD = 'correct horse battery';
const clips = await loadDemoClips();
const passwordHash = await (await createPasswords()).hash(PASSWORD);

describe('the live updates', () => {
  let folder: TempFolder;
  let gateway: Gateway;
  let groups: Record<'north' | 'south' | 'northOwner' | 'southOwner', number>;
  const terminals: SimulatedTerminal[] = [];
  const sockets: WebSocket[] = [];

  beforeEach(async () => {
    folder = await createTempFolder();
    await prepareDataDir(folder.path);
    const read = readConfig({ ...FREE_PORTS, DATA_DIR: folder.path });
    if (!read.ok) throw new Error(read.problems.join('\n'));
    const database = await openDatabase(locateDatabase(read.config));
    groups = await fill(createStores(database.db));
    await database.close();
    gateway = await startGateway(read.config, { log: createLog('silent') });
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.terminate();
    for (const terminal of terminals.splice(0)) terminal.stop();
    await gateway.close();
    await folder.remove();
  });

  async function fill(stores: Stores) {
    const north = await stores.deviceGroups.insert('North');
    const south = await stores.deviceGroups.insert('South');
    const northOwner = await stores.memberGroups.insert({ name: 'North' });
    const southOwner = await stores.memberGroups.insert({ name: 'South' });
    await stores.memberGroups.setDeviceGroups(northOwner, [north]);
    await stores.memberGroups.setDeviceGroups(southOwner, [south]);
    for (const [deviceId, number, deviceGroup] of [
      ['N1', '13800000001', north],
      ['N2', '13800000002', north],
      ['S1', '13800000003', south],
    ] as const) {
      const terminal = { canonical: number, raw: number.padStart(20, '0') };
      await stores.devices.insert({ deviceId, name: `Bus ${deviceId}`, chn: 1, deviceGroup, terminal });
    }
    const user = { username: 'op', passwordHash, permissions: ['membergroup'] };
    const id = await stores.users.insert(user, wallMs(Date.now()));
    await stores.memberGroups.setGroupsOfUser(id, [northOwner, southOwner]);
    return { north, south, northOwner, southOwner };
  }

  const call = (path: string, init: RequestInit = {}) => fetch(new URL(path, gateway.address), init);

  async function signIn(username = 'op'): Promise<string> {
    const body = JSON.stringify({ username, password: PASSWORD });
    const response = await call('/api/user/login', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    const cookie = response.headers.get('set-cookie')?.split(';')[0];
    if (cookie === undefined) throw new Error(`not signed in: ${await response.text()}`);
    return cookie;
  }

  function connect(headers: Record<string, string>, { query = '', sid }: { query?: string; sid?: string } = {}) {
    const socket = new WebSocket(`${gateway.address.replace('http', 'ws')}/api/live/updates${query}`, { headers });
    sockets.push(socket);
    const messages: LiveUpdate[] = [];
    const closed: number[] = [];
    const devices = new Map<string, LiveDevice>();
    socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as LiveUpdate;
      messages.push(message);
      if (message.type === 'snapshot') devices.clear();
      if (message.type !== 'snapshot' && message.type !== 'changes') return;
      for (const row of message.devices ?? []) devices.set(row.id, { ...devices.get(row.id), ...row } as LiveDevice);
      if (message.type === 'changes') for (const id of message.removed ?? []) devices.delete(id);
    });
    socket.on('close', (code) => closed.push(code));
    socket.on('error', () => undefined);
    const topics = ['devices', 'counts', 'changed'];
    socket.on('open', () => {
      if (sid !== undefined) socket.send(JSON.stringify({ type: 'session', sid }));
      socket.send(JSON.stringify({ type: 'watch', topics }));
    });
    return { socket, messages, devices, closed };
  }

  function drive(deviceId: string, number: string): SimulatedTerminal {
    const profile = {
      deviceId,
      name: deviceId,
      number,
      edition: '2019',
      plate: 'A-1',
      channels: 1,
      lapShare: 0,
    } as const;
    const to = { host: '127.0.0.1', port: gateway.jt808Port };
    const terminal = new SimulatedTerminal({ profile, gateway: to, clip: clips.road });
    terminals.push(terminal);
    terminal.start();
    return terminal;
  }

  it("show the current group's devices, and follow a terminal that comes, drives and goes", async () => {
    const { devices, messages } = connect({ cookie: await signIn() });
    await waitFor('the snapshot', () => messages.length > 0);
    expect(messages[0]).toMatchObject({ type: 'snapshot', counts: { total: 2, never: 2, online: 0 } });
    expect([...devices.keys()].sort()).toEqual(['N1', 'N2']);
    const terminal = drive('N1', '13800000001');
    await waitFor('the vehicle moves', () => devices.get('N1')?.isMoving);
    expect(devices.get('N1')).toMatchObject({ state: 'online', name: 'Bus N1', groupName: 'North', videoLoss: false });
    expect(devices.get('N1')?.lat).toBeGreaterThan(23);
    terminal.stop();
    await waitFor('the vehicle is gone', () => devices.get('N1')?.state === 'offline');
    expect(messages.at(-1)).toMatchObject({ counts: { total: 2, offline: 1, never: 1, online: 0 } });
  });

  it('let nobody in without a session, nor a page of another site', async () => {
    const stranger = connect({});
    await waitFor('the refusal', () => stranger.closed.length > 0);
    expect(stranger.messages).toEqual([{ type: 'error', code: 'not-signed-in', message: expect.any(String) }]);
    expect(stranger.closed).toEqual([1008]);
    const foreign = connect({ cookie: await signIn(), origin: 'https://evil.example' });
    await waitFor('the end', () => foreign.closed.length > 0);
    expect(foreign.messages).toEqual([]);
  });

  it('take a frame token as the first message, in place of any cookie, and never from the address', async () => {
    const cookie = await signIn();
    const made = await call('/api/user/frametoken', { method: 'POST', headers: { cookie } });
    const { sid } = ((await made.json()) as { data: { sid: string } }).data;
    const refused = [
      connect({}, { query: `?sid=${sid}` }),
      connect({ cookie }, { sid: 'x'.repeat(27) }),
      connect({ cookie }, { sid: '' }),
      connect({}, { sid: cookie.split('=')[1] ?? '' }),
    ];
    for (const { closed, messages } of refused) {
      await waitFor('the refusal', () => closed.length > 0);
      expect(messages).toMatchObject([{ code: 'not-signed-in' }]);
    }
    const framed = connect({ cookie: 'fleetglass_sid=none' }, { sid });
    await waitFor('the snapshot', () => framed.messages.length > 0);
    expect([...framed.devices.keys()].sort()).toEqual(['N1', 'N2']);
    await call('/api/user/logout', { headers: { cookie } });
    await waitFor('the end', () => framed.closed.length > 0);
  });

  it('tell pages of links, which have no session, of a title that an administrator sets', async () => {
    const root = { username: 'root', passwordHash, permissions: ['system', 'gmsversion'] };
    await gateway.stores.users.insert(root, wallMs(Date.now()));
    const socket = new WebSocket(`${gateway.address.replace('http', 'ws')}/api/live/updates`);
    sockets.push(socket);
    const titles: unknown[] = [];
    socket.on('message', (data) => titles.push(JSON.parse(String(data)).info?.web_title));
    socket.on('open', () => {
      for (const message of [{ type: 'public' }, { type: 'watch', topics: ['server'] }]) {
        socket.send(JSON.stringify(message));
      }
    });
    await waitFor('the first', () => titles.length === 1);
    const blank = { liveLayout: null, playbackLayout: null, maxLicense: null, licenseExpires: null };
    const body = JSON.stringify({ ...blank, webTitle: '北站', version: 1 });
    const headers = { cookie: await signIn('root'), 'content-type': 'application/json' };
    expect((await call('/api/version/settings', { method: 'PUT', body, headers })).status).toBe(200);
    await waitFor('the new one', () => titles.length === 2);
    expect(titles).toEqual(['', '北站']);
  });

  it('end within two seconds of the session', async () => {
    const cookie = await signIn();
    const page = connect({ cookie });
    await waitFor('the snapshot', () => page.messages.length > 0);
    await call('/api/user/logout', { headers: { cookie } });
    await waitFor('the end', () => page.closed.length > 0);
    expect(page.messages.at(-1)).toMatchObject({ type: 'error', code: 'not-signed-in' });
  });

  it('follow the session to another group, and a group to the devices that it owns now', async () => {
    const cookie = await signIn();
    const { devices, messages } = connect({ cookie });
    await waitFor('the snapshot', () => messages.length > 0);
    const body = JSON.stringify({ self: true, membergroup: groups.southOwner });
    const headers = { cookie, 'content-type': 'application/json' };
    expect((await call('/api/system/member', { method: 'PUT', body, headers })).status).toBe(200);
    await waitFor('the other group', () => devices.has('S1') && !devices.has('N1'));
    await gateway.stores.memberGroups.setDeviceGroups(groups.southOwner, []);
    await waitFor('an empty list', () => devices.size === 0);
  });

  it('belong to figures that count the same', async () => {
    const cookie = await signIn();
    drive('N1', '13800000001');
    const { devices } = connect({ cookie });
    await waitFor('the vehicle moves', () => devices.get('N1')?.isMoving);
    const { data } = (await (await call('/api/dashboard/figures', { headers: { cookie } })).json()) as {
      data: DashboardFigures;
    };
    expect(data.counts).toMatchObject({ total: 2, online: 1, moving: 1, parked: 0, never: 1 });
    expect(data).toMatchObject({ events: [], busiest: [], onlineDay: { rate: null, points: [] } });
    const details = await (await call('/api/dashboard/device?deviceid=N1', { headers: { cookie } })).json();
    expect(details).toMatchObject({ data: { deviceid: 'N1', name: 'Bus N1', chn: 1, livechs: '1' } });
    expect((await call('/api/dashboard/device?deviceid=S1', { headers: { cookie } })).status).toBe(404);
    expect((await call('/api/dashboard/system', { headers: { cookie } })).status).toBe(403);
  });
});
