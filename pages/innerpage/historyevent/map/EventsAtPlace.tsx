import CloseIcon from '@mui/icons-material/Close';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import { useTranslation } from 'react-i18next';
import type { EventRow } from '../../../../shared/protocol/api/events.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { EventIcon } from '../../../../shared/ui/events/EventIcon.tsx';
import { deviceText } from '../../../../shared/ui/events/eventText.ts';
import type { EventNames } from '../../../../shared/ui/events/useEventNames.ts';

export interface EventsAtPlaceProps {
  readonly events: readonly EventRow[];
  readonly names: EventNames;
  readonly onSelect: (event: EventRow) => void;
  readonly onClose: () => void;
}

/** Events that the map cannot set apart, to choose from. */
export function EventsAtPlace({ events, names, onSelect, onClose }: EventsAtPlaceProps) {
  const { t } = useTranslation(['HistoryEvent', 'Common']);
  const zone = useUserZone();
  return (
    <Box component="section" aria-label={t('At the same place')} sx={BOX}>
      <Box sx={{ display: 'flex', alignItems: 'center', pl: 1 }}>
        <Box sx={{ flex: 1, fontWeight: 650, fontSize: 14 }}>{t('At the same place')}</Box>
        <IconButton size="small" aria-label={t('Close', { ns: 'Common' })} onClick={onClose}>
          <CloseIcon fontSize="small" />
        </IconButton>
      </Box>
      <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0, overflowY: 'auto' }}>
        {events.map((event) => (
          <li key={event.id}>
            <Button color="inherit" fullWidth onClick={() => onSelect(event)} sx={ROW}>
              <EventIcon type={names.typeOf(event.type)} />
              <span>
                {`${names.nameOf(event.type)} · ${deviceText(event)}`}
                <Box component="span" sx={{ display: 'block', fontSize: 12, color: 'text.secondary' }}>
                  {formatTimestamp(event.beginAtMs, zone)}
                </Box>
              </span>
            </Button>
          </li>
        ))}
      </Box>
    </Box>
  );
}

const BOX = {
  position: 'absolute',
  left: 12,
  bottom: 40,
  zIndex: 2,
  display: 'flex',
  flexDirection: 'column',
  width: 300,
  maxWidth: 'calc(100% - 24px)',
  maxHeight: '60%',
  p: 0.5,
  borderRadius: 1,
  border: 1,
  borderColor: 'divider',
  backgroundColor: 'background.paper',
} as const;
const ROW = {
  justifyContent: 'flex-start',
  textAlign: 'left',
  textTransform: 'none',
  gap: 1,
  px: 1,
  lineHeight: 1.35,
} as const;
