import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { BACKUP_FILES, BACKUP_HISTORY, BACKUP_STEPS } from '../../../../shared/protocol/backup/backupWords.ts';
import { zoneOptions } from '../../../../shared/time/zoneOptions.ts';
import { ChoiceInput } from '../../../../shared/ui/form/ChoiceInput.tsx';
import { COLUMNS } from '../../../../shared/ui/form/columns.ts';
import { NumberInput } from '../../../../shared/ui/form/NumberInput.tsx';
import { PickInput } from '../../../../shared/ui/form/PickInput.tsx';
import { Section } from '../../../../shared/ui/form/Section.tsx';
import { SelectInput } from '../../../../shared/ui/form/SelectInput.tsx';
import { SwitchInput } from '../../../../shared/ui/form/SwitchInput.tsx';
import { TextInput } from '../../../../shared/ui/form/TextInput.tsx';
import type { Form } from '../../../../shared/ui/form/useForm.ts';
import { useContentTexts } from '../words/useContentTexts.ts';
import type { PlanDraft } from './planForm.ts';
import { useStepNames, useWeekdayNames } from './usePlanTexts.ts';

interface PlanFieldsProps {
  readonly form: Form<PlanDraft>;
}

export function TimeFields({ form }: PlanFieldsProps) {
  const { t } = useTranslation('SystemBackup');
  const steps = useStepNames();
  const weekdays = useWeekdayNames();
  return (
    <Section title={t('Schedule')} level="h2">
      <SwitchInput field={form.field('enabled')} label={t('Back up on a schedule')} />
      <Box sx={COLUMNS}>
        <SelectInput
          field={form.field('every')}
          label={t('Repeats')}
          options={BACKUP_STEPS.map((value) => ({ value, label: steps[value] }))}
        />
        {form.values.every === 'weekly' && (
          <SelectInput
            field={form.field('weekday')}
            label={t('Day of the week')}
            options={weekdays.map((label, at) => ({ value: String(at + 1), label }))}
          />
        )}
        <TextInput field={form.field('time')} label={t('Time of day')} required verbatim placeholder="02:30" />
        <PickInput field={form.field('timeZone')} label={t('Time zone')} required options={zoneOptions(Date.now())} />
      </Box>
    </Section>
  );
}

export function KeepFields({ form }: PlanFieldsProps) {
  const { t } = useTranslation('SystemBackup');
  return (
    <Section title={t('Retention')} level="h2">
      <Box sx={{ color: 'text.secondary', maxWidth: '70ch' }}>
        {t(
          'The newest backup of each day, week and month is kept. Backups that you make yourself, and the newest one that passed its test, are never deleted.',
        )}
      </Box>
      <Box sx={COLUMNS}>
        <NumberInput field={form.field('keepDays')} label={t('Days')} required />
        <NumberInput field={form.field('keepWeeks')} label={t('Weeks')} required />
        <NumberInput field={form.field('keepMonths')} label={t('Months')} required />
      </Box>
    </Section>
  );
}

export function ContentFields({ form }: PlanFieldsProps) {
  const { t } = useTranslation('SystemBackup');
  const { history, files } = useContentTexts();
  return (
    <Section title={t('Contents')} level="h2">
      <Box sx={{ color: 'text.secondary' }}>{t('Settings and master data are always included.')}</Box>
      <ChoiceInput
        field={form.field('history')}
        label={t('History')}
        options={BACKUP_HISTORY.map((value) => ({ value, label: history[value] }))}
      />
      <ChoiceInput
        field={form.field('files')}
        label={t('Files')}
        options={BACKUP_FILES.map((value) => ({ value, label: files[value] }))}
      />
    </Section>
  );
}
