import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { SCHEDULE_STEPS } from '../../../../shared/protocol/reports/reportWords.ts';
import { zoneOptions } from '../../../../shared/time/zoneOptions.ts';
import { COLUMNS } from '../../../../shared/ui/form/columns.ts';
import { PickInput } from '../../../../shared/ui/form/PickInput.tsx';
import { Section } from '../../../../shared/ui/form/Section.tsx';
import { type Option, SelectInput } from '../../../../shared/ui/form/SelectInput.tsx';
import { TextInput } from '../../../../shared/ui/form/TextInput.tsx';
import type { Form } from '../../../../shared/ui/form/useForm.ts';
import type { ScheduleDraft } from './scheduleForm.ts';
import { useStepNames, useWeekdayNames } from './useScheduleTexts.ts';

const MONTH_DAYS: readonly Option<string>[] = Array.from({ length: 31 }, (_, at) => ({
  value: String(at + 1),
  label: String(at + 1),
}));
const LAST_DAY_OF_ALL_MONTHS = 28;

export function TimingFields({ form }: { readonly form: Form<ScheduleDraft> }) {
  const { t } = useTranslation('ReportPage');
  const steps = useStepNames();
  const weekdays = useWeekdayNames();
  const zones = zoneOptions(Date.now());
  const { every, monthDay } = form.values;
  return (
    <Section title={t('Time')}>
      <Box sx={COLUMNS}>
        <SelectInput
          field={form.field('every')}
          label={t('Repeats')}
          options={SCHEDULE_STEPS.map((value) => ({ value, label: steps[value] }))}
        />
        {every === 'weekly' && (
          <SelectInput
            field={form.field('weekday')}
            label={t('Day of the week')}
            options={weekdays.map((label, at) => ({ value: String(at + 1), label }))}
          />
        )}
        {every === 'monthly' && (
          <SelectInput
            field={form.field('monthDay')}
            label={t('Day of the month')}
            hint={Number(monthDay) > LAST_DAY_OF_ALL_MONTHS ? t('In shorter months, on their last day.') : undefined}
            options={MONTH_DAYS}
          />
        )}
        <TextInput field={form.field('time')} label={t('Time of day')} required verbatim placeholder="06:00" />
        <PickInput field={form.field('timeZone')} label={t('Time zone')} required options={zones} />
      </Box>
    </Section>
  );
}
