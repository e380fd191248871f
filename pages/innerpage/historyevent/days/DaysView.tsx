import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { Suspense, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { readEventDays } from '../../../../shared/api/events.ts';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import { severityText } from '../../../../shared/i18n/eventWordText.ts';
import type { EventDays } from '../../../../shared/protocol/api/events.ts';
import { SEVERITIES } from '../../../../shared/protocol/events/eventWords.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { ChunkBoundary, lazyPart } from '../../../../shared/ui/chunks.tsx';
import { useRecord } from '../../../../shared/ui/records/useRecord.ts';
import { Waiting } from '../../../../shared/ui/Waiting.tsx';
import { queryOfFilter } from '../filter/filterQuery.ts';
import type { HistoryFilter } from '../filter/historyFilter.ts';
import type { PeriodSpan } from '../usePeriodSpan.ts';
import { countedSpan, type DayCount, dayCounts, sumOf, totalOf } from './dayCounts.ts';

const DayChart = lazyPart('DayChart', async () => (await import('./DayChart.tsx')).DayChart);

export interface DaysViewProps {
  readonly filter: HistoryFilter;
  readonly period: PeriodSpan;
  /** Another number asks again. */
  readonly reloads: number;
  /** yyyy-MM-dd in the user's zone. */
  readonly onDay: (day: string) => void;
}

const NO_DAYS: EventDays = [];

/** How many events began on each day, as a chart and as a table; both lead to the day. */
export function DaysView({ filter, period, reloads, onDay }: DaysViewProps) {
  const { t } = useTranslation('HistoryEvent');
  const zone = useUserZone();
  const span = countedSpan(period.span, zone, period.nowMs);
  const query = { ...queryOfFilter(filter, span), timeZone: zone };
  const loaded = useRecord({
    key: ['event-days', query, reloads],
    load: (signal) => readEventDays(query, signal),
    keepsOther: true,
  });
  const { value, failure } = loaded;
  const days = useMemo(
    () => dayCounts(value ?? NO_DAYS, { fromMs: span.fromMs, toMs: span.toMs, isCut: false }, zone),
    [value, span.fromMs, span.toMs, zone],
  );
  const text = failure && errorText(failure);
  if (value === undefined && text === undefined) return <Waiting />;
  return (
    <Box sx={VIEW} aria-busy={loaded.isLoading} tabIndex={0} role="group" aria-label={t('Events by day')}>
      {text !== undefined && (
        <Alert
          severity="warning"
          action={
            <Button color="inherit" size="small" onClick={loaded.reload}>
              {t('Try again')}
            </Button>
          }
        >
          {text}
        </Alert>
      )}
      {span.isCut && (
        <Alert severity="info">{t('Only the last {{number}} days are counted.', { number: days.length })}</Alert>
      )}
      {value !== undefined && (
        <>
          <Box sx={{ fontSize: 14, color: 'text.secondary' }}>{t('Events: {{number}}', { number: sumOf(days) })}</Box>
          <ChunkBoundary>
            <Suspense fallback={<Box sx={{ height: 260, flexShrink: 0 }} />}>
              <DayChart days={days} onDay={onDay} />
            </Suspense>
          </ChunkBoundary>
          <DayTable days={days} onDay={onDay} />
        </>
      )}
    </Box>
  );
}

interface DayTableProps {
  readonly days: readonly DayCount[];
  readonly onDay: (day: string) => void;
}

/** The latest first, without days on which nothing was. */
function DayTable({ days, onDay }: DayTableProps) {
  const { t } = useTranslation('HistoryEvent');
  const shown = days.filter(({ counts }) => totalOf(counts) > 0).reverse();
  if (shown.length === 0) return <Box sx={{ color: 'text.secondary' }}>{t('No events in this period.')}</Box>;
  return (
    <Box sx={{ overflowX: 'auto', flexShrink: 0 }}>
      <Table size="small" sx={DAY_TABLE}>
        <TableHead>
          <TableRow>
            <TableCell>{t('Day')}</TableCell>
            {SEVERITIES.map((severity) => (
              <TableCell key={severity} align="right">
                {severityText(severity)}
              </TableCell>
            ))}
            <TableCell align="right">{t('Total')}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {shown.map(({ day, counts }) => (
            <TableRow key={day} hover>
              <TableCell component="th" scope="row" sx={{ py: 0 }}>
                <Button size="small" onClick={() => onDay(day)} sx={{ px: 0.5, minWidth: 0 }}>
                  {day}
                </Button>
              </TableCell>
              {SEVERITIES.map((severity) => (
                <TableCell key={severity} align="right" sx={NUMBER}>
                  {counts[severity]}
                </TableCell>
              ))}
              <TableCell align="right" sx={{ ...NUMBER, fontWeight: 650 }}>
                {totalOf(counts)}
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Box>
  );
}

const VIEW = {
  flex: 1,
  minHeight: 0,
  display: 'flex',
  flexDirection: 'column',
  gap: 1,
  p: 1.5,
  overflowY: 'auto',
} as const;
/** All columns fit on a phone, with no text broken. */
const DAY_TABLE = {
  width: 'auto',
  minWidth: { sm: 480 },
  whiteSpace: 'nowrap',
  '& .MuiTableCell-root': { px: { xs: 0.75, sm: 2 } },
} as const;
const NUMBER = { fontVariantNumeric: 'tabular-nums' } as const;
