// Problems with the backups of a whole gateway raise the event by which members are notified.
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type Gateway, startGateway } from '../../../server/app/gateway.ts';
import { FIRST_PLAN, writePlan } from '../../../server/backup/plan/planText.ts';
import { readConfig } from '../../../server/config/readConfig.ts';
import { createLog } from '../../../server/process/log.ts';
import { createStores } from '../../../server/store/stores.ts';
import { BACKUPS_PATH, backupTestPath } from '../../../shared/protocol/api/system/backups.ts';
import { HEALTH_EVENTS } from '../../../shared/protocol/health/healthEvents.ts';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { inProcessBackups } from '../../support/backup/inProcessBackups.ts';
import { openSqliteFile, prepareDataDir } from '../../support/databases/sqliteFile.ts';
import { cheapHash } from '../../support/fakes/cheapHash.ts';
import { createTempFolder } from '../../support/tempFolder.ts';
import { waitFor } from '../../support/waitFor.ts';

const PASSWORD = 'correct horse battery';
const ROOMY = { freeBytes: 50e9, totalBytes: 100e9, device: 1 };

async function openFolder(): Promise<string> {
  const folder = await createTempFolder();
  onTestFinished(folder.remove);
  return folder.path;
}

async function start(dataDir: string, env: Readonly<Record<string, string>> = {}): Promise<Gateway> {
  const ports = { PORT: '0', JT808_PORT: '0', JT1078_PORT: '0', ATTACHMENT_PORT: '0', FTP_PORT: '0' };
  const folders = { DATA_DIR: dataDir, ...env };
  const read = readConfig({ HOST: '127.0.0.1', ...ports, FTP_PASSIVE_PORTS: '0', ...folders });
  if (!read.ok) throw new Error(read.problems.join('\n'));
  const health = { spaceOf: async () => ROOMY, lookEveryMs: 20 };
  await prepareDataDir(dataDir);
  const gateway = await startGateway(read.config, {
    ...{ log: createLog('silent'), health },
    // Backups run in the thread of the test, which nothing else keeps busy.
    backupThreads: inProcessBackups(() => undefined),
  });
  onTestFinished(() => gateway.close());
  return gateway;
}

/** Makes the gateway miss a backup, as if it had been down at that time: its start makes up for it. */
async function missRun(dataDir: string): Promise<void> {
  const { db, close } = await openSqliteFile(join(dataDir, 'fleetglass.db'));
  const { settings } = createStores(db);
  const values = { ...FIRST_PLAN.values, enabled: true };
  await settings.set('backup.plan', writePlan({ ...FIRST_PLAN, values, changedAtMs: Date.now() }));
  await settings.set('backup.due', '1');
  await close();
}

function problems({ stores }: Gateway) {
  const read = async () => (await stores.eventLog.tracked(0)).filter(({ type }) => type === HEALTH_EVENTS.backup);
  return waitFor('the event', read, ({ length }) => length > 0);
}

/** Makes a backup by hand, through the calls of the page, and gives what tests it again. */
async function makeOne({ address, stores }: Gateway) {
  const permissions = [Permission.System, Permission.SystemBackup];
  const user = { username: 'ann', passwordHash: await cheapHash(PASSWORD), permissions };
  await stores.users.insert(user, wallMs(Date.now()));
  const headers = { 'content-type': 'application/json', origin: address, cookie: '' };
  const send = (path: string, body: object) =>
    fetch(address + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const post = async (path: string, body: object) => {
    const answer = await send(path, body);
    expect(answer.status).toBe(200);
    return answer;
  };
  // The work before it is reported as over a moment before it is over, and no other is accepted until then.
  const testAgain = (backup: number) =>
    waitFor(
      'its test to be taken on',
      async () => (await send(backupTestPath(backup), { key: '' })).status,
      (status) => status === 200,
    );
  const signedIn = await post('/api/user/login', { username: 'ann', password: PASSWORD });
  headers.cookie = signedIn.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
  await post(BACKUPS_PATH, { note: '' });
  const [backup] = await waitFor(
    'its test',
    () => stores.backups.list(),
    ([made]) => made?.test.state === 'passed',
  );
  const { id = 0, file = '' } = backup ?? {};
  return { id, file, testAgain: () => testAgain(id) };
}

it('a backup that failed, for a folder that is not there and is not made', async () => {
  const dataDir = await openFolder();
  await missRun(dataDir);
  const share = join(dataDir, 'share');
  const gateway = await start(dataDir, { BACKUP_DIR: share });
  expect(await problems(gateway)).toMatchObject([{ endAtMs: 0, source: 'system' }]);
  expect(await gateway.stores.backups.list()).toMatchObject([{ state: 'failed', fault: 'folder-missing' }]);
  expect(existsSync(share)).toBe(false);
});

it('a backup that could not be restored, until a test has passed', async () => {
  const dataDir = await openFolder();
  const gateway = await start(dataDir);
  const { file, testAgain } = await makeOne(gateway);
  const path = join(dataDir, 'backups', file);
  const whole = await readFile(path);
  await writeFile(path, whole.subarray(0, -1));
  await testAgain();
  expect(await problems(gateway)).toMatchObject([{ endAtMs: 0 }]);
  expect(await gateway.stores.backups.list()).toMatchObject([{ test: { state: 'failed', fault: 'truncated' } }]);
  await writeFile(path, whole);
  await testAgain();
  await waitFor(
    'its end',
    () => problems(gateway),
    ([event]) => event?.endAtMs !== 0,
  );
});
