import Box from '@mui/material/Box';
import { useTheme } from '@mui/material/styles';
import { BarChart } from '@mui/x-charts/BarChart';
import { useTranslation } from 'react-i18next';
import { reportColumnText } from '../../../../shared/i18n/reportText.ts';
import type { ReportChart, ReportColumn } from '../../../../shared/protocol/api/reports/reports.ts';
import { type CellTexts, cellText } from './cellText.ts';

export interface ResultChartProps {
  readonly chart: ReportChart;
  readonly by: ReportColumn;
  readonly value: ReportColumn;
  readonly texts: CellTexts;
}

/** What it shows stands in the table below. */
export function ResultChart({ chart, by, value, texts }: ResultChartProps) {
  const { t } = useTranslation('ReportPage');
  const { palette, vars } = useTheme();
  const [valueName, byName] = [reportColumnText(value.name), reportColumnText(by.name)];
  return (
    <Box sx={{ flexShrink: 0 }}>
      <BarChart
        height={220}
        aria-label={t('{{value}} by {{by}}', { value: valueName, by: byName })}
        skipAnimation
        hideLegend
        margin={{ left: 0, right: 8, top: 8, bottom: 0 }}
        borderRadius={2}
        xAxis={[{ data: chart.map((bar) => cellText(by, bar.by, texts)), scaleType: 'band' }]}
        yAxis={[{ min: 0, width: 70, valueFormatter: (amount: number) => cellText(value, amount, texts) }]}
        series={[
          {
            data: chart.map((bar) => bar.value),
            label: valueName,
            // Follows the scheme, as a color of the theme itself doesn't.
            color: (vars ?? { palette }).palette.primary.main,
            valueFormatter: (amount) => cellText(value, amount, texts),
          },
        ]}
      />
    </Box>
  );
}
