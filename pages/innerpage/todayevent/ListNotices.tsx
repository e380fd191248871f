// What the list says of itself: what it holds back, what it leaves out, and why it is empty.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import type { ApiFailure } from '../../../shared/api/client.ts';
import { errorText } from '../../../shared/i18n/errorText.ts';
import { TODAY_EVENTS_MAX } from '../../../shared/protocol/api/events.ts';

export function HeldNotice({ count, onResume }: { readonly count: number; readonly onResume: () => void }) {
  const { t } = useTranslation('TodayEvent');
  return (
    <Box role="status" sx={HELD}>
      {count > 0 ? (
        <Button size="small" variant="contained" onClick={onResume}>
          {t('{{number}} new', { number: count })}
        </Button>
      ) : (
        t('Paused. New events are held back.')
      )}
    </Box>
  );
}

export function LoadFailure({ failure, onRetry }: { readonly failure: ApiFailure; readonly onRetry: () => void }) {
  const { t } = useTranslation('TodayEvent');
  const text = errorText(failure);
  if (text === undefined) return null;
  const again = (
    <Button color="inherit" size="small" onClick={onRetry}>
      {t('Try again')}
    </Button>
  );
  return (
    <Alert severity="error" action={again} sx={{ borderRadius: 0, overflowWrap: 'anywhere' }}>
      {text}
    </Alert>
  );
}

export function CutNotice() {
  const { t } = useTranslation('TodayEvent');
  return (
    <Alert severity="info" sx={{ borderRadius: 0, py: 0 }}>
      {t('Only the newest {{number}} events are shown. Earlier ones are on the History Event page.', {
        number: TODAY_EVENTS_MAX.toLocaleString('en'),
      })}
    </Alert>
  );
}

export function NoEvents({ isFiltered, onClear }: { readonly isFiltered: boolean; readonly onClear: () => void }) {
  const { t } = useTranslation('TodayEvent');
  return (
    <Box sx={EMPTY}>
      <Typography sx={{ color: 'text.secondary', textAlign: 'center' }}>
        {isFiltered
          ? t('No results. Change the search or filters.')
          : t('No events today. New events appear here at once.')}
      </Typography>
      {isFiltered && (
        <Button size="small" variant="outlined" onClick={onClear}>
          {t('Clear filters')}
        </Button>
      )}
    </Box>
  );
}

const HELD = {
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'center',
  minHeight: 42,
  px: 1.5,
  fontSize: 13,
  color: 'text.secondary',
  borderBottom: 1,
  borderColor: 'divider',
  backgroundColor: 'background.default',
} as const;
const EMPTY = { flex: 1, display: 'grid', placeContent: 'center', justifyItems: 'center', gap: 1.5, p: 3 } as const;
