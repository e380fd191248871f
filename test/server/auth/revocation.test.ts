// What ends with a link, a session, an account or a right: everything that runs by it, on a whole gateway with a
// terminal that sends. How soon is measured by hand-moved clocks beside the stream server and the access watch; here
// real ones run, and only the end counts.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type Gateway, startGateway } from '../../../server/app/gateway.ts';
import { createPasswords } from '../../../server/auth/passwords.ts';
import { readConfig } from '../../../server/config/readConfig.ts';
import type { MessageBody } from '../../../server/device/jt808/codec/message.ts';
import { createLog } from '../../../server/process/log.ts';
import type { BuiltInRole } from '../../../shared/protocol/api/accounts.ts';
import type { MadeLink } from '../../../shared/protocol/api/links.ts';
import { LIVE_UPDATES_PATH } from '../../../shared/protocol/api/liveUpdates.ts';
import { StreamPath } from '../../../shared/protocol/api.ts';
import { parseStreamEvent } from '../../../shared/protocol/stream/streamMessages.ts';
import { PacketKind, readMessage } from '../../../shared/protocol/stream/streamPacket.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { SimulatedTerminal } from '../../../simulator/terminal.ts';
import type { VehicleProfile } from '../../../simulator/vehicleProfile.ts';
import { prepareDataDir } from '../../support/databases/sqliteFile.ts';
import { FREE_PORTS } from '../../support/gateway/freePorts.ts';
import { createTempFolder, type TempFolder } from '../../support/tempFolder.ts';
import { waitFor } from '../../support/waitFor.ts';

const PASSWORD = 'correct horse battery';
const DEADLINE_MS = 20_000;
const passwordHash = await (await createPasswords()).hash(PASSWORD);

const BUS: VehicleProfile = {
  deviceId: 'BUS1',
  name: 'Bus 1',
  number: '13800000001',
  edition: '2013',
  plate: 'A-0001',
  channels: 2,
  lapShare: 0,
};

interface Data {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly link: string;
  readonly ended: number;
}

/** A socket, and what came over it. */
interface Client {
  /** Packets with sound or pictures. */
  readonly media: () => number;
  readonly errors: string[];
  readonly closed: number[];
}

describe('what runs', { timeout: 60_000 }, () => {
  let folder: TempFolder;
  let gateway: Gateway;
  let terminal: SimulatedTerminal;
  let group: number;
  let admin: string;
  const sockets: WebSocket[] = [];

  beforeEach(async () => {
    folder = await createTempFolder();
    await prepareDataDir(folder.path);
    const read = readConfig({ ...FREE_PORTS, DATA_DIR: folder.path });
    if (!read.ok) throw new Error(read.problems.join('\n'));
    gateway = await startGateway(read.config, { log: createLog('silent') });
    await addBus();
    await addMember('chief', 'administrator');
    await addMember('mei', 'manager');
    admin = await signIn('chief');
    const to = { host: '127.0.0.1', port: gateway.jt808Port };
    let isKnown = false;
    // The gateway asks what it is once it has signed in.
    const onMessage = ({ kind }: MessageBody): void => {
      isKnown ||= kind === 'queryAttributes';
    };
    terminal = new SimulatedTerminal({ profile: BUS, gateway: to, onMessage });
    terminal.start();
    await waitFor('the vehicle is here', () => isKnown, Boolean, DEADLINE_MS);
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.terminate();
    terminal.stop();
    await gateway.close();
    await folder.remove();
  });

  async function addBus(): Promise<void> {
    const { stores } = gateway;
    const deviceGroup = await stores.deviceGroups.insert('Buses');
    group = await stores.memberGroups.insert({ name: 'Depot' });
    await stores.memberGroups.setDeviceGroups(group, [deviceGroup]);
    const number = { canonical: BUS.number, raw: BUS.number.padStart(12, '0') };
    await stores.devices.insert({ deviceId: 'BUS1', name: 'Bus 1', chn: 2, deviceGroup, terminal: number });
  }

  async function addMember(username: string, builtIn: BuiltInRole): Promise<void> {
    const { id: role } = await gateway.stores.roles.findBuiltIn(builtIn);
    const user = { username, passwordHash, permissions: [], role, wallMonitorAllowed: true };
    const id = await gateway.stores.users.insert(user, wallMs(Date.now()));
    await gateway.stores.memberGroups.setGroupsOfUser(id, [group]);
  }

  async function ask(cookie: string, method: string, path: string, body?: unknown): Promise<Data> {
    const json = { 'content-type': 'application/json' };
    const headers = { cookie, origin: gateway.address, ...(body === undefined ? {} : json) };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(new URL(path, gateway.address), { method, headers, ...sent });
    const answer = (await response.json()) as { readonly data: Data };
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
    return answer.data;
  }

  async function signIn(username: string, wallMonitor = false): Promise<string> {
    const body = JSON.stringify({ username, password: PASSWORD, wallMonitor });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(new URL('/api/user/login', gateway.address), { method: 'POST', body, headers });
    const cookie = response.headers.get('set-cookie')?.split(';')[0];
    if (cookie === undefined) throw new Error(`not signed in: ${await response.text()}`);
    return cookie;
  }

  const makeLink = (cookie: string): Promise<MadeLink> => {
    const newLink = { deviceid: 'BUS1', channels: [1, 2], kinds: ['live', 'playback'], untilMs: 0, note: '' };
    return ask(cookie, 'POST', '/api/link/links', newLink) as unknown as Promise<MadeLink>;
  };

  /** What a page of ours opens the device's video with. */
  async function ownCredential(cookie: string): Promise<{ username: string; credential: string }> {
    const { link } = await ask(cookie, 'POST', '/api/device/view', { deviceid: 'BUS1', kinds: ['live', 'playback'] });
    const [, username = '', credential = ''] = link.split('/').map(decodeURIComponent);
    return { username, credential };
  }

  const open = (path: string, headers: Record<string, string> = {}): WebSocket => {
    const socket = new WebSocket(gateway.address.replace('http', 'ws') + path, { headers });
    sockets.push(socket);
    socket.on('error', () => undefined);
    return socket;
  };

  function stream(
    { username, credential }: { readonly username: string; readonly credential: string },
    path: string = StreamPath.Live,
    more: Readonly<Record<string, string>> = {},
  ): Client {
    const query = { username, credential, deviceid: 'BUS1', channel: '1', audio: '1', ...more };
    const socket = open(`${path}?${new URLSearchParams(query)}`);
    socket.binaryType = 'arraybuffer';
    let media = 0;
    const errors: string[] = [];
    const closed: number[] = [];
    socket.on('message', (data: ArrayBuffer) => {
      for (const { kind, payload } of readMessage(new Uint8Array(data)).packets) {
        const event = kind === PacketKind.Event ? parseStreamEvent(payload) : undefined;
        if (kind !== PacketKind.Event) media++;
        if (event?.type === 'error') errors.push(event.code);
      }
    });
    socket.on('close', (code) => closed.push(code));
    return { media: () => media, errors, closed };
  }

  /** A page that is told of updates. */
  function updates(cookie: string): Client {
    const socket = open(LIVE_UPDATES_PATH, { cookie });
    let media = 0;
    const errors: string[] = [];
    const closed: number[] = [];
    socket.on('open', () => socket.send(JSON.stringify({ type: 'watch', topics: ['devices', 'counts'] })));
    socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as { readonly type: string; readonly code?: string };
      if (message.type === 'error') errors.push(message.code ?? '');
      else media++;
    });
    socket.on('close', (code) => closed.push(code));
    return { media: () => media, errors, closed };
  }

  const untilRunning = (clients: readonly Client[]): Promise<unknown> =>
    waitFor('everything runs', () => clients.every(({ media }) => media() > 0), Boolean, DEADLINE_MS);

  async function untilEnded(clients: readonly Client[], code: string): Promise<void> {
    await waitFor('everything ends', () => clients.every(({ closed }) => closed.length > 0), Boolean, DEADLINE_MS);
    for (const { errors, closed } of clients) expect([errors, closed]).toEqual([[code], [1008]]);
  }

  const mei = async (): Promise<Readonly<Record<string, unknown>>> => {
    const { rows } = await ask(admin, 'GET', '/api/membership/members?search=mei');
    return rows[0] ?? {};
  };
  /** What the member's form sends. */
  const change = async (part: Readonly<Record<string, unknown>>): Promise<void> => {
    const { id, version, displayName, role, groups, language, timeZone, expiresAtMs, ...rest } = await mei();
    const { disabled, wallMonitorAllowed } = rest;
    const body = { version, displayName, role, groups, language, timeZone, expiresAtMs, disabled, wallMonitorAllowed };
    await ask(admin, 'PUT', `/api/membership/members/${id}`, { ...body, ...part });
  };

  it('by a link ends with the link, on every page that has it, and by another goes on', async () => {
    const cookie = await signIn('mei');
    const [link, other] = [await makeLink(cookie), await makeLink(cookie)];
    const pages = [stream(link), stream(link), stream(link, StreamPath.Live, { channel: '2' })];
    const kept = stream(other);
    await untilRunning([...pages, kept]);
    await ask(cookie, 'DELETE', `/api/link/links/${link.id}`);
    await untilEnded(pages, 'link-refused');
    const again = [stream(link), stream(link, StreamPath.LocalPlayback, { spbtime: '1' })];
    await waitFor('no stream begins', () => again.every(({ closed }) => closed.length > 0), Boolean, DEADLINE_MS);
    expect(again.map(({ media, errors }) => [media(), errors])).toEqual([
      [0, ['link-refused']],
      [0, ['link-refused']],
    ]);
    const query = new URLSearchParams({ username: link.username, credential: link.credential, deviceid: 'BUS1' });
    expect((await fetch(new URL(`/api/device/device?${query}`, gateway.address))).status).toBe(403);
    const before = kept.media();
    await waitFor('the other goes on', () => kept.media() > before, Boolean, DEADLINE_MS);
    expect(kept.closed).toEqual([]);
  });

  it('by a session ends when an administrator ends it; links that were made in it stay', async () => {
    const cookie = await signIn('mei');
    const kept = stream(await makeLink(cookie));
    const pages = [stream(await ownCredential(cookie))];
    const told = [updates(cookie), updates(cookie)];
    await untilRunning([...pages, ...told, kept]);
    const { rows } = await ask(admin, 'GET', `/api/membership/sessions?member=${(await mei()).id}`);
    expect(rows).toHaveLength(1);
    await ask(admin, 'DELETE', `/api/membership/sessions/${rows[0]?.id}`);
    await untilEnded(pages, 'link-refused');
    await untilEnded(told, 'not-signed-in');
    expect(kept.closed).toEqual([]);
  });

  it('by an account ends when it is disabled, the links of it too', async () => {
    const cookie = await signIn('mei');
    const pages = [stream(await makeLink(cookie)), stream(await ownCredential(cookie))];
    const told = [updates(cookie)];
    await untilRunning([...pages, ...told]);
    await change({ disabled: true });
    await untilEnded(pages, 'link-refused');
    await untilEnded(told, 'not-signed-in');
  });

  it('by an account ends when its time is over, without anybody touching it', async () => {
    const cookie = await signIn('mei');
    const pages = [stream(await makeLink(cookie)), stream(await ownCredential(cookie))];
    const told = [updates(cookie)];
    await untilRunning([...pages, ...told]);
    await change({ expiresAtMs: Date.now() + 100 });
    await untilEnded(pages, 'link-refused');
    await untilEnded(told, 'not-signed-in');
  });

  it('by a group ends when the member is taken out of it', async () => {
    const cookie = await signIn('mei');
    const pages = [stream(await makeLink(cookie)), stream(await ownCredential(cookie))];
    await untilRunning(pages);
    await ask(admin, 'POST', `/api/membership/groups/${group}/people`, { add: [], remove: [(await mei()).id] });
    await untilEnded(pages, 'link-refused');
  });

  it('on a wall ends when long sessions are allowed no more; ordinary ones go on', async () => {
    const [wall, desk] = [await signIn('mei', true), await signIn('mei')];
    const [onWall, atDesk] = [updates(wall), updates(desk)];
    const pages = [stream(await ownCredential(wall))];
    await untilRunning([onWall, atDesk, ...pages]);
    await change({ wallMonitorAllowed: false });
    await untilEnded([onWall], 'not-signed-in');
    await untilEnded(pages, 'link-refused');
    expect(atDesk.closed).toEqual([]);
    expect((await ask(desk, 'GET', '/api/user/profile')) as unknown).toMatchObject({ username: 'mei' });
  });
});
