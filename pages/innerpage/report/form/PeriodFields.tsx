import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { REPORT_PERIODS, type ReportPeriod } from '../../../../shared/protocol/reports/reportWords.ts';
import { COLUMNS } from '../../../../shared/ui/form/columns.ts';
import { DateTimeInput } from '../../../../shared/ui/form/DateTimeInput.tsx';
import { SelectInput } from '../../../../shared/ui/form/SelectInput.tsx';
import type { Field } from '../../../../shared/ui/form/useForm.ts';
import { usePeriodNames } from '../periodText.ts';
import type { ReportDraft } from './reportForm.ts';

export interface PeriodFieldsProps {
  readonly field: <Name extends 'period' | 'fromMs' | 'toMs'>(name: Name) => Field<ReportDraft[Name]>;
  /** Of a schedule, whose periods move with time. */
  readonly withoutRange?: boolean;
}

export function PeriodFields({ field, withoutRange = false }: PeriodFieldsProps) {
  const { t } = useTranslation('ReportPage');
  const names = usePeriodNames();
  const periods = REPORT_PERIODS.filter((period) => !(withoutRange && period === 'from-to'));
  const period: Field<ReportPeriod> = field('period');
  return (
    <Box sx={COLUMNS}>
      <SelectInput
        field={period}
        label={t('Period')}
        options={periods.map((value) => ({ value, label: names[value] }))}
      />
      {period.value === 'from-to' && <DateTimeInput field={field('fromMs')} label={t('From')} required />}
      {period.value === 'from-to' && <DateTimeInput field={field('toMs')} label={t('To')} required />}
    </Box>
  );
}
