// The gateway as a process has it: sockets, certificates, signals.
import { spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import dns from 'node:dns';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request as requestPlain } from 'node:http';
import { type RequestOptions, request as requestSecure } from 'node:https';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Gateway, startGateway } from '../../../server/app/gateway.ts';
import { readConfig } from '../../../server/config/readConfig.ts';
import { loadTls } from '../../../server/http/tls/loadTls.ts';
import { createSelfSigned } from '../../../server/http/tls/selfSigned.ts';
import { createLog } from '../../../server/process/log.ts';
import { prepareDataDir } from '../../support/databases/sqliteFile.ts';
import { freePorts } from '../../support/freePorts.ts';
import { createPostgresDatabase, postgresAvailable } from '../../support/postgres/postgres.ts';
import { compiledProgram, GATEWAY } from '../../support/programs/compiledProgram.ts';
import { within } from '../../support/runner/processorTime.ts';
import { createTempFolder, type TempFolder } from '../../support/tempFolder.ts';

const projectRoot = join(import.meta.dirname, '../../..');
const ANY_PORTS = {
  HOST: '127.0.0.1',
  PORT: '0',
  JT808_PORT: '0',
  JT1078_PORT: '0',
  ATTACHMENT_PORT: '0',
  FTP_PORT: '0',
  FTP_PASSIVE_PORTS: '0',
  LOG_LEVEL: 'silent',
};

let folder: TempFolder;
beforeEach(async () => {
  folder = await createTempFolder();
});
afterEach(() => folder.remove());

function configFor(env: Record<string, string>) {
  const read = readConfig({ ...ANY_PORTS, DATA_DIR: folder.path, ...env });
  if (!read.ok) throw new Error(read.problems.join('\n'));
  return read.config;
}

async function start(env: Record<string, string> = {}): Promise<Gateway> {
  if (env.DATABASE_URL === undefined && env.DATA_DIR === undefined) await prepareDataDir(folder.path);
  const gateway = await startGateway(configFor(env), { log: createLog('silent') });
  onTestFinished(() => gateway.close());
  return gateway;
}

interface Answer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

async function get(address: string, options: RequestOptions = {}): Promise<Answer> {
  const send = address.startsWith('https:') ? requestSecure : requestPlain;
  const request = send(address, options);
  request.end();
  const [response] = await once(request, 'response');
  let text = '';
  for await (const chunk of response) text += chunk;
  return { status: response.statusCode, headers: response.headers, text };
}

type LookupDone = (error: Error | null, found: unknown) => void;

const listenerCount = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap').length;

/** Sends exactly these bytes and gives all that comes back until the gateway closes the connection. */
async function sendRaw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes);
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text;
}

describe('a gateway over plain HTTP', () => {
  it('gives out no file for paths that lead out of the folder, whatever a client sends', async () => {
    const gateway = await start();
    const port = Number(new URL(gateway.address).port);
    const paths = [
      '/../../package.json',
      '/%2e%2e/%2e%2e/package.json',
      '/innerpage/../../../package.json',
      '//etc/passwd',
    ];
    for (const path of paths) {
      const text = await sendRaw(port, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect(text).toMatch(/^HTTP\/1\.1 (?:404|400|200) /);
      expect(text).not.toMatch(/"dependencies"|root:/);
    }
  });

  const broken: readonly (readonly [string, string, number])[] = [
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    [
      'two lengths',
      'POST /api/user/login HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx',
      400,
    ],
    [
      'a length and chunks',
      'POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['no host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['a header of 100 KB', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(100_000)}\r\n\r\n`, 431],
    ['a whole address', 'GET http://evil.example/healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 200],
    [
      'an upgrade to nothing',
      'GET /api/user/status HTTP/1.1\r\nHost: x\r\nConnection: close, Upgrade\r\nUpgrade: websocket\r\n\r\n',
      200,
    ],
  ];

  it('answers what is no request, or two in one, without falling over', async () => {
    const gateway = await start();
    for (const [what, bytes, status] of broken) {
      const text = await sendRaw(Number(new URL(gateway.address).port), bytes);
      expect(text, what).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    }
    expect((await get(`${gateway.address}/healthz`)).status).toBe(200);
  });

  it('listens for HTTP once, for localhost too: a further server would have none of its bounds', async () => {
    const { lookup } = dns;
    const twoAddresses = [{ address: '127.0.0.1' }, { address: '127.0.0.2' }].map((each) => ({ ...each, family: 4 }));
    vi.spyOn(dns, 'lookup').mockImplementation(((host: string, options: dns.LookupOptions, done: LookupDone) => {
      if (options.all) done(null, twoAddresses);
      else lookup(host, options, done);
    }) as never);
    onTestFinished(() => void vi.restoreAllMocks());
    const before = listenerCount();
    await start();
    const ofAddress = listenerCount() - before;
    await start({ HOST: 'localhost', DATA_DIR: `${folder.path}/second` });
    expect(listenerCount() - before).toBe(2 * ofAddress);
  });

  it('stops at once although a client keeps its connection open', async () => {
    const gateway = await start();
    const idle = connect(Number(new URL(gateway.address).port), '127.0.0.1');
    idle.on('error', () => undefined);
    await once(idle, 'connect');
    await within(3_000, () => gateway.close());
    idle.destroy();
  });

  it.each([
    ['PORT', 0],
    ['HTTP_PORT', 0],
    ['JT808_PORT', 0],
    // The third of four.
    ['JT1078_PORT', 2],
  ])('leaves nothing open when the port of %s is taken', async (name, offset) => {
    const [free = 0] = await freePorts(1);
    const holder = createServer().listen(free + offset, '127.0.0.1');
    await once(holder, 'listening');
    onTestFinished(() => void holder.close());
    const taken = { [name]: String(free), DATA_DIR: join(folder.path, 'second'), TLS: 'self-signed' };
    await expect(startGateway(configFor(taken), { log: createLog('silent') })).rejects.toThrow(
      `EADDRINUSE: address already in use 127.0.0.1:${free + offset}`,
    );
    // The holder is left. What was closed is counted until the loop has come round.
    await new Promise(setImmediate);
    expect(listenerCount()).toBe(1);
    // The database of the failed start is free again.
    const again = await start({ DATA_DIR: taken.DATA_DIR });
    expect((await get(`${again.address}/readyz`)).status).toBe(200);
  });
});

describe.skipIf(!postgresAvailable())('a gateway on PostgreSQL', () => {
  it('makes its tables, serves from them, and finds them again', async () => {
    const database = await createPostgresDatabase();
    onTestFinished(() => database.close());
    const first = await start({ DATABASE_URL: database.url });
    expect((await get(`${first.address}/readyz`)).status).toBe(200);
    const linkKey = (gateway: Gateway) =>
      get(`${gateway.address}/api/system/server`).then(({ text }) => JSON.parse(text).data.linkKey);
    const key = await linkKey(first);
    await first.close();
    expect(await linkKey(await start({ DATABASE_URL: database.url }))).toBe(key);
    expect(existsSync(join(folder.path, 'fleetglass.db'))).toBe(false);
  });
});

describe('a gateway with TLS=self-signed', () => {
  it('serves with a certificate that names this machine, and redirects plain HTTP to it', async () => {
    const [httpPort = 0] = await freePorts(1);
    const gateway = await start({ TLS: 'self-signed', HTTP_PORT: String(httpPort), PUBLIC_HOST: 'fleet.example' });
    expect(gateway.address).toMatch(/^https:/);
    const ca = readFileSync(join(folder.path, 'tls/cert.pem'), 'utf8');
    expect((await get(`${gateway.address}/healthz`, { ca })).status).toBe(200);
    const port = new URL(gateway.address).port;
    const named = { ca, servername: 'fleet.example', headers: { host: 'fleet.example' } };
    expect((await get(`https://localhost:${port}/healthz`, { ...named, host: '127.0.0.1' })).status).toBe(200);
    const redirect = await get(`http://127.0.0.1:${httpPort}/live/x?a=b`);
    expect(redirect.status).toBe(308);
    expect(redirect.headers).toMatchObject({
      location: `https://127.0.0.1:${port}/live/x?a=b`,
      'cache-control': 'no-store',
    });
  });

  it('marks its cookie for TLS only', async () => {
    const gateway = await start({ TLS: 'self-signed' });
    const ca = readFileSync(join(folder.path, 'tls/cert.pem'), 'utf8');
    const { headers } = await get(`${gateway.address}/api/user/logout`, { ca });
    expect(headers['set-cookie']?.[0]).toMatch(/^__Host-fleetglass_sid=;.*; HttpOnly; Secure; SameSite=Lax/);
  });
});

describe('the certificate', () => {
  const config = (env: Record<string, string> = {}) => configFor({ TLS: 'self-signed', ...env });
  const now = Date.now();

  it('is kept from start to start, its key readable by the gateway’s user alone', () => {
    const first = loadTls(config(), now);
    expect(loadTls(config(), now)).toEqual(first);
    expect(statSync(join(folder.path, 'tls/key.pem')).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder.path, 'tls')).mode & 0o777).toBe(0o700);
    expect(existsSync(join(folder.path, 'tls/key.pem.new'))).toBe(false);
  });

  it('is made anew before it ends', () => {
    const first = loadTls(config(), now);
    const days = (count: number): number => now + count * 24 * 3_600_000;
    expect(loadTls(config(), days(700))?.cert).toBe(first?.cert);
    const second = loadTls(config(), days(760));
    expect(second?.cert).not.toBe(first?.cert);
    expect(Date.parse(new X509Certificate(second?.cert ?? '').validTo)).toBeGreaterThan(days(1_500));
  });

  it('of a start that was cut short, its key without a certificate, is made anew', () => {
    const first = loadTls(config(), now);
    rmSync(join(folder.path, 'tls/cert.pem'));
    const second = loadTls(config(), now);
    expect(second?.key).not.toBe(first?.key);
    expect(loadTls(config(), now)).toEqual(second);
  });

  it('may come from files, and a file that is none is named by its variable', () => {
    const pair = createSelfSigned({ hosts: ['a.example'], fromMs: now, toMs: now + 1e9 });
    const [cert, key] = [join(folder.path, 'c.pem'), join(folder.path, 'k.pem')];
    writeFileSync(cert, pair.cert);
    writeFileSync(key, pair.key);
    chmodSync(key, 0o600);
    expect(loadTls(configFor({ TLS_CERT: cert, TLS_KEY: key }), now)).toEqual(pair);
    expect(() => loadTls(configFor({ TLS_CERT: cert, TLS_KEY: `${key}x` }), now)).toThrow('TLS_KEY');
    expect(() => loadTls(configFor({ TLS_CERT: key, TLS_KEY: cert }), now)).toThrow('TLS_CERT and TLS_KEY');
    const other = createSelfSigned({ hosts: ['a.example'], fromMs: now, toMs: now + 1e9 });
    writeFileSync(key, other.key);
    expect(() => loadTls(configFor({ TLS_CERT: cert, TLS_KEY: key }), now)).toThrow('TLS_CERT and TLS_KEY');
  });
});

describe('the program', () => {
  let program: string;
  beforeAll(async () => {
    program = await compiledProgram(GATEWAY);
  });

  function run(env: Record<string, string>, ...args: string[]) {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: projectRoot,
      env: { PATH: process.env.PATH ?? '', ...ANY_PORTS, DATA_DIR: folder.path, ...env },
    });
    const output = { out: '', err: '' };
    child.stdout.on('data', (chunk) => {
      output.out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      output.err += chunk;
    });
    const exited = once(child, 'close').then(([code]) => code as number | null);
    onTestFinished(() => void child.kill('SIGKILL'));
    return { child, output, exited };
  }

  it('prints one line when it is ready, the first password once, and stops on SIGTERM', {
    timeout: 60_000,
  }, async () => {
    const first = run({});
    while (!first.output.out.includes('\n')) await once(first.child.stdout, 'data');
    const [, address = ''] = /^Ready: (http:\/\/127\.0\.0\.1:\d+)\n$/.exec(first.output.out) ?? [];
    expect((await get(`${address}/readyz`)).status).toBe(200);
    const password = /password ([A-Za-z\d]{16})\./.exec(first.output.err)?.[1] ?? '';
    const login = await fetch(`${address}/api/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password }),
    });
    expect(login.status).toBe(200);

    const reset = run({}, 'admin', 'reset-password', 'admin');
    expect(await reset.exited).toBe(0);
    expect(reset.output.out).toMatch(/^admin now signs in with \w{16}\. Sessions ended: 1\.\n$/);

    first.child.kill('SIGTERM');
    await within(5_000, () => first.exited);
    expect(await first.exited).toBe(0);
    expect(first.output.out.split('\n')).toHaveLength(2);

    const second = run({});
    while (!second.output.out.includes('\n')) await once(second.child.stdout, 'data');
    expect(second.output.err).not.toContain('password');
    second.child.kill('SIGINT');
    expect(await second.exited).toBe(0);
  });

  it('does not start with a value that it does not take, and says which', { timeout: 60_000 }, async () => {
    const { output, exited } = run({ PORT: 'eighty' });
    expect(await exited).toBe(1);
    expect(output).toEqual({ out: '', err: 'PORT takes a whole number from 0 to 65535, not "eighty"\n' });
  });

  it('ends with a message when a port is taken', { timeout: 60_000 }, async () => {
    const { jt808Port } = await start();
    const { output, exited } = run({ JT808_PORT: String(jt808Port), DATA_DIR: join(folder.path, 'second') });
    expect(await exited).toBe(1);
    const reason = `listen EADDRINUSE: address already in use 127.0.0.1:${jt808Port}`;
    expect(output).toEqual({ out: '', err: `The gateway could not start: ${reason}\n` });
  });

  it('explains itself', { timeout: 60_000 }, async () => {
    const { output, exited } = run({}, '--help');
    expect(await exited).toBe(0);
    expect(output.out).toContain('JT1078_PORT (7078)');
    expect(output.err).toBe('');
  });
});
