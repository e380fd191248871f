import NextIcon from '@mui/icons-material/ArrowDownward';
import PreviousIcon from '@mui/icons-material/ArrowUpward';
import CloseIcon from '@mui/icons-material/Close';
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import type { EventRow } from '../../../protocol/api/events.ts';
import { EventIcon } from '../EventIcon.tsx';
import { deviceText } from '../eventText.ts';
import { SeverityChip } from '../SeverityChip.tsx';
import { StatusChip } from '../StatusChip.tsx';
import { useEventNames } from '../useEventNames.ts';

export interface PanelHeadProps {
  readonly event: EventRow;
  readonly titleId: string;
  /** Undefined where there is no such event. */
  readonly onPrevious?: (() => void) | undefined;
  readonly onNext?: (() => void) | undefined;
  readonly onClose: () => void;
}

/** Which event it is, and how it stands. */
export function PanelHead({ event, titleId, onPrevious, onNext, onClose }: PanelHeadProps) {
  const { t } = useTranslation('Events');
  const { nameOf, typeOf, reasonName } = useEventNames();
  const about = [event.assignee, reasonName(event.reason)].filter((text) => text !== '').join(' · ');
  const isPaged = onPrevious !== undefined || onNext !== undefined;
  return (
    <Box sx={{ display: 'grid', gap: 1 }}>
      <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 1 }}>
        <Box sx={{ display: 'flex', mt: 0.25 }}>
          <EventIcon type={typeOf(event.type)} fontSize="medium" />
        </Box>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography component="h2" id={titleId} sx={{ fontSize: 16, fontWeight: 650, overflowWrap: 'anywhere' }}>
            {nameOf(event.type)}
          </Typography>
          <Typography sx={{ fontSize: 14, color: 'text.secondary', overflowWrap: 'anywhere' }}>
            {[deviceText(event), event.plate].filter((text) => text !== '').join(' · ')}
          </Typography>
        </Box>
        {isPaged && (
          <>
            <IconButton
              size="small"
              aria-label={t('Previous event')}
              disabled={onPrevious === undefined}
              onClick={onPrevious}
            >
              <PreviousIcon fontSize="small" />
            </IconButton>
            <IconButton size="small" aria-label={t('Next event')} disabled={onNext === undefined} onClick={onNext}>
              <NextIcon fontSize="small" />
            </IconButton>
          </>
        )}
        <IconButton size="small" aria-label={t('Close', { ns: 'Common' })} onClick={onClose}>
          <CloseIcon fontSize="small" />
        </IconButton>
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.75, alignItems: 'center', fontSize: 13 }}>
        <SeverityChip severity={event.severity} />
        <StatusChip status={event.status} />
        {event.late && <Chip size="small" variant="outlined" label={t('Late')} />}
        {about !== '' && (
          <Box component="span" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
            {about}
          </Box>
        )}
      </Box>
    </Box>
  );
}
