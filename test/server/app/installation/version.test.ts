// What a gateway leaves in the database about itself, and says of itself.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Gateway, startGateway } from '../../../../server/app/gateway.ts';
import { createPasswords } from '../../../../server/auth/passwords.ts';
import { readConfig } from '../../../../server/config/readConfig.ts';
import { createLog } from '../../../../server/process/log.ts';
import { findProjectRoot, readVersion } from '../../../../server/process/projectRoot.ts';
import { ABOUT_PATH, type About } from '../../../../shared/protocol/api/system/about.ts';
import { Permission } from '../../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { prepareDataDir } from '../../../support/databases/sqliteFile.ts';
import { createTempFolder, type TempFolder } from '../../../support/tempFolder.ts';

const PORTS = {
  HOST: '127.0.0.1',
  PORT: '0',
  JT808_PORT: '0',
  JT1078_PORT: '0',
  ATTACHMENT_PORT: '0',
  FTP_PORT: '0',
  FTP_PASSIVE_PORTS: '0',
};
const PASSWORD = 'correct horse battery';
const VERSION = readVersion(findProjectRoot());

let folder: TempFolder;
let gateway: Gateway | undefined;
beforeEach(async () => {
  folder = await createTempFolder();
  await prepareDataDir(folder.path);
});
afterEach(async () => {
  await gateway?.close();
  await folder.remove();
});

async function start(): Promise<Gateway> {
  const read = readConfig({ ...PORTS, DATA_DIR: folder.path });
  if (!read.ok) throw new Error(read.problems.join('\n'));
  gateway = await startGateway(read.config, { log: createLog('silent') });
  return gateway;
}

async function readAbout({ address, stores }: Gateway): Promise<About> {
  const passwordHash = await (await createPasswords()).hash(PASSWORD);
  const permissions = [Permission.System, Permission.Version];
  await stores.users.insert({ username: 'root', passwordHash, permissions }, wallMs(Date.now()));
  const signedIn = await fetch(`${address}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: address },
    body: JSON.stringify({ username: 'root', password: PASSWORD }),
  });
  const cookie = signedIn.headers
    .getSetCookie()
    .map((each) => each.split(';', 1)[0])
    .join('; ');
  const answer = await fetch(`${address}${ABOUT_PATH}`, { headers: { cookie } });
  return ((await answer.json()) as { data: About }).data;
}

it('says what it is: the version of this product, its build unknown, one gateway, its own key', async () => {
  const about = await readAbout(await start());
  expect(about).toMatchObject({
    version: VERSION,
    build: { commit: '', builtAtMs: 0 },
    node: process.version,
    database: { engine: 'sqlite' },
    changes: { previousVersion: '', isCut: false },
  });
  expect(about.gateways).toEqual([
    {
      id: expect.any(String),
      host: expect.any(String),
      version: VERSION,
      startedAtMs: about.startedAtMs,
      seenAtMs: expect.any(Number),
      isThis: true,
    },
  ]);
  expect(about.nowMs).toBeGreaterThanOrEqual(about.startedAtMs);
  // Shipped beside package.json.
  expect(about.changes.markdown).toMatch(/^## /);
});

it('is listed no longer once it has ended in order; one that was killed is', async () => {
  const first = await start();
  const [own] = await first.stores.gateways.list();
  await first.stores.gateways.seen({
    id: 'killed',
    host: 'h',
    version: '1',
    startedAtMs: wallMs(1),
    seenAtMs: wallMs(Date.now()),
  });
  await first.close();
  const second = await start();
  const ids = (await second.stores.gateways.list()).map(({ id }) => id);
  expect(ids).toHaveLength(2);
  expect(ids).toContain('killed');
  expect(ids).not.toContain(own?.id);
});

it('knows which version ran before', async () => {
  const first = await start();
  await first.stores.productVersions.note('0.0.1', wallMs(1));
  expect(await first.stores.productVersions.before(VERSION)).toBe('0.0.1');
});
