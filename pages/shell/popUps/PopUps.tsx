import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { type MenuPage, pageAtAddress } from '../../../shared/protocol/menuPages.ts';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { PopUpCard } from './PopUpCard.tsx';
import { usePopUps } from './usePopUps.ts';

const TODAY_EVENT = pageAtAddress('/todayevent');
const HISTORY_EVENT = pageAtAddress('/historyevent');

export interface PopUpsProps {
  readonly permissions: readonly string[];
  /** IANA name; '' for the browser's own. */
  readonly timeZone: string;
  readonly current: MenuPage | undefined;
}

/** In a corner, where they cover as little as possible of the page. On Today Event every event shows anyway. */
export function PopUps({ permissions, timeZone, current }: PopUpsProps) {
  const { t } = useTranslation('Shell');
  const { popUps, change } = usePopUps(permissions.includes(Permission.Event) && current !== TODAY_EVENT);
  const { shown, more } = popUps;
  return (
    <Box role="log" aria-label={t('New events')} sx={CORNER}>
      {HISTORY_EVENT !== undefined &&
        shown.map((popUp) => (
          <PopUpCard
            key={popUp.id}
            popUp={popUp}
            timeZone={timeZone}
            page={HISTORY_EVENT}
            onClose={() => change({ kind: 'closed', id: popUp.id })}
          />
        ))}
      {(shown.length > 1 || more > 0) && (
        <Button size="small" variant="contained" color="inherit" onClick={() => change({ kind: 'all-closed' })}>
          {more === 0 ? t('Close all') : t('Close all (earlier events: {{number}})', { number: more })}
        </Button>
      )}
    </Box>
  );
}

const CORNER = {
  position: 'fixed',
  right: 16,
  bottom: 16,
  zIndex: 'snackbar',
  width: 'min(360px, calc(100vw - 32px))',
  display: 'flex',
  flexDirection: 'column',
  gap: 1,
} as const;
