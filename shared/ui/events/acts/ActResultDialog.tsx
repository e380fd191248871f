import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import DialogTitle from '@mui/material/DialogTitle';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemText from '@mui/material/ListItemText';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { EventRow } from '../../../protocol/api/events.ts';
import type { EventAct } from '../../../protocol/events/eventWords.ts';
import { deviceText } from '../eventText.ts';
import { useEventNames } from '../useEventNames.ts';
import { eventsToOffer, type RefusedEvent } from './actRequest.ts';
import { doneText, refusalText } from './actText.ts';

export interface ActResultDialogProps {
  readonly act: EventAct;
  readonly doneCount: number;
  readonly refused: readonly RefusedEvent[];
  /** The events as the user last saw them. */
  readonly events: readonly EventRow[];
  /** Repeats the act on these events, as they are now. */
  readonly onRetry: (events: readonly EventRow[]) => void;
  readonly onClose: () => void;
}

/** The outcome for several events, if the act could not be done to all of them. */
export function ActResultDialog({ act, doneCount, refused, events, onRetry, onClose }: ActResultDialogProps) {
  const { t } = useTranslation('Events');
  const { nameOf, reasonName } = useEventNames();
  const titleId = useId();
  const offered = eventsToOffer(act, refused);
  const known = new Map(events.map((event) => [event.id, event]));
  const titleOf = ({ id, event }: RefusedEvent): string => {
    const shown = event ?? known.get(id);
    return shown === undefined ? String(id) : `${deviceText(shown)} · ${nameOf(shown.type)}`;
  };
  return (
    <Dialog open fullWidth maxWidth="sm" onClose={onClose} aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{t('Not changed: {{count}}', { count: refused.length })}</DialogTitle>
      <DialogContent>
        <DialogContentText>{doneText(act, doneCount)}</DialogContentText>
        <List dense>
          {refused.map((each) => (
            <ListItem key={each.id} disableGutters>
              <ListItemText primary={titleOf(each)} secondary={refusalText(each, reasonName)} sx={WRAPPED} />
            </ListItem>
          ))}
        </List>
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        {offered.length > 0 && (
          <Button onClick={() => onRetry(offered)}>{t('Try again ({{count}})', { count: offered.length })}</Button>
        )}
        <Button variant="contained" autoFocus onClick={onClose}>
          {t('Close', { ns: 'Common' })}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const WRAPPED = { overflowWrap: 'anywhere' } as const;
