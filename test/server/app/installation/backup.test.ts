// Backups of a whole gateway.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startGateway } from '../../../../server/app/gateway.ts';
import { createSecretBox, loadOrMakeKey } from '../../../../server/auth/secretBox.ts';
import { verifyArchive } from '../../../../server/backup/archive/verifyArchive.ts';
import { BackupPlans } from '../../../../server/backup/plan/backupPlans.ts';
import { FIRST_PLAN } from '../../../../server/backup/plan/planText.ts';
import { readConfig } from '../../../../server/config/readConfig.ts';
import { installationPath } from '../../../../server/installation.ts';
import { createLog } from '../../../../server/process/log.ts';
import type { StoredBackup } from '../../../../server/store/system/backupRows.ts';
import { aRun, succeeded } from '../../../support/backup/archives.ts';
import { createTempFolder } from '../../../support/tempFolder.ts';
import { waitFor } from '../../../support/waitFor.ts';

const PASSPHRASE = 'a long enough passphrase';

async function start(dataDir: string, env: Readonly<Record<string, string>> = {}) {
  const ports = { PORT: '0', JT808_PORT: '0', JT1078_PORT: '0', ATTACHMENT_PORT: '0', FTP_PORT: '0' };
  const read = readConfig({ HOST: '127.0.0.1', ...ports, FTP_PASSIVE_PORTS: '0', DATA_DIR: dataDir, ...env });
  if (!read.ok) throw new Error(read.problems.join('\n'));
  const gateway = await startGateway(read.config, { log: createLog('silent') });
  onTestFinished(() => gateway.close());
  const box = createSecretBox(loadOrMakeKey(installationPath({ dataDir }, 'sealingKey')));
  return { ...gateway, plans: new BackupPlans({ settings: gateway.stores.settings, box, now: Date.now }) };
}

async function openFolder(): Promise<string> {
  const folder = await createTempFolder();
  onTestFinished(folder.remove);
  return folder.path;
}

/** As if it had been down at the time. */
async function missRun({ plans, stores, close }: Awaited<ReturnType<typeof start>>): Promise<void> {
  const values = { ...FIRST_PLAN.values, enabled: true, encryption: 'passphrase' } as const;
  await plans.change({ version: 1, values, passphrase: PASSPHRASE, newRecoveryKey: false });
  await stores.settings.set('backup.due', '1');
  await close();
}

const ended = (backups: readonly StoredBackup[]): boolean =>
  backups.some(({ state, test }) => state === 'failed' || test.state === 'passed' || test.state === 'failed');

it('a run that was missed is made up at the start, tested, and holds the keys', async () => {
  const dataDir = await openFolder();
  await missRun(await start(dataDir));
  const { stores } = await start(dataDir);
  const backups = await waitFor('a backup', () => stores.backups.list(), ended);
  expect(backups).toMatchObject([{ state: 'done', madeBy: '', isManual: false, test: { state: 'passed', fault: '' } }]);
  const path = join(dataDir, 'backups', backups[0]?.file ?? '');
  const { manifest } = succeeded(
    await verifyArchive({ path, key: { kind: 'passphrase', passphrase: PASSPHRASE } }, aRun()),
  );
  expect(manifest.files.files).toBeGreaterThanOrEqual(2);
});

it('a folder that BACKUP_DIR names is not made, and the backup fails', async () => {
  const dataDir = await openFolder();
  const env = { BACKUP_DIR: join(dataDir, 'share') };
  await missRun(await start(dataDir, env));
  const { stores } = await start(dataDir, env);
  const backups = await waitFor('a backup', () => stores.backups.list(), ended);
  expect(backups).toMatchObject([{ state: 'failed', fault: 'folder-missing' }]);
  expect(existsSync(env.BACKUP_DIR)).toBe(false);
});
