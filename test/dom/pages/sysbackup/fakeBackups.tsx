// The page System Backup at a gateway that holds what the test says.
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { onTestFinished } from 'vitest';
import { SystemBackupPage } from '../../../../pages/innerpage/sysbackup/SystemBackupPage.tsx';
import { SECOND_FACTOR_PATH } from '../../../../shared/protocol/api/ownAccount.ts';
import {
  BACKUP_PLAN_PATH,
  BACKUPS_PATH,
  type BackupList,
  type BackupPlan,
  backupCancelPath,
  backupDownloadPath,
  backupPath,
  backupTestPath,
  type ChangedBackupPlan,
} from '../../../../shared/protocol/api/system/backups.ts';
import { RESTORE_PATH, RESTORE_PLAN_PATH, type RestoreState } from '../../../../shared/protocol/api/system/restore.ts';
import { ALL_PERMISSIONS } from '../../../../shared/protocol/permissions.ts';
import { setPageQuery } from '../../../../shared/ui/frame/pageQuery.ts';
import { aBackup, aBackupList, aBackupPlan } from '../../../support/backup/backupRecords.ts';
import { type PageSetUp, planGateway, renderPage, settle } from '../../../support/browser/renderPage.tsx';
import { json } from '../../../support/fakes/fakeGateway.ts';
import { fakeSockets } from '../../../support/fakes/fakeSocket.ts';

export interface BackupSetUp {
  readonly list?: Partial<BackupList>;
  readonly plan?: Partial<BackupPlan>;
  readonly restore?: Partial<RestoreState>;
  readonly isEnrolled?: boolean;
  readonly permission?: readonly string[];
  readonly locale?: PageSetUp['locale'];
  readonly query?: string;
}

export const ok = (data: unknown) => json({ error: false, data });
export const refused = (status: number, code: string, data?: unknown) =>
  json({ error: true, code, message: code, data }, { status });

export async function openBackups(setUp: BackupSetUp = {}) {
  const { permission = ALL_PERMISSIONS, locale = 'en', query = '', isEnrolled = false } = setUp;
  const gateway = planGateway({
    user: { permission: [...permission], timezone: 'Asia/Taipei' },
    server: { web_title: 'Northern Fleet' },
  });
  const held = {
    list: aBackupList(setUp.list),
    plan: aBackupPlan(setUp.plan),
    restore: { dryRun: null, last: null, ...setUp.restore } as RestoreState,
  };
  gateway.on(`GET ${BACKUPS_PATH}`, () => ok(held.list));
  gateway.on(`POST ${BACKUPS_PATH}`, () => ok(aBackup({ id: 8, state: 'running' })));
  gateway.on(`POST ${backupTestPath(7)}`, () => ok(aBackup()));
  gateway.on(`POST ${backupCancelPath(8)}`, () => ok({}));
  gateway.on(`DELETE ${backupPath(7)}`, () => ok({}));
  gateway.on(`POST ${backupDownloadPath(7)}`, () => ok({ address: '/api/download/abc' }));
  gateway.on(`GET ${BACKUP_PLAN_PATH}`, () => ok(held.plan));
  gateway.on(`PUT ${BACKUP_PLAN_PATH}`, ({ body }) => {
    const { version, passphrase: _, newRecoveryKey, password: __, code: ___, ...values } = body as ChangedBackupPlan;
    if (version !== held.plan.version) return refused(409, 'conflict', { current: held.plan });
    const makesKey =
      values.encryption === 'recovery-key' && (newRecoveryKey || held.plan.encryption !== 'recovery-key');
    held.plan = { ...held.plan, ...values, version: version + 1, hasKey: values.encryption !== 'none' };
    return ok({ plan: held.plan, recoveryKey: makesKey ? 'ABCD-EFGH' : '' });
  });
  gateway.on(`GET ${RESTORE_PATH}`, () => ok(held.restore));
  gateway.on(`DELETE ${RESTORE_PLAN_PATH}`, () => ok({}));
  gateway.on(`GET ${SECOND_FACTOR_PATH}`, () => ok({ isEnrolled, isRequired: false, recoveryCodesLeft: 8 }));
  const sockets = fakeSockets();
  setPageQuery(query, 'replace');
  onTestFinished(() => setPageQuery('', 'replace'));
  await renderPage(<SystemBackupPage />, locale);
  await settle();
  return { gateway, held, sockets, user: userEvent.setup() };
}

export const button = (name: string | RegExp) => screen.findByRole<HTMLButtonElement>('button', { name });
