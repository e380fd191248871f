import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { BarChart } from '@mui/x-charts/BarChart';
import { useTranslation } from 'react-i18next';
import type { VersionChartData } from './versionCounts.ts';

export interface VersionsChartProps {
  readonly chart: VersionChartData;
  /** For models and versions that no terminal has reported. */
  readonly unknown: string;
}

const MODEL_PX = 40;
const AXIS_AND_LEGEND_PX = 100;
const OTHERS_COLOR = '#8a8f98';

/** A bar for each model, with a part for each version. What it shows stands in the table below. */
export function VersionsChart({ chart, unknown }: VersionsChartProps) {
  const { t } = useTranslation('Firmware');
  const { models, series, others, omittedModels } = chart;
  const parts = series.map(({ firmwareVersion, devices }) => ({
    data: [...devices],
    label: firmwareVersion || unknown,
    stack: 'all',
  }));
  const rest = { data: [...others], label: t('Other versions'), stack: 'all', color: OTHERS_COLOR };
  return (
    // The chart would take all the room that a column has.
    <Box sx={{ flexShrink: 0 }}>
      <BarChart
        layout="horizontal"
        height={models.length * MODEL_PX + AXIS_AND_LEGEND_PX}
        aria-label={t('Devices by model and version')}
        skipAnimation
        margin={{ left: 0, right: 16, top: 8, bottom: 0 }}
        borderRadius={2}
        yAxis={[{ data: models.map((model) => model || unknown), scaleType: 'band', width: 110 }]}
        xAxis={[{ min: 0, tickMinStep: 1 }]}
        series={others.length > 0 ? [...parts, rest] : parts}
      />
      {omittedModels > 0 && (
        <Typography sx={{ fontSize: 13, color: 'text.secondary' }}>
          {t('Models that stand only in the table: {{number}}', { number: omittedModels })}
        </Typography>
      )}
    </Box>
  );
}
