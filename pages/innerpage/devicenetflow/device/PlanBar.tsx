import Box from '@mui/material/Box';
import type { NetflowDevice } from '../../../../shared/protocol/api/netflow/netflow.ts';
import { percentUsed, planStateOf } from './planText.ts';
import { useUsedText } from './useUsedText.ts';

const COLORS = { within: 'success.main', near: 'warning.main', over: 'error.main' } as const;

/** What was used, and of a device with a plan how much of it that is. */
export function PlanBar({ device }: { readonly device: NetflowDevice }) {
  const usedText = useUsedText();
  const percent = percentUsed(device);
  const state = planStateOf(device);
  return (
    <Box sx={{ display: 'grid', gap: 0.5, width: '100%', py: 0.75 }}>
      <Box sx={{ lineHeight: 1.3 }}>{usedText(device)}</Box>
      {state !== undefined && (
        <Box
          aria-hidden="true"
          sx={{ height: 6, borderRadius: 3, backgroundColor: 'action.hover', overflow: 'hidden' }}
        >
          <Box sx={{ height: '100%', width: `${Math.min(100, percent ?? 0)}%`, backgroundColor: COLORS[state] }} />
        </Box>
      )}
    </Box>
  );
}
