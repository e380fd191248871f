// A whole gateway whose environment names a bucket.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startGateway } from '../../../../server/app/gateway.ts';
import { createSecretBox, loadOrMakeKey } from '../../../../server/auth/secretBox.ts';
import { BackupPlans } from '../../../../server/backup/plan/backupPlans.ts';
import { FIRST_PLAN } from '../../../../server/backup/plan/planText.ts';
import { readConfig } from '../../../../server/config/readConfig.ts';
import { installationPath } from '../../../../server/installation.ts';
import { createLog } from '../../../../server/process/log.ts';
import type { StoredBackup } from '../../../../server/store/system/backupRows.ts';
import { openStandInBucket, type StandInBucket } from '../../../support/backup/bucket/standInBucket.ts';
import { createTempFolder } from '../../../support/tempFolder.ts';
import { waitFor } from '../../../support/waitFor.ts';

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
  });
  onTestFinished(() => gateway.close());
  return gateway;
}

/** As if it had been down at the time: the next start makes a backup. */
async function planAndClose(dataDir: string, { stores, close }: Awaited<ReturnType<typeof start>>): Promise<void> {
  const box = createSecretBox(loadOrMakeKey(installationPath({ dataDir }, 'sealingKey')));
  const plans = new BackupPlans({ settings: stores.settings, box, now: Date.now });
  const values = { ...FIRST_PLAN.values, enabled: true };
  await plans.change({ version: 1, values, passphrase: null, newRecoveryKey: false });
  await stores.settings.set('backup.due', '1');
  await close();
}

function copyIs(state: StoredBackup['copyState'], fault: StoredBackup['copyFault'] = '') {
  return (backups: readonly StoredBackup[]): boolean =>
    backups.some(({ copyState, copyFault }) => copyState === state && copyFault === fault);
}

it('a backup that passed its test is copied, and what was refused is copied after the next start; nothing tells the keys', async () => {
  const dataDir = await openFolder();
  const bucket = await openStandInBucket();
  const log: string[] = [];
  await planAndClose(dataDir, await start(dataDir, bucket, log));
  const wrong = await start(dataDir, bucket, log, 'another/SECRET');
  await waitFor('a refusal', () => wrong.stores.backups.list(), copyIs('failed', 'copy-refused'));
  await wrong.close();
  const { stores } = await start(dataDir, bucket, log);
  const [backup] = await waitFor('a copy', () => stores.backups.list(), copyIs('done'));
  const { file = '', sha256 } = backup ?? {};
  expect(bucket.objects.get(file)?.body.equals(await readFile(join(dataDir, 'backups', file)))).toBe(true);
  expect(bucket.objects.get(file)?.sha256).toBe(sha256);
  const text = log.join('');
  expect(text).toContain('copy-refused');
  for (const secret of ['another/SECRET', bucket.address.secretKey, bucket.address.accessKey])
    expect(text).not.toContain(secret);
});

it('a gateway that ends while it copies begins again with what waits', async () => {
  const dataDir = await openFolder();
  const bucket = await openStandInBucket();
  const log: string[] = [];
  await planAndClose(dataDir, await start(dataDir, bucket, log));
  bucket.misbehave = ({ call }) => (call === 'UploadPart' ? 'silent' : undefined);
  const first = await start(dataDir, bucket, log);
  await waitFor('a part on its way', () => bucket.calls('UploadPart') > 0);
  await first.close();
  expect([bucket.calls('AbortMultipartUpload'), bucket.uploads.size]).toEqual([1, 0]);
  bucket.misbehave = () => undefined;
  const { stores } = await start(dataDir, bucket, log);
  await waitFor('a copy', () => stores.backups.list(), copyIs('done'));
  expect(bucket.objects.size).toBe(1);
});
