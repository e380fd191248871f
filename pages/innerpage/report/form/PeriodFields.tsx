import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { REPORT_PERIODS } from '../../../../shared/protocol/reports/reportWords.ts';
import { COLUMNS } from '../../../../shared/ui/form/columns.ts';
import { DateTimeInput } from '../../../../shared/ui/form/DateTimeInput.tsx';
import { SelectInput } from '../../../../shared/ui/form/SelectInput.tsx';
import type { Field } from '../../../../shared/ui/form/useForm.ts';
import { usePeriodNames } from '../periodText.ts';
import type { ReportDraft } from './reportForm.ts';

export interface PeriodFieldsProps {
  readonly fields: { readonly [Name in 'period' | 'fromMs' | 'toMs']: Field<ReportDraft[Name]> };
  /** True for a schedule, whose periods move with time. */
  readonly withoutRange?: boolean;
}

export function PeriodFields({ fields, withoutRange = false }: PeriodFieldsProps) {
  const { t } = useTranslation('ReportPage');
  const names = usePeriodNames();
  const periods = REPORT_PERIODS.filter((period) => !(withoutRange && period === 'from-to'));
  const { period, fromMs, toMs } = fields;
  return (
    <Box sx={COLUMNS}>
      <SelectInput
        field={period}
        label={t('Period')}
        options={periods.map((value) => ({ value, label: names[value] }))}
      />
      {period.value === 'from-to' && <DateTimeInput field={fromMs} label={t('From')} required />}
      {period.value === 'from-to' && <DateTimeInput field={toMs} label={t('To')} required />}
    </Box>
  );
}
