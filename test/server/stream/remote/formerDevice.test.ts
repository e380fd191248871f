// One member group deletes a device, another one adds the same id: the whole gateway, its database, its disk and a terminal.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type Gateway, locateDatabase, startGateway } from '../../../../server/app/gateway.ts';
import { createPasswords } from '../../../../server/auth/passwords.ts';
import { createSecret, hashSecret } from '../../../../server/auth/secrets.ts';
import { readConfig } from '../../../../server/config/readConfig.ts';
import { createLog } from '../../../../server/process/log.ts';
import { openDatabase } from '../../../../server/store/engine/database.ts';
import { createStores } from '../../../../server/store/stores.ts';
import { BLANK_DEVICE, type DeviceFields } from '../../../../shared/protocol/api/devices.ts';
import { StreamPath } from '../../../../shared/protocol/api.ts';
import { parseStreamEvent } from '../../../../shared/protocol/stream/streamMessages.ts';
import { PacketKind, readMessage, type StreamPacket } from '../../../../shared/protocol/stream/streamPacket.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { loadDemoClip } from '../../../../simulator/clip/loadClip.ts';
import { SimulatedTerminal } from '../../../../simulator/terminal.ts';
import { prepareDataDir } from '../../../support/databases/sqliteFile.ts';
import { FREE_PORTS } from '../../../support/gateway/freePorts.ts';
import { createTempFolder, type TempFolder } from '../../../support/tempFolder.ts';
import { waitFor } from '../../../support/waitFor.ts';

const PASSWORD = 'correct horse battery';
const PERMISSIONS = ['system', 'devicegroup', 'evidence', 'export'];
const DEVICE = 'BUS1';
const FIELDS: DeviceFields = { ...BLANK_DEVICE, name: 'Bus', chn: 1, installchs: '1' };

interface Person {
  readonly name: string;
  readonly ownerId: number;
  readonly deviceGroup: number;
  cookie: string;
}

let folder: TempFolder;
let gateway: Gateway;
let north: Person;
let south: Person;
let fromMs: number;
let toMs: number;
let evidence: number;

const config = () => {
  const read = readConfig({ ...FREE_PORTS, DATA_DIR: folder.path, RECORDING: 'always', RECORDING_MIN_FREE_MB: '16' });
  if (!read.ok) throw new Error(read.problems.join('\n'));
  return read.config;
};

async function addPerson(name: string, passwordHash: string): Promise<Person> {
  const { stores } = gateway;
  const deviceGroup = await stores.deviceGroups.insert(name);
  const memberGroup = await stores.memberGroups.insert({ name });
  await stores.memberGroups.setDeviceGroups(memberGroup, [deviceGroup]);
  const user = { username: name, passwordHash, permissions: PERMISSIONS };
  const ownerId = await stores.users.insert(user, wallMs(Date.now()));
  await stores.memberGroups.setGroupsOfUser(ownerId, [memberGroup]);
  return { name, ownerId, deviceGroup, cookie: '' };
}

function call(person: Person, method: string, path: string, body?: object): Promise<Response> {
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const headers = { origin: gateway.address, cookie: person.cookie, ...type };
  return fetch(`${gateway.address}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
}

async function dataOf<T>(answer: Promise<Response>): Promise<T> {
  const response = await answer;
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${text}`);
  return (JSON.parse(text) as { readonly data: T }).data;
}

async function signIn(person: Person): Promise<void> {
  const body = { username: person.name, password: PASSWORD };
  const response = await call(person, 'POST', '/api/user/login', body);
  person.cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

const addDevice = (person: Person, terminal = '') =>
  dataOf(
    call(person, 'POST', '/api/devicegroup/devices', {
      deviceid: DEVICE,
      ...FIELDS,
      terminal,
      group: person.deviceGroup,
    }),
  );
const removeDevice = (person: Person) =>
  dataOf(call(person, 'DELETE', `/api/devicegroup/devices/${DEVICE}?version=1&recordings=keep`));

async function link({ name: username, ownerId }: Person): Promise<Record<string, string>> {
  const credential = createSecret();
  const kinds = ['playback', 'export', 'live'] as const;
  const row = { ownerId, deviceId: DEVICE, channelMask: 1, kinds, secretHash: hashSecret(credential) };
  await gateway.stores.linkCredentials.insert(row, wallMs(Date.now()));
  return { username, credential, deviceid: DEVICE };
}

interface Range {
  readonly fromMs: number;
  readonly toMs: number;
}

async function rangesOf(person: Person): Promise<readonly Range[]> {
  const query = new URLSearchParams({ ...(await link(person)), from: '0', to: String(86_400_000 * 300) });
  const now = Date.now();
  query.set('from', String(now - 3_600_000));
  query.set('to', String(now + 3_600_000));
  const { channels } = await dataOf<{ channels: readonly { readonly ranges: readonly Range[] }[] }>(
    call(person, 'GET', `/api/playback/local/ranges?${query}`),
  );
  return channels.flatMap(({ ranges }) => ranges);
}

async function exportBy(person: Person, fields: Readonly<Record<string, string>> = {}) {
  const range = { channels: '1', from: String(fromMs), to: String(toMs) };
  const query = new URLSearchParams({ deviceid: DEVICE, ...range, ...fields });
  const response = await call(person, 'GET', `/api/playback/local/export?${query}`);
  const bytes = (await response.arrayBuffer()).byteLength;
  return { status: response.status, bytes };
}

interface Held {
  readonly id: number;
  readonly deviceid: string;
  readonly formerDevice: boolean;
}

const evidenceOf = (person: Person) => dataOf<readonly Held[]>(call(person, 'GET', '/api/playback/evidence'));
const hold = (person: Person) =>
  call(person, 'POST', '/api/playback/evidence', { deviceid: DEVICE, channel: 1, fromMs, toMs, reason: 'A bump.' });
const release = (person: Person, id: number) => call(person, 'POST', '/api/playback/evidence/release', { id });

/** What a page's stream gets of the recording, until it ends or has a picture. */
async function played(person: Person): Promise<'pictures' | 'nothing' | 'refused'> {
  const query = new URLSearchParams({ ...(await link(person)), channel: '1', spbtime: String(fromMs / 1000) });
  const socket = new WebSocket(`${gateway.address.replace('http', 'ws')}${StreamPath.LocalPlayback}?${query}`);
  socket.binaryType = 'arraybuffer';
  const packets: StreamPacket[] = [];
  socket.on('message', (data: ArrayBuffer) => packets.push(...readMessage(new Uint8Array(data)).packets));
  socket.on('error', () => socket.terminate());
  const events = () =>
    packets.flatMap(({ kind, payload }) => (kind === PacketKind.Event ? parseStreamEvent(payload) : []));
  try {
    return (
      (await waitFor('the recording or its end', () => {
        if (packets.some(({ kind }) => kind === PacketKind.Video)) return 'pictures';
        if (events().some((event) => event?.type === 'ended')) return 'nothing';
        return socket.readyState === socket.CLOSED ? 'refused' : undefined;
      })) ?? 'refused'
    );
  } finally {
    socket.terminate();
  }
}

beforeAll(async () => {
  folder = await createTempFolder();
  await prepareDataDir(folder.path);
  gateway = await startGateway(config(), { log: createLog('silent') });
  const passwordHash = await (await createPasswords()).hash(PASSWORD);
  north = await addPerson('north', passwordHash);
  south = await addPerson('south', passwordHash);
  await signIn(north);
  await signIn(south);

  await addDevice(north, '13800000001');
  const profile = { deviceId: DEVICE, name: 'Bus', number: '13800000001', plate: 'A', channels: 1, lapShare: 0 };
  const target = { host: '127.0.0.1', port: gateway.jt808Port };
  const clip = await loadDemoClip('road');
  const terminal = new SimulatedTerminal({ profile: { ...profile, edition: '2013' }, gateway: target, clip });
  terminal.start();
  try {
    const isEnough = ([range]: readonly Range[]) => range !== undefined && range.toMs - range.fromMs > 2_500;
    const [range] = await waitFor('a recording', () => rangesOf(north), isEnough);
    fromMs = range?.fromMs ?? 0;
    toMs = fromMs + 2_000;
    await waitFor('a position', () => gateway.stores.positions.latest(DEVICE));
    // What is still written can be watched and not yet held.
    const policy = { mode: 'off', quality: 'main', schedule: [], retentionDays: 0 } as const;
    await gateway.stores.recordingPolicies.set({ deviceId: DEVICE, channel: 0 }, policy);
    ({ id: evidence } = await waitFor('evidence', () => dataOf<{ id: number }>(hold(north))));
    expect((await exportBy(north)).bytes).toBeGreaterThan(10_000);
    await removeDevice(north);
    // Added at once, while the former device's terminal sends still.
    await addDevice(south);
  } finally {
    terminal.stop();
  }
}, 60_000);
afterAll(async () => {
  await gateway.close();
  await folder.remove();
});

async function expectNothingForSouth(): Promise<void> {
  expect(await rangesOf(south)).toEqual([]);
  expect(await exportBy(south)).toMatchObject({ status: 404 });
  expect(await exportBy(south, await link(south))).toMatchObject({ status: 404 });
  expect(await exportBy(south, { evidence: String(evidence) })).toMatchObject({ status: 404 });
  expect(await evidenceOf(south)).toEqual([]);
  expect((await release(south, evidence)).status).toBe(404);
  expect((await hold(south)).status).toBe(404);
  expect(await played(south)).toBe('nothing');
  expect(await gateway.stores.positions.latest(DEVICE)).toBeUndefined();
}

describe('a device with the id of one that another member group deleted', () => {
  it('has nothing of the former one’s recordings, evidence and positions', async () => {
    await expectNothingForSouth();
  });

  it('leaves the evidence to those who held it: they see it and export it', async () => {
    expect(await evidenceOf(north)).toMatchObject([{ id: evidence, deviceid: DEVICE, formerDevice: true }]);
    const exported = await exportBy(north, { evidence: String(evidence) });
    expect(exported.status).toBe(200);
    expect(exported.bytes).toBeGreaterThan(10_000);
    const beyond = { evidence: String(evidence), to: String(toMs + 1) };
    expect(await exportBy(north, beyond)).toMatchObject({ status: 400 });
    expect(await exportBy(north)).toMatchObject({ status: 404 });
  });

  it('has nothing of it either after the database was made anew from the files', async () => {
    await gateway.close();
    const database = await openDatabase(locateDatabase(config()));
    const { segments } = createStores(database.db);
    const known = await segments.oldest(10_000);
    expect(known.length).toBeGreaterThan(0);
    await segments.remove(known);
    await database.close();
    gateway = await startGateway(config(), { log: createLog('silent') });
    await waitFor('the recordings', async () => (await gateway.stores.segments.totals()).segments >= known.length);
    await expectNothingForSouth();
    expect((await exportBy(north, { evidence: String(evidence) })).bytes).toBeGreaterThan(10_000);
  });

  it('is the former one where that one’s owner adds it again', async () => {
    await removeDevice(south);
    await addDevice(north);
    const ranges = await rangesOf(north);
    expect(ranges.some((range) => range.fromMs <= fromMs && range.toMs >= toMs)).toBe(true);
    expect(await played(north)).toBe('pictures');
    expect((await exportBy(north)).bytes).toBeGreaterThan(10_000);
    expect(await evidenceOf(north)).toMatchObject([{ id: evidence, formerDevice: false }]);
    // Positions were deleted with the device, as its page says.
    expect(await gateway.stores.positions.latest(DEVICE)).toBeUndefined();
    expect((await release(north, evidence)).status).toBe(200);
  });
});
