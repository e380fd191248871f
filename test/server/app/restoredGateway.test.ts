// A gateway whose installation is restored while it is closed.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createGatewayHost, type GatewayHost } from '../../../server/app/gatewayHost.ts';
import { writeJournal } from '../../../server/backup/restore/journal.ts';
import { clearRestores, recoverRestore } from '../../../server/backup/restore/restoration.ts';
import { readConfig } from '../../../server/config/readConfig.ts';
import { ServerSetting } from '../../../server/http/system/serverSettings.ts';
import { createLog } from '../../../server/process/log.ts';
import { lockFile } from '../../../server/store/backup/fileLock.ts';
import { installationAt, type TestInstallation } from '../../support/backup/installation.ts';
import { prepareDataDir } from '../../support/databases/sqliteFile.ts';
import { createTempFolder } from '../../support/tempFolder.ts';

let host: GatewayHost;
let installation: TestInstallation;
let removeFolder: () => Promise<void>;
beforeEach(async () => {
  const { path, remove } = await createTempFolder();
  const ports = { PORT: '0', JT808_PORT: '0', JT1078_PORT: '0', ATTACHMENT_PORT: '0', FTP_PORT: '0' };
  const read = readConfig({ HOST: '127.0.0.1', ...ports, FTP_PASSIVE_PORTS: '0', DATA_DIR: path });
  if (!read.ok) throw new Error(read.problems.join('\n'));
  await prepareDataDir(path);
  const options = { log: createLog('silent'), metrics: new Registry() };
  host = createGatewayHost(read.config, {
    ...options,
    onLost: (error) => {
      throw error;
    },
  });
  installation = installationAt(path, { engine: 'sqlite', file: join(path, 'fleetglass.db') });
  removeFolder = remove;
});
afterEach(async () => {
  await host.close();
  await removeFolder();
});

const title = () => host.gateway?.stores.settings.get(ServerSetting.WebTitle);

it('starts on what was restored', async () => {
  const { stores } = await host.start();
  await stores.settings.set(ServerSetting.WebTitle, 'Then');
  const path = await installation.backUp();
  await stores.settings.set(ServerSetting.WebTitle, 'Now');
  const outcome = await host.restart(async () => {
    const restored = await installation.restore({ path });
    if (!restored.ok) throw new Error(restored.fault);
    return restored.exchange;
  });
  expect(outcome).toEqual({ kind: 'changed' });
  expect(await title()).toBe('Then');
});

it('starts on the state before when no gateway starts on the new one', async () => {
  const { stores } = await host.start();
  await stores.settings.set(ServerSetting.WebTitle, 'Then');
  const path = await installation.backUp();
  await stores.settings.set(ServerSetting.WebTitle, 'Now');
  const outcome = await host.restart(async () => {
    const restored = await installation.restore({ path });
    if (!restored.ok) throw new Error(restored.fault);
    await writeFile(join(installation.dataDir, 'fleetglass.db'), 'no database at all, and of no use to a gateway');
    return restored.exchange;
  });
  expect(outcome).toMatchObject({ kind: 'unchanged' });
  expect(await title()).toBe('Now');
});

it('brings to its end what was cut short', async () => {
  const id = '0123456789ab';
  const staged = `restore/${id}/picture`;
  const { dataDir } = installation;
  await installation.writeFile(staged, 'new');
  await installation.writeFile('picture', 'old');
  const moves = [{ present: 'picture', staged, aside: `restore/${id}/old/picture` }];
  await writeJournal(dataDir, { id, phase: 'forward', engine: 'sqlite', moves });
  await host.start();
  expect(await installation.readFile('picture')).toBe('new');
  expect(await recoverRestore(installation)).toBe('new');
  await clearRestores(installation);
  expect(await recoverRestore(installation)).toBe('none');
});

it('does not start while another process restores', async () => {
  await installation.writeFile('restore/lock', '');
  const lock = lockFile(join(installation.dataDir, 'restore/lock'));
  await expect(host.start()).rejects.toThrow('restored by another process');
  lock?.release();
  await host.start();
});
