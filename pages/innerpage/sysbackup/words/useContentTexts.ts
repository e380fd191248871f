import { useTranslation } from 'react-i18next';
import { listText } from '../../../../shared/i18n/listText.ts';
import type { Backup } from '../../../../shared/protocol/api/system/backups.ts';
import type { BackupEncryption, BackupFiles, BackupHistory } from '../../../../shared/protocol/backup/backupWords.ts';

export interface ContentTexts {
  readonly history: Readonly<Record<BackupHistory, string>>;
  readonly files: Readonly<Record<BackupFiles, string>>;
  readonly encryption: Readonly<Record<BackupEncryption, string>>;
  readonly historyList: (parts: readonly BackupHistory[]) => string;
  /** What a backup has beside settings and master data; '' where nobody can find out. */
  readonly contents: (backup: Pick<Backup, 'history' | 'files' | 'isUploaded' | 'rows' | 'state'>) => string;
}

export const ENGINE_NAMES: Readonly<Record<string, string | undefined>> = { sqlite: 'SQLite', postgres: 'PostgreSQL' };

export function useContentTexts(): ContentTexts {
  const { t } = useTranslation('SystemBackup');
  const history = {
    positions: t('Positions and trips'),
    events: t('Events'),
    netflow: t('Data usage'),
    audit: t('Audit log'),
  };
  const files = { firmware: t('Firmware images'), evidence: t('Event media'), reports: t('Reports') };
  return {
    history,
    files,
    encryption: {
      none: t('Not encrypted'),
      passphrase: t('Encrypted with a passphrase'),
      'recovery-key': t('Encrypted with a recovery key'),
    },
    historyList: (parts) => listText(parts.map((part) => history[part])),
    contents: ({ isUploaded, rows, state, history: parts, files: kinds }) => {
      if (isUploaded && rows === 0) return state === 'done' ? t('A test shows what is in it') : '';
      return listText([
        t('Settings and master data'),
        ...parts.map((part) => history[part]),
        ...kinds.map((kind) => files[kind]),
      ]);
    },
  };
}
