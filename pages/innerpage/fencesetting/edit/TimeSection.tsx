import Box from '@mui/material/Box';
import FormHelperText from '@mui/material/FormHelperText';
import FormLabel from '@mui/material/FormLabel';
import { memo, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { zoneOptions } from '../../../../shared/time/zoneOptions.ts';
import { COLUMNS } from '../../../../shared/ui/form/columns.ts';
import { DateTimeInput } from '../../../../shared/ui/form/DateTimeInput.tsx';
import { PickInput } from '../../../../shared/ui/form/PickInput.tsx';
import { Section } from '../../../../shared/ui/form/Section.tsx';
import type { Form } from '../../../../shared/ui/form/useForm.ts';
import { WeekScheduleInput } from '../../../../shared/ui/schedule/WeekScheduleInput.tsx';
import type { FenceDraft } from './fenceForm.ts';
import { hasSameFields } from './sameFields.ts';

interface TimeSectionProps {
  readonly form: Form<FenceDraft>;
}

/** When the fence is in force. */
export const TimeSection = memo(TimeFields, ({ form: before }, { form: after }) =>
  hasSameFields(before, after, ['validFromMs', 'validToMs', 'schedule', 'timeZone']),
);

function TimeFields({ form }: TimeSectionProps) {
  const { t } = useTranslation('FenceSetting');
  const zones = zoneOptions(Date.now());
  const [labelId, hintId] = [useId(), useId()];
  const { value, onChange, disabled, problem } = form.field('schedule');
  return (
    <Section title={t('Time')}>
      <Box sx={COLUMNS}>
        <DateTimeInput
          field={form.field('validFromMs')}
          label={t('Valid from')}
          hint={t('Leave empty for no limit.')}
        />
        <DateTimeInput field={form.field('validToMs')} label={t('Valid until')} hint={t('Leave empty for no limit.')} />
      </Box>
      <Box
        role="group"
        aria-labelledby={labelId}
        aria-describedby={hintId}
        sx={{ display: 'grid', gap: 1, minWidth: 0 }}
      >
        <FormLabel id={labelId} sx={{ fontSize: '0.85rem' }}>
          {t('Hours')}
        </FormLabel>
        <WeekScheduleInput schedule={value} onChange={onChange} disabled={disabled} />
        <FormHelperText id={hintId} error={problem !== undefined} sx={{ mx: 0 }}>
          {problem ?? t('Events are only raised in these hours. Without hours, they are raised at any time.')}
        </FormHelperText>
      </Box>
      <PickInput
        field={form.field('timeZone')}
        label={t('Time zone')}
        hint={t('Leave empty to use the time zone of each device.')}
        options={zones}
      />
    </Section>
  );
}
