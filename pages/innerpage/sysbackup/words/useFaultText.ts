import { useTranslation } from 'react-i18next';
import type { RestoreFault } from '../../../../shared/protocol/backup/backupWords.ts';

/** Why there is no backup, no passed test or no restore: a sentence; '' for nothing. */
export function useFaultText(): (fault: RestoreFault) => string {
  const { t } = useTranslation('SystemBackup');
  const newer = t('A newer version made it. Update this server first.');
  const texts: Readonly<Record<RestoreFault, string>> = {
    '': '',
    interrupted: t('The server stopped before it was done.'),
    canceled: t('It was canceled.'),
    'folder-missing': t("The backup folder is missing or can't be written to."),
    'disk-full': t('The disk is full.'),
    'wal-too-large': t('Too much was written to the database meanwhile. Try again at a quieter time.'),
    'file-missing': t('The file is no longer in its folder.'),
    unreadable: t("The data came back, but pages can't read it."),
    'not-an-archive': t("The file isn't a backup."),
    truncated: t('The end of the file is missing.'),
    damaged: t('The file is damaged.'),
    'wrong-key': t("The passphrase or recovery key doesn't match."),
    'key-needed': t('The passphrase or recovery key of this backup is needed.'),
    'newer-format': newer,
    'newer-schema': newer,
    'other-product': t('Another product made it.'),
    'unknown-table': t("It has tables or columns that this version doesn't know."),
    'not-empty': t("The database to restore into isn't empty."),
    'too-large': t('It is larger than allowed.'),
    'copy-unreachable': t("The bucket doesn't answer. It is tried again."),
    'copy-refused': t('The bucket refused the copy. Check its key, name and region.'),
    internal: t('Something went wrong on the server. The log has details.'),
    'restore-running': t('A restore is already running.'),
    'other-gateways': t('Another server works on the same database. Stop it, wait 2 minutes and try again.'),
    'backup-failed': t("The current state couldn't be backed up first."),
    'start-failed': t("The server didn't start with the restored data."),
  };
  return (fault) => texts[fault];
}
