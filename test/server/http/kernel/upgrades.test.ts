// Upgrades as a stranger sends them: the whole gateway, over raw sockets.
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { connect as connectSecurely } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Gateway, startGateway } from '../../../../server/app/gateway.ts';
import { readConfig } from '../../../../server/config/readConfig.ts';
import { createLog } from '../../../../server/process/log.ts';
import { prepareDataDir } from '../../../support/databases/sqliteFile.ts';
import { FREE_PORTS } from '../../../support/gateway/freePorts.ts';
import { createTempFolder, type TempFolder } from '../../../support/tempFolder.ts';
import { waitFor } from '../../../support/waitFor.ts';

const LIVE = '/stream/liveview/video.fuho';
const UPDATES = '/api/live/updates';
const HANDSHAKE = 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n';
const OFFER = `Connection: Upgrade\r\nUpgrade: websocket\r\n${HANDSHAKE}`;
const H2C = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n';
const FOREIGN = 'Origin: https://elsewhere.example\r\n';
/** A text frame of no bytes with a reserved bit set, masked as a client's is. */
const RESERVED_BIT = Buffer.from([0xc1, 0x80, 0, 0, 0, 0]);

async function startOn(folder: TempFolder, env: Record<string, string> = {}): Promise<Gateway> {
  const read = readConfig({ ...FREE_PORTS, DATA_DIR: folder.path, ...env });
  if (!read.ok) throw new Error(read.problems.join('\n'));
  return startGateway(read.config, { log: createLog('silent') });
}

const descriptors = (): number => readdirSync('/proc/self/fd').length;

describe.each([
  ['plain HTTP', {}],
  ['TLS', { TLS: 'self-signed' }],
])('upgrades over %s', (_name, env: Record<string, string>) => {
  let folder: TempFolder;
  let gateway: Gateway;
  let port: number;
  const sockets: Socket[] = [];

  beforeAll(async () => {
    folder = await createTempFolder();
    await prepareDataDir(folder.path);
    gateway = await startOn(folder, env);
    port = Number(new URL(gateway.address).port);
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });
  afterAll(async () => {
    await gateway.close();
    await folder.remove();
  });

  async function dialBoth(): Promise<{ readonly tcp: Socket; readonly socket: Socket }> {
    const tcp = connect(port, '127.0.0.1');
    sockets.push(tcp);
    tcp.on('error', () => tcp.destroy());
    await once(tcp, 'connect');
    if (env.TLS === undefined) return { tcp, socket: tcp };
    const ca = readFileSync(join(folder.path, 'tls/cert.pem'));
    const socket = connectSecurely({ socket: tcp, ca, servername: 'localhost' });
    socket.on('error', () => tcp.destroy());
    await once(socket, 'secureConnect');
    return { tcp, socket };
  }

  const dial = async (): Promise<Socket> => (await dialBoth()).socket;

  const head = (line: string, headers: string): string =>
    `${line} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${headers}\r\n`;

  /** What comes back for these bytes until the text has it, or until the other end closes. */
  async function ask(bytes: string, until: RegExp): Promise<string> {
    const socket = await dial();
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += String(chunk);
    });
    socket.write(bytes);
    await waitFor(`an answer like ${until}`, () => until.test(text) || socket.closed);
    return text;
  }

  const isAlive = async (): Promise<boolean> =>
    (await ask(head('GET /healthz', 'Connection: close\r\n'), /"alive":true/)).startsWith('HTTP/1.1 200');

  it.each(['//', '///', 'http://[', 'http://[::1', 'http://a:b/', '*', '/%', '/\\', `//${'/'.repeat(50)}`])(
    'answers an upgrade of %s, and goes on',
    async (target) => {
      expect(await ask(head(`GET ${target}`, OFFER), /^HTTP\/1\.1 \d/)).toMatch(/^HTTP\/1\.1 [234]\d\d /);
      expect(await isAlive()).toBe(true);
    },
  );

  it.each([
    ['a foreign page', `GET ${LIVE}`, FOREIGN + OFFER, 403],
    ['a foreign page', `GET ${UPDATES}`, FOREIGN + OFFER, 403],
    ['no key', `GET ${LIVE}`, 'Connection: Upgrade\r\nUpgrade: websocket\r\n', 400],
    ['an old version', `GET ${UPDATES}`, OFFER.replace('13', '7'), 400],
  ])('goes on when %s is refused and resets the connection (%s)', async (_who, line, headers, status) => {
    for (let round = 0; round < 20; round++) {
      const { tcp, socket } = await dialBoth();
      socket.write(head(line, headers), () => tcp.resetAndDestroy());
      await once(tcp, 'close');
    }
    expect(await ask(head(line, headers), /^HTTP\/1\.1 \d/)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(await isAlive()).toBe(true);
  });

  it.each([LIVE, '/stream/playback/local/video.fuho', '/stream/control/ptz', '/stream/control/talk', UPDATES])(
    'goes on when a frame that breaks the protocol follows the handshake of %s at once',
    async (path) => {
      const query = '?username=u&credential=c&deviceid=BUS1&channel=1';
      for (let round = 0; round < 20; round++) {
        const socket = await dial();
        socket.write(Buffer.concat([Buffer.from(head(`GET ${path}${query}`, OFFER)), RESERVED_BIT]));
        socket.resume();
        await once(socket, 'close');
      }
      expect(await isAlive()).toBe(true);
    },
  );

  it('closes refused connections, also of clients that neither read nor close', async () => {
    expect(await isAlive()).toBe(true);
    const before = descriptors();
    // A TLS handshake takes longer than all the rest.
    const rounds = env.TLS === undefined ? 300 : 30;
    for (let round = 0; round < rounds; round++) {
      const socket = await dial();
      socket.pause();
      socket.write(head(`GET ${round % 2 === 0 ? LIVE : UPDATES}`, FOREIGN + OFFER));
    }
    // Each is open twice in this process: our end, which closes by nothing but the other end's, and the gateway's.
    const ours = sockets.length;
    await waitFor('the gateway closes its ends', () => descriptors() <= before + ours);
  });

  it('ignores an offer that is none of its own, with and without a body', async () => {
    const alive = /^HTTP\/1\.1 200 OK\r\n[\s\S]*"alive":true/;
    expect(await ask(head('GET /healthz', H2C), /alive/)).toMatch(alive);
    expect(await ask(head('GET /healthz', OFFER), /alive/)).toMatch(alive);
    const body = JSON.stringify({ username: 'nobody', password: 'wrong password' });
    const json = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    expect(await ask(head('POST /api/user/login', H2C + json) + body, /bad-credentials/)).toContain('bad-credentials');
    const chunked = `Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n`;
    const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    const answer = await ask(head('POST /api/user/login', H2C + chunked) + chunk, /bad-credentials/);
    expect(answer).toContain('bad-credentials');
    expect(await ask(head('GET /stream/other', OFFER), /^HTTP/)).toMatch(/^HTTP\/1\.1 404 /);
  });

  it('keeps a connection alive whose offers it ignores', async () => {
    const socket = await dial();
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += String(chunk);
    });
    for (let answers = 1; answers <= 3; answers++) {
      socket.write(head('GET /healthz', H2C));
      await waitFor(`answer ${answers}`, () => text.split('"alive":true').length === answers + 1);
    }
  });
});

describe('an orderly stop', () => {
  it('waits for no upgrade that was refused, nor for one that is still being asked about', async () => {
    const folder = await createTempFolder();
    await prepareDataDir(folder.path);
    const gateway = await startOn(folder);
    const port = Number(new URL(gateway.address).port);
    const clients: Socket[] = [];
    const send = async (line: string, headers: string): Promise<void> => {
      const socket = connect(port, '127.0.0.1');
      clients.push(socket);
      socket.on('error', () => socket.destroy());
      await once(socket, 'connect');
      socket.pause();
      socket.write(`${line} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${headers}\r\n`);
    };
    for (let round = 0; round < 10; round++) {
      await send(`GET ${LIVE}`, FOREIGN + OFFER);
      await send(`GET ${UPDATES}`, OFFER);
    }
    const startedAt = performance.now();
    await gateway.close();
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    for (const client of clients) client.destroy();
    await folder.remove();
  });
});
