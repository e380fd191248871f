import Chip from '@mui/material/Chip';
import { healthStateText } from '../../../../shared/i18n/healthText.ts';
import type { HealthState } from '../../../../shared/protocol/health/healthWords.ts';

const COLORS = { ok: 'success', warning: 'warning', problem: 'error', unknown: 'default' } as const;

export function HealthStateChip({ state }: { readonly state: HealthState }) {
  return <Chip size="small" variant="outlined" color={COLORS[state]} label={healthStateText(state)} />;
}
