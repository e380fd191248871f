// Backups of a whole gateway, whose environment names a bucket.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startGateway } from '../../../../server/app/gateway.ts';
import { createSecretBox, loadOrMakeKey } from '../../../../server/auth/secretBox.ts';
import { verifyArchive } from '../../../../server/backup/archive/verifyArchive.ts';
import { BackupPlans } from '../../../../server/backup/plan/backupPlans.ts';
import { FIRST_PLAN } from '../../../../server/backup/plan/planText.ts';
import { createBackupThreads } from '../../../../server/backup/thread/backupThread.ts';
import { readConfig } from '../../../../server/config/readConfig.ts';
import { installationPath } from '../../../../server/installation.ts';
import { createLog } from '../../../../server/process/log.ts';
import { createStores } from '../../../../server/store/stores.ts';
import type { StoredBackup } from '../../../../server/store/system/backupRows.ts';
import { aRun, succeeded } from '../../../support/backup/archives.ts';
import { openStandInBucket, type StandInBucket } from '../../../support/backup/bucket/standInBucket.ts';
import { openSqliteFile } from '../../../support/databases/sqliteFile.ts';
import { createTempFolder } from '../../../support/tempFolder.ts';
import { waitFor } from '../../../support/waitFor.ts';

const PASSPHRASE = 'a long enough passphrase';
const PORTS = { PORT: '0', JT808_PORT: '0', JT1078_PORT: '0', ATTACHMENT_PORT: '0', FTP_PORT: '0' };

async function openFolder(): Promise<string> {
  const folder = await createTempFolder();
  onTestFinished(folder.remove);
  return folder.path;
}

async function start(dataDir: string, { address }: StandInBucket, log: string[], secretKey = address.secretKey) {
  const read = readConfig({
    ...{ HOST: '127.0.0.1', ...PORTS, FTP_PASSIVE_PORTS: '0', DATA_DIR: dataDir },
    BACKUP_S3_ENDPOINT: address.endpoint,
    BACKUP_S3_REGION: address.region,
    BACKUP_S3_BUCKET: address.bucket,
    BACKUP_S3_ACCESS_KEY: address.accessKey,
    BACKUP_S3_SECRET_KEY: secretKey,
  });
  if (!read.ok) throw new Error(read.problems.join('\n'));
  const gateway = await startGateway(read.config, {
    log: createLog('trace', { write: (line) => void log.push(line) }),
    // These threads wait for no other test.
    backupThreads: createBackupThreads(() => undefined, 'a closed gateway'),
  });
  onTestFinished(() => gateway.close());
  return gateway;
}

/** Makes the gateway miss a backup, as if it had been down at that time: the next start makes one. */
async function missRun(dataDir: string): Promise<void> {
  const { db, close } = await openSqliteFile(join(dataDir, 'fleetglass.db'));
  const { settings } = createStores(db);
  const box = createSecretBox(loadOrMakeKey(installationPath({ dataDir }, 'sealingKey')));
  const plans = new BackupPlans({ settings, box, now: Date.now });
  const values = { ...FIRST_PLAN.values, enabled: true, encryption: 'passphrase' } as const;
  await plans.change({ version: 1, values, passphrase: PASSPHRASE, newRecoveryKey: false });
  await settings.set('backup.due', '1');
  await close();
}

function copyIs(state: StoredBackup['copyState'], fault: StoredBackup['copyFault'] = '') {
  return (backups: readonly StoredBackup[]): boolean =>
    backups.some(({ copyState, copyFault }) => copyState === state && copyFault === fault);
}

it('a run that was missed is made up at the start, tested and holds the keys; its copy goes on after each start', async () => {
  const dataDir = await openFolder();
  const bucket = await openStandInBucket();
  const log: string[] = [];
  await missRun(dataDir);

  const wrong = await start(dataDir, bucket, log, 'another/SECRET');
  const refused = await waitFor('a refusal', () => wrong.stores.backups.list(), copyIs('failed', 'copy-refused'));
  expect(refused).toMatchObject([{ state: 'done', madeBy: '', isManual: false, test: { state: 'passed', fault: '' } }]);
  const path = join(dataDir, 'backups', refused[0]?.file ?? '');
  const key = { kind: 'passphrase', passphrase: PASSPHRASE } as const;
  const { manifest } = succeeded(await verifyArchive({ path, key }, aRun()));
  expect(manifest.files.files).toBeGreaterThanOrEqual(2);
  await wrong.close();

  bucket.misbehave = ({ call }) => (call === 'UploadPart' ? 'silent' : undefined);
  const ended = await start(dataDir, bucket, log);
  await waitFor('a part on its way', () => bucket.calls('UploadPart') > 0);
  await ended.close();
  expect([bucket.calls('AbortMultipartUpload'), bucket.uploads.size]).toEqual([1, 0]);

  bucket.misbehave = () => undefined;
  const { stores } = await start(dataDir, bucket, log);
  const [backup] = await waitFor('a copy', () => stores.backups.list(), copyIs('done'));
  const { file = '', sha256 } = backup ?? {};
  expect(bucket.objects.size).toBe(1);
  expect(bucket.objects.get(file)?.body.equals(await readFile(path))).toBe(true);
  expect(bucket.objects.get(file)?.sha256).toBe(sha256);
  // Nothing in the log reveals the keys.
  const text = log.join('');
  expect(text).toContain('copy-refused');
  for (const secret of ['another/SECRET', bucket.address.secretKey, bucket.address.accessKey])
    expect(text).not.toContain(secret);
});
