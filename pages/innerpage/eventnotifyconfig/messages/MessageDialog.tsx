import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { readNotifyMessage } from '../../../../shared/api/notify/notifyMessages.ts';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import type { NotifyMessage, NotifyMessageDetail } from '../../../../shared/protocol/api/notify/notifyMessages.ts';
import { Permission } from '../../../../shared/protocol/permissions.ts';
import { linkToEvent } from '../../../../shared/ui/events/historyLink.ts';
import type { EventNames } from '../../../../shared/ui/events/useEventNames.ts';
import { useRecord } from '../../../../shared/ui/records/useRecord.ts';
import { usePermission } from '../../../../shared/ui/session.ts';
import { useIsNarrow } from '../../../../shared/ui/useIsNarrow.ts';
import { Waiting } from '../../../../shared/ui/Waiting.tsx';
import { AttemptTable } from './AttemptTable.tsx';
import { MessageActions } from './MessageActions.tsx';
import { MessageFacts } from './MessageFacts.tsx';
import { useLiveMessage } from './useLiveLog.ts';

export interface MessageDialogProps {
  /** The message as the list has it. */
  readonly message: NotifyMessage;
  readonly names: EventNames;
  /** Called after an action on the message. */
  readonly onChanged: () => void;
  readonly onExplain: (event: number) => void;
  readonly onClose: () => void;
}

/** One message: its text, its attempts, and what the other side answered. */
export function MessageDialog({ message: listed, names, onChanged, onExplain, onClose }: MessageDialogProps) {
  const { t } = useTranslation(['NotifyConfig', 'Common']);
  const titleId = useId();
  const isNarrow = useIsNarrow();
  const mayOpenEvent = usePermission(Permission.Event);
  const { value, failure, reload } = useRecord({
    key: ['notify-message', listed.id],
    load: (signal) => readNotifyMessage(listed.id, signal),
  });
  // The list isn't enough: it may no longer contain the message, and a message that was sent again can look unchanged in it.
  useLiveMessage(listed.id, reload);
  const message = value?.message ?? listed;
  const changed = () => {
    reload();
    onChanged();
  };
  return (
    <Dialog open fullWidth fullScreen={isNarrow} maxWidth="md" onClose={onClose} aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{t('Message {{number}}', { number: listed.id })}</DialogTitle>
      <DialogContent tabIndex={0} role="group" aria-labelledby={titleId} sx={CONTENT}>
        <MessageFacts message={message} names={names} />
        {failure !== undefined && <Alert severity="error">{errorText(failure)}</Alert>}
        {value === undefined && failure === undefined && <Waiting />}
        {value !== undefined && <Detail detail={value} />}
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2, flexWrap: 'wrap', gap: 1 }}>
        <MessageActions messages={[message]} onDone={changed} />
        <Button size="small" onClick={() => onExplain(message.event)}>
          {t('Explain')}
        </Button>
        {mayOpenEvent && (
          <Button size="small" component="a" {...linkToEvent(message.event)}>
            {t('Open event')}
          </Button>
        )}
        <Box sx={{ flex: 1 }} />
        <Button variant="contained" onClick={onClose}>
          {t('Close', { ns: 'Common' })}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Detail({ detail: { body, attempts } }: { readonly detail: NotifyMessageDetail }) {
  const { t } = useTranslation('NotifyConfig');
  return (
    <>
      <Part title={t('Text')}>
        {body === '' ? (
          <Box sx={{ color: 'text.secondary' }}>{t('Written when the message is sent')}</Box>
        ) : (
          <Box component="pre" tabIndex={0} role="group" aria-label={t('Text')} sx={TEXT}>
            {body}
          </Box>
        )}
      </Part>
      <Part title={t('Attempts')}>
        {attempts.length === 0 ? (
          <Box sx={{ color: 'text.secondary' }}>{t('No attempts yet')}</Box>
        ) : (
          <AttemptTable attempts={attempts} />
        )}
      </Part>
    </>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const titleId = useId();
  return (
    <Box component="section" aria-labelledby={titleId} sx={{ display: 'grid', gap: 1, minWidth: 0 }}>
      <Typography id={titleId} component="h3" sx={{ fontSize: 15, fontWeight: 650 }}>
        {title}
      </Typography>
      {children}
    </Box>
  );
}

const CONTENT = { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2, alignContent: 'start' } as const;
const TEXT = {
  m: 0,
  p: 1.5,
  maxHeight: 320,
  overflow: 'auto',
  fontFamily: 'inherit',
  fontSize: 14,
  whiteSpace: 'pre-wrap',
  overflowWrap: 'anywhere',
  border: 1,
  borderColor: 'divider',
  borderRadius: 1,
} as const;
