import TextField from '@mui/material/TextField';
import { useTranslation } from 'react-i18next';
import { FilterDay } from '../../../../shared/ui/table/FilterDay.tsx';
import { type HistoryFilter, isPeriod, PERIODS, type Period } from './historyFilter.ts';

export interface PeriodFieldProps {
  readonly filter: HistoryFilter;
  readonly onChange: (part: Partial<HistoryFilter>) => void;
}

/** The period, and the days of a range beside it. */
export function PeriodField({ filter, onChange }: PeriodFieldProps) {
  const { t } = useTranslation('HistoryEvent');
  const names: Readonly<Record<Period, string>> = {
    '24h': t('Last 24 hours'),
    today: t('Today'),
    yesterday: t('Yesterday'),
    '7d': t('Last 7 days'),
    '30d': t('Last 30 days'),
    range: t('Date range'),
  };
  const choose = (period: string) => {
    if (isPeriod(period)) onChange({ period, fromDay: '', toDay: '' });
  };
  return (
    <>
      <TextField
        select
        size="small"
        label={t('Period')}
        value={filter.period}
        onChange={(event) => choose(event.target.value)}
        slotProps={{ select: { native: true }, inputLabel: { shrink: true } }}
        sx={{ minWidth: 150, flex: { xs: '1 1 150px', sm: '0 0 auto' } }}
      >
        {PERIODS.map((period) => (
          <option key={period} value={period}>
            {names[period]}
          </option>
        ))}
      </TextField>
      {filter.period === 'range' && (
        <>
          <FilterDay label={t('Start date')} value={filter.fromDay} onChange={(fromDay) => onChange({ fromDay })} />
          <FilterDay label={t('End date')} value={filter.toDay} onChange={(toDay) => onChange({ toDay })} />
        </>
      )}
    </>
  );
}
