// What a gateway leaves in its data folder and among its settings is in the list of what belongs to an installation.
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { get } from 'node:https';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startGateway } from '../../../server/app/gateway.ts';
import { createSecretBox, loadOrMakeKey } from '../../../server/auth/secretBox.ts';
import { readConfig } from '../../../server/config/readConfig.ts';
import {
  INSTALLATION_FILES,
  type InstallationFile,
  installationPath,
  SECRET_SETTINGS,
} from '../../../server/installation.ts';
import { loadOrMakeVapidKeys } from '../../../server/notify/senders/push/vapidKeys.ts';
import { createLog } from '../../../server/process/log.ts';
import { createTempFolder } from '../../support/tempFolder.ts';

const ANY_PORTS = {
  HOST: '127.0.0.1',
  PORT: '0',
  JT808_PORT: '0',
  JT1078_PORT: '0',
  ATTACHMENT_PORT: '0',
  FTP_PORT: '0',
  FTP_PASSIVE_PORTS: '0',
};
const FILES: readonly InstallationFile[] = Object.values(INSTALLATION_FILES);

async function startIn(dataDir: string) {
  const read = readConfig({ ...ANY_PORTS, DATA_DIR: dataDir, TLS: 'self-signed' });
  if (!read.ok) throw new Error(read.problems.join('\n'));
  const gateway = await startGateway(read.config, { log: createLog('silent') });
  onTestFinished(() => gateway.close());
  return gateway;
}

/** Whether the list has it, or the folder that it lies in, or what lies in it. */
function isListed(path: string): boolean {
  return FILES.some(
    ({ path: listed, form }) =>
      path === listed || listed.startsWith(`${path}/`) || (form === 'folder' && path.startsWith(`${listed}/`)),
  );
}

it('has every file and every secret setting of a gateway that runs', async () => {
  const folder = await createTempFolder();
  onTestFinished(folder.remove);
  const { address, stores } = await startIn(folder.path);
  // Made with the first answer of what the installation says of itself.
  await once(get(`${address}/api/system/server`, { agent: false, rejectUnauthorized: false }), 'response');
  // Made with the first browser that shows notifications.
  const box = createSecretBox(loadOrMakeKey(installationPath({ dataDir: folder.path }, 'sealingKey')));
  await loadOrMakeVapidKeys({ settings: stores.settings, box });

  const found = readdirSync(folder.path, { recursive: true, encoding: 'utf8' });
  expect(found.filter((path) => !isListed(path))).toEqual([]);
  const keys = FILES.filter(({ kind }) => kind === 'key' || kind === 'certificate').map(({ path }) => path);
  expect(found).toEqual(expect.arrayContaining(['fleetglass.db', ...keys]));

  // All that a gateway sets by itself are secrets. The plan of backups is set by members.
  const { backupPlan: _, ...ownSecrets } = SECRET_SETTINGS;
  expect([...(await stores.settings.getAll()).keys()].sort()).toEqual(
    Object.values(ownSecrets)
      .map(({ name }) => name)
      .sort(),
  );
});

it('is where every path below the data folder comes from', () => {
  const root = join(import.meta.dirname, '../../../server');
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  const joining = sources.filter((path) => /join\((\w+\.)?dataDir\b/.test(readFileSync(join(root, path), 'utf8')));
  expect(joining).toEqual(['installation.ts']);
});
