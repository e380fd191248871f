import CloseIcon from '@mui/icons-material/Close';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Paper from '@mui/material/Paper';
import { useTranslation } from 'react-i18next';
import { currentLocale } from '../../../shared/i18n/start.ts';
import type { EventPopUp } from '../../../shared/protocol/api/liveUpdates.ts';
import { shownName } from '../../../shared/protocol/events/givenNames.ts';
import type { MenuPage } from '../../../shared/protocol/menuPages.ts';
import { severityAccent } from '../../../shared/ui/events/severityColors.ts';
import { goToPage } from '../address.ts';
import { pageLink } from '../pageLink.ts';

export interface PopUpCardProps {
  readonly popUp: EventPopUp;
  readonly timeZone: string;
  /** Where an event is shown by its number. */
  readonly page: MenuPage;
  readonly onClose: () => void;
}

/** What happened, where and when, and the way to it. */
export function PopUpCard({ popUp, timeZone, page, onClose }: PopUpCardProps) {
  const { t } = useTranslation(['Shell', 'EventTypes'], { useSuspense: false });
  const { builtInName, deviceName, plate, severity, beginAtMs, id } = popUp;
  const builtIn = builtInName === '' ? '' : t(builtInName, { ns: 'EventTypes' });
  const name = shownName(popUp, currentLocale(), builtIn);
  const { href, onClick } = pageLink(page, () => goToPage(page, `event=${id}`), `event=${id}`);
  return (
    <Paper elevation={6} sx={{ ...CARD, ...severityAccent(severity, 'borderLeftColor') }}>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Box sx={{ fontWeight: 650, overflowWrap: 'anywhere' }}>{name}</Box>
        <Box sx={{ fontSize: 13, color: 'text.secondary', overflowWrap: 'anywhere' }}>
          {[deviceName, plate, clockText(beginAtMs, timeZone)].filter((text) => text !== '').join(' · ')}
        </Box>
        <Button
          size="small"
          component="a"
          href={href}
          onClick={(event) => {
            onClick(event);
            onClose();
          }}
          sx={{ ml: -0.75 }}
        >
          {t('Show event')}
        </Button>
      </Box>
      <IconButton size="small" aria-label={t('Close {{name}}', { name })} onClick={onClose} sx={{ alignSelf: 'start' }}>
        <CloseIcon fontSize="small" />
      </IconButton>
    </Paper>
  );
}

/** Such as 14:05:09. */
function clockText(atMs: number, timeZone: string): string {
  const fields = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
  return new Intl.DateTimeFormat('en-GB', timeZone === '' ? fields : { ...fields, timeZone }).format(atMs);
}

const CARD = { display: 'flex', gap: 1, p: 1.5, pr: 1, borderLeft: '6px solid' } as const;
