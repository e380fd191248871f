import Box from '@mui/material/Box';
import { BarChart } from '@mui/x-charts/BarChart';
import { netflowKindText } from '../../../../shared/i18n/netflowText.ts';
import { bytesText } from '../../../../shared/ui/files/bytesText.ts';
import { KIND_COLORS } from './kindColors.ts';
import { kindsUsed, type UseLookProps } from './usedKinds.ts';

/** Stacked bars by kind; kinds that nothing was used for are left out. */
export function UseChart({ steps, label }: UseLookProps) {
  const used = kindsUsed(steps);
  const labels = new Map(steps.map((step) => [step.atMs, step.label]));
  const labelOf = (atMs: number) => labels.get(atMs) ?? '';
  return (
    <Box sx={{ flexShrink: 0 }}>
      <BarChart
        height={230}
        aria-label={label}
        skipAnimation
        margin={{ left: 0, right: 8, top: 8, bottom: 0 }}
        xAxis={[{ data: steps.map(({ atMs }) => atMs), valueFormatter: labelOf, scaleType: 'band' }]}
        yAxis={[{ min: 0, width: 70, valueFormatter: (bytes: number) => bytesText(bytes) }]}
        series={used.map(({ kind, at }) => ({
          data: steps.map(({ kinds }) => kinds[at] ?? 0),
          label: netflowKindText(kind),
          color: KIND_COLORS[at] ?? '',
          stack: 'kinds',
          valueFormatter: (bytes: number | null) => (bytes === null || bytes === 0 ? null : bytesText(bytes)),
        }))}
      />
    </Box>
  );
}
