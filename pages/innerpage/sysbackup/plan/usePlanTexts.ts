import { useTranslation } from 'react-i18next';
import type { BackupStep } from '../../../../shared/protocol/backup/backupWords.ts';
import type { PlanTexts } from './planForm.ts';

export function usePlanTexts(): PlanTexts {
  const { t } = useTranslation(['SystemBackup', 'Login']);
  return {
    noTime: t('Enter a time, such as 02:30.'),
    noZone: t('Select a time zone.'),
    badDays: t('Enter a number from 1 to 1000.'),
    badNumber: t('Enter a number from 0 to 1000.'),
    badPassphrase: t('Use 12 to 200 characters.'),
    otherPassphrase: t("The passphrases don't match."),
    noPassword: t('Enter your password.', { ns: 'Login' }),
  };
}

export function useStepNames(): Readonly<Record<BackupStep, string>> {
  const { t } = useTranslation('SystemBackup');
  return { daily: t('Every day'), weekly: t('Every week') };
}

/** From Monday on. */
export function useWeekdayNames(): readonly string[] {
  const { t } = useTranslation('SystemBackup');
  return [t('Monday'), t('Tuesday'), t('Wednesday'), t('Thursday'), t('Friday'), t('Saturday'), t('Sunday')];
}
