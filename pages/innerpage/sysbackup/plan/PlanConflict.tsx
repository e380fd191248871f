import { useTranslation } from 'react-i18next';
import { readBackupPlan } from '../../../../shared/api/backup/backups.ts';
import { listText } from '../../../../shared/i18n/listText.ts';
import type { BackupPlan } from '../../../../shared/protocol/api/system/backups.ts';
import { ConflictDialog, type ConflictField } from '../../../../shared/ui/form/ConflictDialog.tsx';
import type { Form } from '../../../../shared/ui/form/useForm.ts';
import { useContentTexts } from '../words/useContentTexts.ts';
import { draftOfPlan, type PlanDraft } from './planForm.ts';
import { useStepNames, useWeekdayNames } from './usePlanTexts.ts';

export interface PlanConflictProps {
  readonly form: Form<PlanDraft>;
  /** The plan as it is by now. */
  readonly onPlan: (plan: BackupPlan) => void;
}

/** Another member has saved the plan first. */
export function PlanConflict({ form, onPlan }: PlanConflictProps) {
  const fields = useConflictFields();
  if (form.conflict === undefined) return null;
  const plan = readBackupPlan(form.conflict);
  const theirs = draftOfPlan(plan);
  return (
    <ConflictDialog<PlanDraft>
      versions={{ base: form.base, mine: form.values, theirs }}
      fields={fields}
      onChoose={(values) => {
        onPlan(plan);
        form.rebase(theirs, values);
      }}
      onClose={form.dismissConflict}
    />
  );
}

function useConflictFields(): readonly ConflictField<PlanDraft>[] {
  const { t } = useTranslation('SystemBackup');
  const { history: historyNames, files: fileNames, encryption: encryptionNames } = useContentTexts();
  const steps = useStepNames();
  const weekdays = useWeekdayNames();
  const number = (value: number | null) => (value === null ? '' : String(value));
  return [
    { name: 'enabled', label: t('Back up on a schedule'), show: ({ enabled }) => (enabled ? t('On') : t('Off')) },
    { name: 'every', label: t('Repeats'), show: ({ every }) => steps[every] },
    { name: 'weekday', label: t('Day of the week'), show: ({ weekday }) => weekdays[Number(weekday) - 1] ?? '' },
    { name: 'time', label: t('Time of day'), show: ({ time }) => time },
    { name: 'timeZone', label: t('Time zone'), show: ({ timeZone }) => timeZone },
    { name: 'keepDays', label: t('Days'), show: ({ keepDays }) => number(keepDays) },
    { name: 'keepWeeks', label: t('Weeks'), show: ({ keepWeeks }) => number(keepWeeks) },
    { name: 'keepMonths', label: t('Months'), show: ({ keepMonths }) => number(keepMonths) },
    {
      name: 'history',
      label: t('History'),
      show: ({ history }) => listText(history.map((part) => historyNames[part])),
    },
    { name: 'files', label: t('Files'), show: ({ files }) => listText(files.map((kind) => fileNames[kind])) },
    { name: 'encryption', label: t('Encryption'), show: ({ encryption }) => encryptionNames[encryption] },
  ];
}
