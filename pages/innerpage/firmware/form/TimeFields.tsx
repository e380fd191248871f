import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { COLUMNS } from '../../../../shared/ui/form/columns.ts';
import { Section } from '../../../../shared/ui/form/Section.tsx';
import type { Form } from '../../../../shared/ui/form/useForm.ts';
import { WeekScheduleInput } from '../../../../shared/ui/schedule/WeekScheduleInput.tsx';
import { DayInput } from './DayInput.tsx';
import type { TaskDraft } from './taskForm.ts';

export function TimeFields({ form }: { readonly form: Form<TaskDraft> }) {
  const { t } = useTranslation('Firmware');
  const { value, onChange, disabled, problem } = form.field('window');
  return (
    <Section title={t('Time')}>
      <Typography sx={{ fontSize: 13, color: problem === undefined ? 'text.secondary' : 'error.main' }}>
        {problem ??
          t("Updates begin only in these hours of each device's time zone. Without hours they begin at any time.")}
      </Typography>
      <WeekScheduleInput schedule={value} onChange={onChange} disabled={disabled} />
      <Box sx={COLUMNS}>
        <DayInput field={form.field('fromDay')} label={t('First day')} hint={t('Leave empty to begin at once.')} />
        <DayInput field={form.field('toDay')} label={t('Last day')} hint={t('Leave empty for no end.')} />
      </Box>
    </Section>
  );
}
