// Commands of a gateway that is killed without a word: none that was kept is lost, and none goes out twice.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { Message } from '../../../server/device/jt808/codec/message.ts';
import { createStores, type Stores } from '../../../server/store/stores.ts';
import { DEVICE_TEXT_PATH } from '../../../shared/protocol/api/deviceOrders.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { openSqliteFile } from '../../support/databases/sqliteFile.ts';
import { cheapHash } from '../../support/fakes/cheapHash.ts';
import { freePorts } from '../../support/freePorts.ts';
import { compiledProgram, GATEWAY } from '../../support/programs/compiledProgram.ts';
import { KILLS, KILLS_TIMEOUT_MS } from '../../support/runs.ts';
import { waitFor } from '../../support/waitFor.ts';
import { RawTerminal } from './rawTerminal.ts';
import { PROFILE } from './testGateway.ts';

const ROOT = join(import.meta.dirname, '../../..');
const TEXTS_A_LIFE = 4;
const ANN = { username: 'ann', password: 'correct horse battery' };

it('loses and repeats no command that it has kept when it is killed', { timeout: KILLS_TIMEOUT_MS }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fleetglass-orders-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await withStores(folder, addBusAndAnn);
  const heard: string[] = [];
  const kept = new Set<number>();
  const life: Life = { folder, cookie: '', code: undefined, heard };
  for (let number = 0; number < KILLS; number++) {
    const { gateway, address, terminal } = await begin(life);
    const texts = Array.from({ length: TEXTS_A_LIFE }, (_, at) => `${number}/${at}`);
    // A killed gateway resets the connection where it has not read all of it: that is an end, too.
    const isCut = new Promise((resolve) => void terminal.socket.once('close', resolve));
    const sending = texts.map((text) => send(address, life.cookie, text).then((id) => id && kept.add(id)));
    // Commands are under way when the end comes, at another moment each time.
    await sending[number % TEXTS_A_LIFE];
    await delay((number * 7) % 30);
    gateway.kill('SIGKILL');
    await Promise.all([once(gateway, 'exit'), isCut, ...sending]);
  }
  const { gateway } = await begin(life);
  const ended = await waitFor(
    'nothing waits any more',
    () => withStores(folder, ({ deviceOrders }) => Promise.all([...kept].map((id) => deviceOrders.find(id)))),
    (orders) => orders.every((order) => order?.state === 'done' || order?.state === 'unknown'),
  );
  gateway.kill('SIGKILL');
  await once(gateway, 'exit');
  expect(kept.size).toBeGreaterThan(0);
  expect(new Set(heard).size, 'none was heard twice').toBe(heard.length);
  const done = ended.flatMap((order) =>
    order?.state === 'done' ? [(JSON.parse(order.body) as { text: string }).text] : [],
  );
  expect(heard).toEqual(expect.arrayContaining(done));
});

interface Life {
  readonly folder: string;
  cookie: string;
  code: string | undefined;
  /** Texts that the terminal has heard, in all lives. */
  readonly heard: string[];
}

async function begin(life: Life): Promise<{ gateway: ChildProcess; address: string; terminal: RawTerminal }> {
  const [port = 0, jt808Port = 0] = await freePorts(2);
  const gateway = await startGateway(life.folder, port, jt808Port);
  const address = `http://127.0.0.1:${port}`;
  if (life.cookie === '') life.cookie = await signIn(address);
  const terminal = await RawTerminal.dial({ port: jt808Port });
  terminal.onMessage = (message: Message) => {
    if (message.body.kind !== 'text') return;
    life.heard.push(message.body.text);
    terminal.reply(message);
  };
  if (life.code === undefined) life.code = await terminal.signIn();
  else expect(await terminal.authenticate(life.code)).toBe(true);
  return { gateway, address, terminal };
}

async function addBusAndAnn({ deviceGroups, memberGroups, devices, users }: Stores): Promise<void> {
  const deviceGroup = await deviceGroups.insert('Buses');
  const memberGroup = await memberGroups.insert({ name: 'North' });
  await memberGroups.setDeviceGroups(memberGroup, [deviceGroup]);
  const terminal = { canonical: PROFILE.number, raw: PROFILE.number.padStart(20, '0') };
  await devices.insert({ deviceId: 'BUS1', name: 'Bus 1', chn: 1, talkchs: '1', terminal, deviceGroup });
  const passwordHash = await cheapHash(ANN.password);
  const ann = await users.insert(
    { username: ANN.username, passwordHash, permissions: ['devicetext'] },
    wallMs(Date.now()),
  );
  await memberGroups.setGroupsOfUser(ann, [memberGroup]);
}

async function withStores<T>(folder: string, use: (stores: Stores) => Promise<T>): Promise<T> {
  const database = await openSqliteFile(join(folder, 'fleetglass.db'));
  try {
    return await use(createStores(database.db));
  } finally {
    await database.close();
  }
}

async function startGateway(folder: string, port: number, jt808Port: number): Promise<ChildProcess> {
  const ports = { HOST: '127.0.0.1', PORT: String(port), JT808_PORT: String(jt808Port), JT1078_PORT: '0' };
  const child = spawn(process.execPath, [await compiledProgram(GATEWAY)], {
    cwd: ROOT,
    env: {
      ...process.env,
      ...ports,
      ATTACHMENT_PORT: '0',
      FTP_PORT: '0',
      FTP_PASSIVE_PORTS: '0',
      DATA_DIR: folder,
      LOG_LEVEL: 'silent',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

const post = (address: string, path: string, body: object, cookie = ''): Promise<Response> =>
  fetch(address + path, {
    method: 'POST',
    headers: { origin: address, cookie, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

async function signIn(address: string): Promise<string> {
  const answer = await post(address, '/api/user/login', ANN);
  return answer.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
}

/** Gives the command's number; undefined where the end came before the answer. */
async function send(address: string, cookie: string, text: string): Promise<number | undefined> {
  try {
    const answer = await post(
      address,
      DEVICE_TEXT_PATH,
      { deviceid: 'BUS1', text, speech: false, urgent: false },
      cookie,
    );
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { data: { order: number } }).data.order;
  } catch (cause) {
    if (cause instanceof TypeError) return undefined;
    throw cause;
  }
}
