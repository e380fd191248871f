import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import LinearProgress from '@mui/material/LinearProgress';
import { syncFaultText, syncStateText, syncWaitText } from '../../../../shared/i18n/syncText.ts';
import type { SyncItem } from '../../../../shared/protocol/api/sync/sync.ts';
import type { SyncItemState } from '../../../../shared/protocol/sync/syncWords.ts';
import { shareOf } from './itemState.ts';

type ChipColor = 'default' | 'info' | 'success' | 'warning' | 'error';
const COLORS: Readonly<Record<SyncItemState, ChipColor>> = {
  planned: 'default',
  waiting: 'default',
  requested: 'info',
  running: 'info',
  checking: 'info',
  done: 'success',
  skipped: 'success',
  lost: 'warning',
  failed: 'error',
  canceled: 'default',
  paused: 'warning',
};

/** State and reason in words. */
export function itemStateText({ state, wait, fault }: SyncItem): string {
  return [syncStateText(state), syncWaitText(wait), syncFaultText(fault)].filter((text) => text !== '').join(' · ');
}

export function ItemState({ item }: { readonly item: SyncItem }) {
  const share = shareOf(item);
  const reason = [syncWaitText(item.wait), syncFaultText(item.fault)].filter((text) => text !== '').join(' · ');
  return (
    <Box sx={STATE}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
        <Chip size="small" variant="outlined" color={COLORS[item.state]} label={syncStateText(item.state)} />
        {share !== undefined && <Box component="span">{`${Math.floor(share * 100)} %`}</Box>}
      </Box>
      {share !== undefined && (
        <LinearProgress variant="determinate" value={share * 100} aria-label={syncStateText(item.state)} />
      )}
      {reason !== '' && <Box sx={{ fontSize: 12, color: 'text.secondary', whiteSpace: 'normal' }}>{reason}</Box>}
    </Box>
  );
}

const STATE = {
  display: 'grid',
  alignContent: 'center',
  gap: 0.25,
  width: '100%',
  height: '100%',
  py: 0.5,
  lineHeight: 1.3,
} as const;
