import Box from '@mui/material/Box';
import useMediaQuery from '@mui/material/useMediaQuery';
import { BarChart } from '@mui/x-charts/BarChart';
import { useTranslation } from 'react-i18next';
import { severityText } from '../../../../shared/i18n/eventWordText.ts';
import { SEVERITIES } from '../../../../shared/protocol/events/eventWords.ts';
import { DARK_SEVERITIES, LIGHT_SEVERITIES } from '../../../../shared/ui/events/severityColors.ts';
import type { DayCount } from './dayCounts.ts';

export interface DayChartProps {
  readonly days: readonly DayCount[];
  readonly onDay: (day: string) => void;
}

/** From here on only the month and the day of every few fit below the bars. */
const MANY_DAYS = 10;

/** A bar for each day, the most severe at its foot. What it shows stands in the table beside it. */
export function DayChart({ days, onDay }: DayChartProps) {
  const { t } = useTranslation('HistoryEvent');
  const isDark = useMediaQuery('(prefers-color-scheme: dark)');
  const colors = isDark ? DARK_SEVERITIES : LIGHT_SEVERITIES;
  const pick = (index: number | undefined) => {
    const day = index === undefined ? undefined : days[index]?.day;
    if (day !== undefined) onDay(day);
  };
  return (
    // The chart would take all the room that a column has.
    <Box sx={{ flexShrink: 0 }}>
      <BarChart
        height={260}
        aria-label={t('Events by day')}
        skipAnimation
        margin={{ left: 0, right: 8, top: 8, bottom: 0 }}
        borderRadius={2}
        xAxis={[
          {
            data: days.map(({ day }) => day),
            scaleType: 'band',
            categoryGapRatio: days.length > MANY_DAYS ? 0.15 : 0.4,
            valueFormatter: (day: string, { location }) => (location === 'tick' ? day.slice(5) : day),
          },
        ]}
        yAxis={[{ min: 0, tickMinStep: 1, width: 44 }]}
        series={SEVERITIES.map((severity) => ({
          data: days.map(({ counts }) => counts[severity]),
          label: severityText(severity),
          color: colors[severity].accent,
          stack: 'all',
        }))}
        onAxisClick={(_event, clicked) => pick(clicked?.dataIndex)}
        sx={{ '& .MuiChartsAxisHighlight-root': { pointerEvents: 'none' }, cursor: 'pointer' }}
      />
    </Box>
  );
}
