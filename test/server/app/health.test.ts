// The health of a whole gateway: what each check finds, and the events of problems that last.
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request as requestPlain } from 'node:http';
import { type RequestOptions, request as requestSecurely } from 'node:https';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Gateway, type GatewayOptions, startGateway } from '../../../server/app/gateway.ts';
import { readConfig } from '../../../server/config/readConfig.ts';
import { LOOKS_TO_BEGIN } from '../../../server/health/rules/steadyProblem.ts';
import type { FolderSpace } from '../../../server/health/sources/diskSource.ts';
import { createLog } from '../../../server/process/log.ts';
import { HEALTH_PATH, type Health, type HealthCheck } from '../../../shared/protocol/api/system/health.ts';
import { HEALTH_SUBJECT_NAMES } from '../../../shared/protocol/health/healthTexts.ts';
import { HEALTH_KINDS } from '../../../shared/protocol/health/healthWords.ts';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { prepareDataDir } from '../../support/databases/sqliteFile.ts';
import { cheapHash } from '../../support/fakes/cheapHash.ts';
import { freePorts } from '../../support/freePorts.ts';
import { createTempFolder, type TempFolder } from '../../support/tempFolder.ts';
import { waitFor } from '../../support/waitFor.ts';

const PASSWORD = 'correct horse battery';
const GIGABYTE = 1024 ** 3;
const DAY_MS = 86_400_000;
const ROOMY: FolderSpace = { freeBytes: 50 * GIGABYTE, totalBytes: 100 * GIGABYTE, device: 1 };

let folder: TempFolder;
let gateway: Gateway | undefined;
beforeEach(async () => {
  folder = await createTempFolder();
});
afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
  await folder.remove();
});

async function start(
  env: Readonly<Record<string, string>> = {},
  health: GatewayOptions['health'] | 'real disks' = { spaceOf: async () => ROOMY },
): Promise<Gateway> {
  const ports = {
    HOST: '127.0.0.1',
    PORT: '0',
    JT808_PORT: '0',
    JT1078_PORT: '0',
    ATTACHMENT_PORT: '0',
    FTP_PORT: '0',
    FTP_PASSIVE_PORTS: '0',
    LOG_LEVEL: 'silent',
  };
  const read = readConfig({ ...ports, DATA_DIR: folder.path, ...env });
  if (!read.ok) throw new Error(read.problems.join('\n'));
  const log = createLog('silent');
  await prepareDataDir(folder.path);
  gateway = await startGateway(read.config, health === 'real disks' ? { log } : { log, health });
  return gateway;
}

/** Signs in over the wire, as a program that watches the installation does. */
async function readHealth({ address, stores }: Gateway): Promise<Health> {
  const permissions = [Permission.System, Permission.Version];
  const user = { username: 'ann', passwordHash: await cheapHash(PASSWORD), permissions };
  await stores.users.insert(user, wallMs(Date.now()));
  const headers = { 'content-type': 'application/json', origin: address };
  const body = JSON.stringify({ username: 'ann', password: PASSWORD });
  const signedIn = await send(`${address}/api/user/login`, { method: 'POST', headers }, body);
  const cookie = signedIn.cookies.map((each) => each.split(';')[0]).join('; ');
  const { status, text } = await send(address + HEALTH_PATH, { headers: { cookie } });
  expect(status).toBe(200);
  return (JSON.parse(text) as { data: Health }).data;
}

async function send(address: string, options: RequestOptions, body = '') {
  const request = address.startsWith('https:')
    ? requestSecurely(address, { ...options, ca: readFileSync(join(folder.path, 'tls/cert.pem')) })
    : requestPlain(address, options);
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response) text += chunk;
  return { status: response.statusCode, cookies: response.headers['set-cookie'] ?? [], text };
}

const figureOf = (checks: readonly HealthCheck[], id: string, name: string) =>
  checks.find((check) => check.id === id)?.values.find((value) => value.name === name)?.value;

describe('the health of a gateway', () => {
  it('has all its checks, with plausible numbers and no paths', async () => {
    const [passive = 0] = await freePorts(1);
    const running = await start({ FTP_PASSIVE_PORTS: `${passive}-${passive}` });
    const health = await readHealth(running);
    const { checks } = health;
    const ids = checks.filter(({ kind }) => kind !== 'tables').map(({ id }) => id);
    expect(ids).toEqual([
      'ports/web',
      'ports/jt808',
      'ports/jt1078-main',
      'ports/jt1078-sub',
      'ports/jt1078-playback',
      'ports/jt1078-talk',
      'ports/attachments',
      'ports/ftp',
      'ports/ftp-passive',
      'certificate',
      'disks/data',
      'disks/recordings',
      'disks/reports',
      'queues/positions',
      'queues/events',
      'queues/messages',
      'queues/commands',
      'queues/sync',
      'queues/reports',
      'threads/main',
      'threads/database-writer',
      'threads/database-reader',
      'threads/tracks',
      'threads/report-results',
      'runtime',
      'backup',
    ]);
    const kinds = checks.map(({ kind }) => HEALTH_KINDS.indexOf(kind));
    expect(kinds).toEqual(kinds.toSorted((left, right) => left - right));
    // Nobody has planned a backup yet.
    expect(checks.at(-1)).toMatchObject({ kind: 'backup', state: 'warning', advice: 'run-backup' });
    // What it finds of threads and of Node depends on the machine.
    const settled = checks.filter(({ kind }) => !['threads', 'runtime', 'backup'].includes(kind));
    expect(settled.filter(({ state, advice }) => state !== 'ok' || advice !== '')).toEqual([]);
    expect(figureOf(checks, 'ports/web', 'port')).toBe(Number(new URL(running.address).port));
    expect(figureOf(checks, 'ports/jt808', 'port')).toBe(running.jt808Port);
    expect(figureOf(checks, 'ports/ftp-passive', 'port')).toBe(passive);
    expect(figureOf(checks, 'disks/data', 'free')).toBe(ROOMY.freeBytes);
    expect(figureOf(checks, 'tables/app_user', 'rows')).toBe(1);
    expect(figureOf(checks, 'tables/app_user', 'size')).toBeGreaterThan(0);
    expect(figureOf(checks, 'threads/database-writer', 'longest-pause')).toBeGreaterThanOrEqual(0);
    expect(figureOf(checks, 'threads/tracks', 'longest-pause')).toBe(null);
    expect(figureOf(checks, 'runtime', 'release-line')).toBe(Number.parseInt(process.versions.node, 10));
    const named = checks.filter(({ kind, subject }) => kind !== 'tables' && subject !== '');
    expect(named.filter(({ subject }) => HEALTH_SUBJECT_NAMES[subject] === undefined)).toEqual([]);
    expect(JSON.stringify(health)).not.toContain(folder.path);
  });

  it('looks at the disk of BACKUP_DIR, which may be a share that is gone', async () => {
    const path = join(folder.path, 'share');
    const spaceOf = async (looked: string): Promise<FolderSpace> => {
      if (looked !== path) return ROOMY;
      throw new Error('not mounted');
    };
    const { checks } = await readHealth(await start({ BACKUP_DIR: path }, { spaceOf }));
    const disks = checks.filter(({ kind }) => kind === 'disks').map(({ id, state, advice }) => ({ id, state, advice }));
    expect(disks.at(-1)).toEqual({ id: 'disks/backups', state: 'problem', advice: 'connect-disk' });
    expect(disks.slice(0, -1).every(({ state }) => state === 'ok')).toBe(true);
    expect(HEALTH_SUBJECT_NAMES.backups).toBeDefined();
  });

  it.each([
    ['20.20.2', 'warning', 'renew-node'],
    ['22.12.0', 'ok', ''],
  ] as const)('says of Node %s in November 2026: %s', async (nodeVersion, state, advice) => {
    const now = () => Date.UTC(2026, 10, 28);
    const { checks } = await readHealth(await start({}, { spaceOf: async () => ROOMY, nodeVersion, now }));
    expect(checks.find(({ id }) => id === 'runtime')).toMatchObject({ kind: 'runtime', subject: '', state, advice });
  });

  it('looks at real disks', async () => {
    const { checks } = await readHealth(await start({}, 'real disks'));
    expect(figureOf(checks, 'disks/recordings', 'total')).toBeGreaterThan(0);
  });

  it('names the redirect, and a certificate that is about to expire', async () => {
    const [httpPort = 0] = await freePorts(1);
    const env = { TLS: 'self-signed', HTTP_PORT: String(httpPort) };
    const running = await start(env);
    const expiresAtMs = Date.parse(new X509Certificate(readFileSync(join(folder.path, 'tls/cert.pem'))).validTo);
    await running.close();
    const again = await start(env, hurried(expiresAtMs - 6 * DAY_MS));
    expect(await eventsOf(again, 'certificate-expiring')).toMatchObject([{ endAtMs: 0, source: 'system' }]);
    const { checks } = await readHealth(again);
    expect(checks.find(({ id }) => id === 'ports/redirect')).toMatchObject({ state: 'ok' });
    expect(checks.find(({ id }) => id === 'certificate')).toMatchObject({
      state: 'problem',
      advice: 'restart-for-certificate',
    });
  });

  it('tells of a full disk by one event, which ends with it and outlives a restart', async () => {
    let space: FolderSpace = { ...ROOMY, freeBytes: 1_000 };
    let looks = 0;
    const spaceOf = async (path: string): Promise<FolderSpace> => {
      if (path === folder.path) looks++;
      return space;
    };
    const options = { ...hurried(Date.now()), spaceOf };
    const first = await start({}, options);
    const [begun] = await eventsOf(first, 'server-disk-problem');
    expect(begun).toMatchObject({ endAtMs: 0, archiveNumber: 0, severity: 'critical' });
    await first.close();
    const before = looks;
    const second = await start({}, options);
    await waitFor('looks of the second run', () => looks > before + 2 * LOOKS_TO_BEGIN);
    space = ROOMY;
    const ended = await waitFor(
      'the end of the event',
      () => eventsOf(second, 'server-disk-problem'),
      ([event]) => event?.endAtMs !== 0,
    );
    expect(ended).toMatchObject([{ id: begun?.id, count: 1 }]);
  });
});

/** At least one. */
function eventsOf({ stores }: Gateway, type: string) {
  const read = async () => (await stores.eventLog.tracked(0)).filter((event) => event.type === type);
  return waitFor(`an event ${type}`, read, ({ length }) => length > 0);
}

/** One look after the other; by the clock each is long after the one before. */
function hurried(fromMs: number) {
  let nowMs = fromMs;
  return {
    spaceOf: async () => ROOMY,
    lookEveryMs: 20,
    now: () => {
      nowMs += 10_000;
      return nowMs;
    },
  };
}
