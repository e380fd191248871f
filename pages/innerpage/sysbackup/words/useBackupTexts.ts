import { useTranslation } from 'react-i18next';
import type { Backup } from '../../../../shared/protocol/api/system/backups.ts';
import { NOTE_BEFORE_RESTORE } from '../../../../shared/protocol/api/system/restore.ts';
import type { BackupCopyState, BackupState } from '../../../../shared/protocol/backup/backupWords.ts';
import { formatDay, formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { tookText } from './tookText.ts';
import { useFaultText } from './useFaultText.ts';

export interface BackupTexts {
  readonly states: Readonly<Record<BackupState, string>>;
  /** The time when the backup was made, in the user's zone, which serves as its name. */
  readonly name: (backup: Pick<Backup, 'createdAtMs'>) => string;
  readonly madeBy: (backup: Pick<Backup, 'isManual' | 'isUploaded' | 'madeBy'>) => string;
  /** The gateway's own note is translated. */
  readonly note: (backup: Pick<Backup, 'note'>) => string;
  /** The state of the test, followed by the reason. */
  readonly test: (backup: Pick<Backup, 'test'>) => string;
  /** '' where there is no copy elsewhere. */
  readonly copy: (backup: Pick<Backup, 'copyState' | 'copyFault'>) => string;
}

export function useBackupTexts(): BackupTexts {
  const { t } = useTranslation('SystemBackup');
  const zone = useUserZone();
  const faultText = useFaultText();
  const copies: Readonly<Record<BackupCopyState, string>> = {
    none: '',
    waiting: t('Copy waiting'),
    done: t('Copied to the second location'),
    failed: t('Copy failed'),
  };
  return {
    states: { running: t('Running'), done: t('Done'), failed: t('Failed'), canceled: t('Canceled') },
    name: ({ createdAtMs }) => formatTimestamp(createdAtMs, zone),
    madeBy: ({ isManual, isUploaded, madeBy }) => {
      if (isUploaded) return t('Uploaded by {{name}}', { name: madeBy });
      return isManual ? t('By {{name}}', { name: madeBy }) : t('By schedule');
    },
    note: ({ note }) => (note === NOTE_BEFORE_RESTORE ? t('Before a restore') : note),
    // While a test is running, the fault is that of the previous one.
    test: ({ test }) => withReason(testText(test), test.state === 'running' ? '' : faultText(test.fault)),
    copy: ({ copyState, copyFault }) => withReason(copies[copyState], faultText(copyFault)),
  };

  function testText({ state, atMs, durationMs }: Backup['test']): string {
    const values = { day: formatDay(atMs, zone), duration: tookText(durationMs) };
    switch (state) {
      case 'none':
        return t('Not tested');
      case 'running':
        return t('Test restore running…');
      case 'passed':
        return t('Test restore succeeded {{day}}, {{duration}}', values);
      case 'failed':
        return t('Test restore failed {{day}}', values);
    }
  }
}

/** Two separate texts, one after the other. */
export function withReason(text: string, reason: string): string {
  return reason === '' ? text : `${text} · ${reason}`;
}
