import Alert from '@mui/material/Alert';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../shared/i18n/errorText.ts';
import { leaveAfterAsking } from '../../../shared/ui/form/unsaved.ts';
import { setPageQuery, usePageQuery } from '../../../shared/ui/frame/pageQuery.ts';
import { TabbedPage } from '../../../shared/ui/frame/TabbedPage.tsx';
import { Waiting } from '../../../shared/ui/Waiting.tsx';
import { BACKUP_TABS, type BackupTab, queryOfTab, tabOfQuery } from './backupAddress.ts';
import { BackupHead } from './head/BackupHead.tsx';
import { LastRestoreNotice } from './head/LastRestoreNotice.tsx';
import { BackupsTab } from './list/BackupsTab.tsx';
import { PlanTab } from './plan/PlanTab.tsx';
import { useBackups } from './useBackups.ts';

/** Backups of the installation: which there are, when they are made, and getting one back. */
export function SystemBackup() {
  const { t } = useTranslation(['SystemBackup', 'Menu']);
  const tab = tabOfQuery(usePageQuery());
  const { list, plan, restore, reload } = useBackups();
  const failure = list.failure ?? plan.failure;
  const notice = failure !== undefined && <Alert severity="error">{errorText(failure)}</Alert>;
  if (list.value === undefined || plan.value === undefined) return notice || <Waiting />;
  const titles: Readonly<Record<BackupTab, string>> = { backups: t('Backups'), plan: t('Plan') };
  const last = restore.value?.last ?? null;
  return (
    <>
      {notice}
      {last !== null && <LastRestoreNotice restore={last} />}
      <BackupHead list={list.value} plan={plan.value} />
      <TabbedPage
        tab={tab}
        titles={BACKUP_TABS.map((name) => [name, titles[name]])}
        label={t('System Backup', { ns: 'Menu' })}
        onChange={(next) => leaveAfterAsking(() => setPageQuery(queryOfTab(next), 'push'))}
      >
        {tab === 'backups' ? <BackupsTab list={list.value} onChanged={reload} /> : <PlanTab plan={plan.value} />}
      </TabbedPage>
    </>
  );
}
