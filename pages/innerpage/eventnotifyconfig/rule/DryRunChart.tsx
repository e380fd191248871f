import Box from '@mui/material/Box';
import { useTheme } from '@mui/material/styles';
import { BarChart } from '@mui/x-charts/BarChart';
import { useTranslation } from 'react-i18next';

export interface DryRunChartProps {
  readonly days: readonly { readonly day: string; readonly messages: number }[];
}

/** A bar for each day. What it shows is listed beside it for screen readers. */
export function DryRunChart({ days }: DryRunChartProps) {
  const { t } = useTranslation('NotifyConfig');
  const { palette } = useTheme();
  return (
    <Box aria-hidden sx={{ flexShrink: 0 }}>
      <BarChart
        height={180}
        skipAnimation
        hideLegend
        disableKeyboardNavigation
        margin={{ left: 0, right: 8, top: 8, bottom: 0 }}
        borderRadius={2}
        xAxis={[
          {
            data: days.map(({ day }) => day),
            scaleType: 'band',
            valueFormatter: (day: string, { location }) => (location === 'tick' ? day.slice(5) : day),
          },
        ]}
        yAxis={[{ min: 0, tickMinStep: 1, width: 44 }]}
        series={[{ data: days.map(({ messages }) => messages), label: t('Messages'), color: palette.primary.main }]}
      />
    </Box>
  );
}
