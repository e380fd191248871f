import { LineChart } from '@mui/x-charts/LineChart';
import { useTranslation } from 'react-i18next';
import type { OnlineRate } from '../../../../shared/protocol/api/fleet.ts';
import { formatDay, formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { chartPoints } from './chartPoints.ts';
import { Empty } from './Empty.tsx';

/** Stands out from the page in both colour schemes. */
const LINE_COLOUR = '#2f7fd6';

export interface OnlineChartProps {
  readonly rate: OnlineRate;
  /** Days along the axis, not hours. */
  readonly withDays: boolean;
  readonly label: string;
}

export function OnlineChart({ rate, withDays, label }: OnlineChartProps) {
  const { t } = useTranslation('Dashboard');
  const zone = useUserZone();
  const points = chartPoints(rate);
  if (points.length === 0) return <Empty text={t('No data yet. The first values appear within a few minutes.')} />;
  const tick = (atMs: number): string =>
    withDays ? formatDay(atMs, zone).slice(5) : formatTimestamp(atMs, zone).slice(11, 16);
  return (
    <LineChart
      height={220}
      aria-label={label}
      skipAnimation
      hideLegend
      // Room for the half of the last label that extends beyond the axis: otherwise the chart cuts it off.
      margin={{ left: 0, right: 28, top: 8, bottom: 0 }}
      xAxis={[
        {
          data: points.map(({ atMs }) => atMs),
          scaleType: 'time',
          tickNumber: 6,
          valueFormatter: (atMs: number, context) =>
            context.location === 'tick' ? tick(Number(atMs)) : formatTimestamp(Number(atMs), zone),
        },
      ]}
      yAxis={[{ min: 0, max: 100, valueFormatter: (percent: number) => `${percent}%`, width: 52 }]}
      series={[
        {
          data: points.map(({ percent }) => percent),
          label,
          color: LINE_COLOUR,
          showMark: points.length < 3,
          area: true,
          curve: 'linear',
          valueFormatter: (percent) => (percent === null ? '–' : `${percent}%`),
        },
      ]}
      sx={{ '& .MuiLineChart-area': { fillOpacity: 0.18 } }}
    />
  );
}
