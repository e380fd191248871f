import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { FilterDay } from '../../../../shared/ui/table/FilterDay.tsx';
import type { TimeRange } from '../clock/ranges.ts';
import { PERIODS, type Period, rangeOf, type TypedRange, typedRange } from './period.ts';
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
      {view.period === 'range' && <RangeFields span={view} />}
    </>
  );
}

/** Another range is chosen once both days are. Without a time, a day counts from its beginning, and to its end. */
function RangeFields({ span }: { readonly span: TimeRange }) {
  const { t } = useTranslation('GpsPlayback');
  const zone = useUserZone();
  const [typed, setTyped] = useState(() => typedRange(span, zone));
  const [seen, setSeen] = useState(span);
  if (!isSameRange(seen, span)) {
    setSeen(span);
    // Another one than what was typed: the address has changed. What is being typed stays as it is.
    if (!isSameRange(rangeOf(typed, zone), span)) setTyped(typedRange(span, zone));
  }
  const change = (part: Partial<TypedRange>) => {
    const next = { ...typed, ...part };
    setTyped(next);
    const range = rangeOf(next, zone);
    if (range !== undefined) changeView((before) => ({ ...before, ...range, period: 'range', atMs: undefined }));
  };
  return (
    <>
      <FilterDay label={t('Start date')} value={typed.fromDay} onChange={(fromDay) => change({ fromDay })} />
      <TimeField label={t('Start time')} value={typed.fromTime} onChange={(fromTime) => change({ fromTime })} />
      <FilterDay label={t('End date')} value={typed.toDay} onChange={(toDay) => change({ toDay })} />
      <TimeField label={t('End time')} value={typed.toTime} onChange={(toTime) => change({ toTime })} />
    </>
  );
}

function isSameRange(left: TimeRange | undefined, right: TimeRange): boolean {
  return left?.fromMs === right.fromMs && left.toMs === right.toMs;
}

interface TimeFieldProps {
  readonly label: string;
  /** HH:mm; '' for none. */
  readonly value: string;
  readonly onChange: (time: string) => void;
}

function TimeField({ label, value, onChange }: TimeFieldProps) {
  return (
    <TextField
      type="time"
      size="small"
      label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      slotProps={{ inputLabel: { shrink: true } }}
      sx={{ minWidth: 110, flex: { xs: '1 1 110px', sm: '0 0 auto' } }}
    />
  );
}
