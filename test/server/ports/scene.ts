// A gateway process on known ports, with a device, its link, its terminal's code and a signed-in browser to speak for.
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { connect as connectSecure } from 'node:tls';
import { createSecret, hashSecret } from '../../../server/auth/secrets.ts';
import { createSessions } from '../../../server/auth/sessions.ts';
import { terminalNumber } from '../../../server/device/jt808/codec/header.ts';
import { encodeMessage } from '../../../server/device/jt808/codec/message.ts';
import { hashAuthCode } from '../../../server/device/jt808/signIn.ts';
import { createStores, type Stores } from '../../../server/store/stores.ts';
import { ALL_PERMISSIONS } from '../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { openSqliteFile } from '../../support/databases/sqliteFile.ts';
import { freePorts } from '../../support/freePorts.ts';
import { createTempFolder } from '../../support/tempFolder.ts';
import type { FuzzedIdentity } from './fuzzedTerminal.ts';
import { type GatewayProcess, startGatewayProcess } from './gatewayProcess.ts';
import type { Secrets } from './inputs.ts';

export interface PortScene {
  readonly gateway: GatewayProcess;
  readonly secrets: Secrets;
  /** Port of pages and streams. */
  readonly port: number;
  /** Port that answers plain HTTP with a redirect, only under TLS. */
  readonly redirectPort: number;
  readonly signallingPort: number;
  /** Ports of main, sub, playback, talk. */
  readonly mediaPorts: readonly number[];
  readonly ftpPort: number;
  /** Terminals that nobody but their own keeper signs in. */
  readonly fuzzed: readonly FuzzedIdentity[];
  close(): Promise<void>;
}

const DEVICE = 'BUS1';
const CODE = 'code of this test';
/** Number of fuzzed terminals: what the fuzz has ended is not expected for a moment, while that of another terminal is. */
const FUZZED = 8;

export async function startPortScene(tls: 'off' | 'self-signed'): Promise<PortScene> {
  const folder = await createTempFolder();
  const database = await openSqliteFile(join(folder.path, 'fleetglass.db'));
  const { secrets, fuzzed } = await fill(createStores(database.db), tls);
  await database.close();
  const [port = 0, redirectPort = 0, signallingPort = 0, ftpPort = 0] = await freePorts(4);
  const mediaPort = await freeBlock(4);
  const gateway = await startGatewayProcess({
    DATA_DIR: folder.path,
    PORT: String(port),
    TLS: tls,
    ...(tls === 'off' ? {} : { HTTP_PORT: String(redirectPort) }),
    JT808_PORT: String(signallingPort),
    JT1078_PORT: String(mediaPort),
    ATTACHMENT_PORT: '0',
    FTP_PORT: String(ftpPort),
    FTP_PASSIVE_PORTS: '0',
    LOG_LEVEL: 'error',
  });
  return {
    gateway,
    secrets,
    fuzzed,
    port,
    redirectPort,
    signallingPort,
    ftpPort,
    mediaPorts: [0, 1, 2, 3].map((offset) => mediaPort + offset),
    close: async () => {
      await gateway.stop();
      await folder.remove();
    },
  };
}

async function fill(
  stores: Stores,
  tls: 'off' | 'self-signed',
): Promise<{ readonly secrets: Secrets; readonly fuzzed: readonly FuzzedIdentity[] }> {
  const now = () => wallMs(Date.now());
  const terminal = terminalNumber('13800000001', '2019');
  const deviceGroup = await stores.deviceGroups.insert('Buses');
  const memberGroup = await stores.memberGroups.insert({ name: 'Members' });
  await stores.memberGroups.setDeviceGroups(memberGroup, [deviceGroup]);
  const permissions = [...ALL_PERMISSIONS];
  const ownerId = await stores.users.insert({ username: 'ann', passwordHash: '-', permissions }, now());
  await stores.memberGroups.setGroupsOfUser(ownerId, [memberGroup]);
  const record = { deviceId: DEVICE, name: 'Bus 1', chn: 4, ptzchs: '1111', talkchs: '1111', deviceGroup };
  await stores.devices.insert({ ...record, terminal, authCodeHash: hashAuthCode(CODE) });
  const linkTo = async (deviceId: string): Promise<string> => {
    const credential = createSecret();
    const kinds = ['live', 'playback', 'remote', 'control', 'export'] as const;
    const link = { ownerId, deviceId, channelMask: 15, kinds, secretHash: hashSecret(credential) };
    await stores.linkCredentials.insert(link, now());
    return `username=ann&credential=${credential}&deviceid=${deviceId}`;
  };
  const fuzzed: FuzzedIdentity[] = [];
  for (let number = 1; number <= FUZZED; number++) {
    const deviceId = `FUZZ${number}`;
    const own = { deviceId, name: deviceId, terminal: terminalNumber(`1380000100${number}`, '2019') };
    await stores.devices.insert({ ...record, ...own, authCodeHash: hashAuthCode(CODE) });
    const address = `127.0.9.${number}`;
    fuzzed.push({ deviceId, number: `1380000100${number}`, address, link: await linkTo(deviceId), code: CODE });
  }
  const owner = await stores.users.findByName('ann');
  if (owner === undefined) throw new Error('the user was not stored');
  const sessions = createSessions({ ...stores, now, onLimit: () => undefined });
  const { id } = await sessions.begin(owner, { address: '127.0.0.1', userAgent: '' }, false);
  const secrets = {
    link: await linkTo(DEVICE),
    cookie: `${tls === 'off' ? '' : '__Host-'}fleetglass_sid=${id}`,
    authentication: encodeMessage(
      { edition: '2019', protocolVersion: 1, terminal, serial: 1 },
      { kind: 'authentication', code: CODE, imei: '', softwareVersion: '' },
    ),
  };
  return { secrets, fuzzed };
}

/** The first of this many ports in a row that were free a moment ago. */
async function freeBlock(size: number): Promise<number> {
  for (;;) {
    const first = randomInt(20_000, 32_000);
    const held = await Promise.all(Array.from({ length: size }, (_, offset) => hold(first + offset)));
    for (const server of held) server?.close();
    if (held.every((server) => server !== undefined)) return first;
  }
}

async function hold(port: number) {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  return once(server, 'listening').then(
    () => server,
    () => undefined,
  );
}

/** The first bytes that a TLS client sends. */
export async function clientHello(): Promise<Uint8Array> {
  const server = createServer((socket) => socket.on('error', () => socket.destroy()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const accepted = once(server, 'connection');
  const client = connectSecure({ port, host: '127.0.0.1', servername: 'localhost', rejectUnauthorized: false });
  client.on('error', () => client.destroy());
  const [socket] = await accepted;
  const [hello] = await once(socket, 'data');
  client.destroy();
  server.close();
  return new Uint8Array(hello);
}
