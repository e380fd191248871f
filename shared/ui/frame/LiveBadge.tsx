import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import type { LiveLineState } from '../../live/liveLine.ts';
import { formatClock } from '../../time/format.ts';
import { useUserZone } from '../../time/userZone.ts';

/** Whether what the page shows is of this moment. */
export function LiveBadge({ state }: { readonly state: LiveLineState }) {
  const { t } = useTranslation('Frame');
  const zone = useUserZone();
  const isLive = state.kind === 'live';
  const isBroken = state.kind === 'broken';
  const text = isBroken
    ? t('No connection since {{time}}', { time: formatClock(state.sinceMs, zone) })
    : isLive
      ? t('Live')
      : t('Connecting…');
  return (
    <Box role="status" sx={BADGE}>
      <Box
        aria-hidden="true"
        sx={{ ...DOT, backgroundColor: isBroken ? 'error.main' : isLive ? 'success.main' : 'divider' }}
      />
      {text}
    </Box>
  );
}

const BADGE = {
  display: 'flex',
  alignItems: 'center',
  gap: 0.75,
  px: 1,
  fontSize: 13,
  lineHeight: 1.25,
  // On a phone it takes a second line rather than the room of what stands beside it.
  whiteSpace: { xs: 'normal', sm: 'nowrap' },
  maxWidth: { xs: 124, sm: 'none' },
} as const;
const DOT = { width: 9, height: 9, borderRadius: '50%', flexShrink: 0 } as const;
