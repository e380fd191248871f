import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDay } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { FilterDay } from '../../../../shared/ui/table/FilterDay.tsx';
import type { TimeRange } from '../clock/ranges.ts';
import { PERIODS, type Period, rangeOfDays } from './period.ts';
import type { PlaybackView } from './playbackAddress.ts';
import { changeView } from './usePlaybackView.ts';

export interface PeriodFieldsProps {
  readonly view: PlaybackView;
  readonly span: TimeRange;
}

/** The period, and the days of a range beside it. */
export function PeriodFields({ view, span }: PeriodFieldsProps) {
  const { t } = useTranslation('GpsPlayback');
  const names: Readonly<Record<Period, string>> = {
    today: t('Today'),
    yesterday: t('Yesterday'),
    week: t('This week'),
    lastweek: t('Last week'),
    range: t('Date range'),
  };
  const choose = (name: string) => {
    const period = PERIODS.find((each) => each === name) ?? 'today';
    // A range begins with what is shown.
    const range = period === 'range' ? span : { fromMs: 0, toMs: 0 };
    changeView((before) => ({ ...before, ...range, period, atMs: undefined }));
  };
  return (
    <>
      <TextField
        select
        size="small"
        label={t('Period')}
        value={view.period}
        onChange={(event) => choose(event.target.value)}
        slotProps={{ select: { native: true }, inputLabel: { shrink: true } }}
        sx={{ minWidth: 130, flex: { xs: '1 1 130px', sm: '0 0 auto' } }}
      >
        {PERIODS.map((period) => (
          <option key={period} value={period}>
            {names[period]}
          </option>
        ))}
      </TextField>
      {view.period === 'range' && <RangeFields key={`${view.fromMs} ${view.toMs}`} span={view} />}
    </>
  );
}

/** Another range is chosen once both days are. */
function RangeFields({ span }: { readonly span: TimeRange }) {
  const { t } = useTranslation('GpsPlayback');
  const zone = useUserZone();
  const [fromDay, setFromDay] = useState(() => formatDay(span.fromMs, zone));
  const [toDay, setToDay] = useState(() => formatDay(span.toMs - 1, zone));
  const change = (from: string, to: string) => {
    setFromDay(from);
    setToDay(to);
    const range = rangeOfDays(from, to, zone);
    if (range !== undefined) changeView((before) => ({ ...before, ...range, period: 'range', atMs: undefined }));
  };
  return (
    <>
      <FilterDay label={t('Start date')} value={fromDay} onChange={(day) => change(day, toDay)} />
      <FilterDay label={t('End date')} value={toDay} onChange={(day) => change(fromDay, day)} />
    </>
  );
}
