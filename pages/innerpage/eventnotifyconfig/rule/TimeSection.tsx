import Box from '@mui/material/Box';
import FormHelperText from '@mui/material/FormHelperText';
import FormLabel from '@mui/material/FormLabel';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { WeekSchedule, WeekWindow } from '../../../../shared/protocol/api/weekWindows.ts';
import { zoneOptions } from '../../../../shared/time/zoneOptions.ts';
import { COLUMNS } from '../../../../shared/ui/form/columns.ts';
import { NumberInput } from '../../../../shared/ui/form/NumberInput.tsx';
import { PickInput } from '../../../../shared/ui/form/PickInput.tsx';
import { Section } from '../../../../shared/ui/form/Section.tsx';
import { SwitchInput } from '../../../../shared/ui/form/SwitchInput.tsx';
import type { Field } from '../../../../shared/ui/form/useForm.ts';
import { WeekScheduleInput } from '../../../../shared/ui/schedule/WeekScheduleInput.tsx';
import type { RuleContext } from './ruleContext.ts';

const NIGHT: WeekWindow = { days: [1, 2, 3, 4, 5, 6, 7], fromMinute: 22 * 60, toMinute: 7 * 60 };

/** When the rule tells of events, and when its messages wait. */
export function TimeSection({ context: { form } }: { readonly context: RuleContext }) {
  const { t } = useTranslation('NotifyConfig');
  const zones = zoneOptions(Date.now());
  return (
    <Section title={t('Time')}>
      <HoursField
        field={form.field('schedule')}
        label={t('Rule hours')}
        hint={t('Messages are only sent for events that begin in these hours. Without hours, the rule always applies.')}
      >
        {(schedule, onChange, disabled) => <WeekScheduleInput {...{ schedule, onChange, disabled }} />}
      </HoursField>
      <HoursField
        field={form.field('quietHours')}
        label={t('Quiet hours')}
        hint={t('Messages wait until these hours end.')}
      >
        {(schedule, onChange, disabled) => (
          <WeekScheduleInput
            {...{ schedule, onChange, disabled }}
            first={{ window: NIGHT, label: t('Add quiet hours') }}
          />
        )}
      </HoursField>
      <Box sx={COLUMNS}>
        <PickInput
          field={form.field('timeZone')}
          label={t('Time zone')}
          hint={t('Leave empty to use the time zone of each device.')}
          options={zones}
        />
        <NumberInput
          field={form.field('intervalMinutes')}
          label={t('Minimum interval (min)')}
          hint={t('Between two events of the same device and type. Leave empty for none.')}
        />
      </Box>
      <SwitchInput
        field={form.field('criticalPasses')}
        label={t('Critical events are sent in quiet hours too')}
        hint={t('This includes quiet hours that members set for themselves.')}
      />
      <SwitchInput
        field={form.field('membersChoose')}
        label={t("Follow members' own settings")}
        hint={t('Members choose in their account how they are told, and when not.')}
      />
    </Section>
  );
}

interface HoursFieldProps {
  readonly field: Field<WeekSchedule>;
  readonly label: string;
  readonly hint: string;
  readonly children: (
    schedule: WeekSchedule,
    onChange: (schedule: WeekSchedule) => void,
    disabled: boolean,
  ) => ReactNode;
}

function HoursField({ field, label, hint, children }: HoursFieldProps) {
  const [labelId, hintId] = [useId(), useId()];
  const { value, onChange, disabled, problem } = field;
  return (
    <Box role="group" aria-labelledby={labelId} aria-describedby={hintId} sx={{ display: 'grid', gap: 1, minWidth: 0 }}>
      <FormLabel id={labelId} sx={{ fontSize: '0.85rem' }}>
        {label}
      </FormLabel>
      {children(value, onChange, disabled)}
      <FormHelperText id={hintId} error={problem !== undefined} sx={{ mx: 0 }}>
        {problem ?? hint}
      </FormHelperText>
    </Box>
  );
}
