import useMediaQuery from '@mui/material/useMediaQuery';
import { ChartsReferenceLine } from '@mui/x-charts/ChartsReferenceLine';
import { LineChart } from '@mui/x-charts/LineChart';
import { memo } from 'react';
import type { TrackChart } from '../../../../shared/protocol/api/tracks/track.ts';
import type { TimeRange } from '../clock/ranges.ts';
import { PLOT_LEFT, PLOT_RIGHT } from '../slider/sliderScale.ts';
import { chartTimes, drawnValues, type Metric } from './metrics.ts';

export interface MetricChartProps {
  readonly chart: TrackChart;
  readonly metric: Metric;
  readonly label: string;
  readonly limitText: string;
  readonly view: TimeRange;
}

export const CHART_HEIGHT = 96;

/** Each has 3:1 on paper in its scheme. */
const LIGHT_COLORS: Readonly<Record<Metric, string>> = {
  speed: '#1a5fb4',
  altitude: '#6b3fa0',
  fuel: '#8a5300',
  cabin: '#b3261e',
  ignition: '#1d6b34',
  signal: '#00707a',
};
const DARK_COLORS: Readonly<Record<Metric, string>> = {
  speed: '#7db4f5',
  altitude: '#c4a5f0',
  fuel: '#f2b661',
  cabin: '#f59b94',
  ignition: '#7fd196',
  signal: '#5fc8c8',
};

export const MetricChart = memo(function MetricChart({ chart, metric, label, limitText, view }: MetricChartProps) {
  const isDark = useMediaQuery('(prefers-color-scheme: dark)');
  const color = (isDark ? DARK_COLORS : LIGHT_COLORS)[metric];
  const limit = metric === 'speed' ? chart.speedLimitKmh : null;
  return (
    <LineChart
      height={CHART_HEIGHT}
      aria-label={label}
      skipAnimation
      hideLegend
      disableAxisListener
      margin={{ left: 0, right: PLOT_RIGHT, top: 8, bottom: 4 }}
      xAxis={[
        {
          data: [...chartTimes(chart)],
          min: view.fromMs,
          max: view.toMs,
          scaleType: 'linear',
          // The slider's axis, above, is this one's too.
          position: 'none',
        },
      ]}
      yAxis={[{ width: PLOT_LEFT, tickNumber: 3, ...yRange(metric, limit) }]}
      series={[
        {
          data: [...drawnValues(chart, metric)],
          label,
          color,
          showMark: false,
          curve: metric === 'ignition' ? 'step' : 'linear',
          area: metric === 'ignition',
        },
      ]}
      slotProps={{ tooltip: { trigger: 'none' } }}
      sx={{ '& .MuiLineChart-area': { fillOpacity: 0.25 }, '& .MuiLineChart-line': { strokeWidth: 1.5 } }}
    >
      {limit !== null && (
        <ChartsReferenceLine
          y={limit}
          label={limitText}
          labelAlign="start"
          lineStyle={{ stroke: (isDark ? DARK_COLORS : LIGHT_COLORS).cabin, strokeDasharray: '6 4' }}
        />
      )}
    </LineChart>
  );
});

/** Room for what stands above the limit's line. */
const ABOVE_LIMIT = 1.4;

function yRange(metric: Metric, limit: number | null): { readonly min?: number; readonly max?: number } {
  if (metric === 'ignition') return { min: 0, max: 1 };
  if (limit !== null) return { min: 0, max: limit * ABOVE_LIMIT };
  return metric === 'altitude' || metric === 'cabin' ? {} : { min: 0 };
}
