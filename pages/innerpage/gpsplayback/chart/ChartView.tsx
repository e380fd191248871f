import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ToggleButton from '@mui/material/ToggleButton';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getTrackChart } from '../../../../shared/api/tracks.ts';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import type { TrackChart } from '../../../../shared/protocol/api/tracks/track.ts';
import { useRecord } from '../../../../shared/ui/records/useRecord.ts';
import { Waiting } from '../../../../shared/ui/Waiting.tsx';
import type { TimeRange } from '../clock/ranges.ts';
import { useSlowPosition } from '../clock/useClock.ts';
import { PLOT_LEFT, PLOT_RIGHT } from '../slider/sliderScale.ts';
import { ChartCursor } from './ChartCursor.tsx';
import { CHART_HEIGHT, MetricChart } from './MetricChart.tsx';
import { METRICS, type Metric, reportedMetrics, valueAt } from './metrics.ts';
import { useMetricTexts } from './useMetricTexts.ts';

export interface ChartViewProps {
  readonly deviceId: string;
  readonly view: TimeRange;
  readonly onZoom: (range: TimeRange) => void;
}

/** The number of steps, as many as a wide screen has pixels for. */
const STEPS = 800;

/** The values that the chosen device reported over time. */
export function ChartView({ deviceId, view, onZoom }: ChartViewProps) {
  const { t } = useTranslation('GpsPlayback');
  const [shown, setShown] = useState<readonly Metric[]>(['speed']);
  const { fromMs: from, toMs: to } = view;
  const { value, failure, reload } = useRecord({
    key: ['track-chart', deviceId, from, to],
    load: (signal) => getTrackChart({ deviceid: deviceId, from, to, steps: STEPS }, signal),
    keepsOther: true,
  });
  if (value === undefined) {
    if (failure === undefined) return <Waiting />;
    return (
      <Box role="alert" sx={{ p: 1, fontSize: 13 }}>
        {errorText(failure)}
        <Button size="small" onClick={reload}>
          {t('Try again')}
        </Button>
      </Box>
    );
  }
  const offered = reportedMetrics(value);
  const drawn = METRICS.filter((metric) => offered.includes(metric) && shown.includes(metric));
  const toggle = (metric: Metric) =>
    setShown(shown.includes(metric) ? shown.filter((each) => each !== metric) : [...shown, metric]);
  return (
    <Box component="section" aria-label={t('Chart')} sx={{ minWidth: 0 }}>
      <Readout chart={value} offered={offered} shown={shown} onToggle={toggle} />
      <Charts chart={value} drawn={drawn} view={view} onZoom={onZoom} />
    </Box>
  );
}

interface ReadoutProps {
  readonly chart: TrackChart;
  readonly offered: readonly Metric[];
  readonly shown: readonly Metric[];
  readonly onToggle: (metric: Metric) => void;
}

/** The values that exist, and each one at the clock's moment. */
function Readout({ chart, offered, shown, onToggle }: ReadoutProps) {
  const { t } = useTranslation('GpsPlayback');
  const { nameOf, valueText } = useMetricTexts();
  const atMs = useSlowPosition();
  return (
    <Box role="group" aria-label={t('Values')} sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.5, mb: 0.5 }}>
      {offered.map((metric) => (
        <ToggleButton
          key={metric}
          value={metric}
          size="small"
          selected={shown.includes(metric)}
          onChange={() => onToggle(metric)}
          sx={TOGGLE}
        >
          {`${nameOf(metric)} ${valueText(metric, valueAt(chart, metric, atMs))}`}
        </ToggleButton>
      ))}
    </Box>
  );
}

interface ChartsProps {
  readonly chart: TrackChart;
  readonly drawn: readonly Metric[];
  readonly view: TimeRange;
  readonly onZoom: (range: TimeRange) => void;
}

function Charts({ chart, drawn, view, onZoom }: ChartsProps) {
  const { t } = useTranslation('GpsPlayback');
  const { nameOf } = useMetricTexts();
  if (drawn.length === 0) return null;
  return (
    <Box sx={{ position: 'relative' }}>
      {drawn.map((metric) => (
        // Without a height, the chart would take all the room that a column has.
        <Box key={metric} data-metric={metric} sx={{ height: CHART_HEIGHT }}>
          <MetricChart
            chart={chart}
            metric={metric}
            label={nameOf(metric)}
            limitText={t('Speed limit {{speed}} km/h', { speed: chart.speedLimitKmh ?? 0 })}
            view={view}
          />
        </Box>
      ))}
      <ChartCursor view={view} left={PLOT_LEFT} right={PLOT_RIGHT} onZoom={onZoom} />
    </Box>
  );
}

const TOGGLE = {
  py: 0,
  px: 1,
  fontSize: 12.5,
  textTransform: 'none',
  color: 'text.primary',
  fontVariantNumeric: 'tabular-nums',
} as const;
