import ArrowBack from '@mui/icons-material/ArrowBackOutlined';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { readEvent } from '../../../../shared/api/events.ts';
import { explainEvent } from '../../../../shared/api/notify/notifyRules.ts';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import type { EventRow } from '../../../../shared/protocol/api/events.ts';
import { Permission } from '../../../../shared/protocol/permissions.ts';
import { formatTimestampWithZone } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { deviceText } from '../../../../shared/ui/events/eventText.ts';
import { linkToEvent } from '../../../../shared/ui/events/historyLink.ts';
import { SeverityChip } from '../../../../shared/ui/events/SeverityChip.tsx';
import { StatusChip } from '../../../../shared/ui/events/StatusChip.tsx';
import type { EventNames } from '../../../../shared/ui/events/useEventNames.ts';
import { useRecord } from '../../../../shared/ui/records/useRecord.ts';
import { usePermission } from '../../../../shared/ui/session.ts';
import { Waiting } from '../../../../shared/ui/Waiting.tsx';
import { ExplainedRules } from './ExplainedRules.tsx';

export interface ExplainedEventProps {
  readonly event: number;
  readonly names: EventNames;
  /** Selects another event. */
  readonly onOther: () => void;
  /** Shows the messages that were really sent for it. */
  readonly onMessages: () => void;
}

/** The result of the current rules for one event. */
export function ExplainedEvent({ event, names, onOther, onMessages }: ExplainedEventProps) {
  const { t } = useTranslation('NotifyConfig');
  const maySeeEvent = usePermission(Permission.Event);
  const explained = useRecord({
    key: ['explained-event', event],
    load: (signal) => explainEvent(event, signal),
    changedBy: ['notifyrule', 'sender', 'member', 'membergroup', 'role'],
  });
  const { value, failure } = explained;
  return (
    <Box sx={VIEW} tabIndex={0} role="group" aria-label={t('Explain an event')}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
        <Button size="small" startIcon={<ArrowBack />} onClick={onOther}>
          {t('Select another event')}
        </Button>
        <Button size="small" onClick={onMessages}>
          {t('Show its messages')}
        </Button>
        {maySeeEvent && (
          <Button size="small" component="a" {...linkToEvent(event)}>
            {t('Open event')}
          </Button>
        )}
      </Box>
      {maySeeEvent ? (
        <EventHead event={event} names={names} />
      ) : (
        <Typography>{t('Event {{number}}', { number: event })}</Typography>
      )}
      <Typography sx={{ color: 'text.secondary', fontSize: 14 }}>
        {t('These are the rules as they are now. The delivery log shows what was sent.')}
      </Typography>
      {failure !== undefined && (
        <Alert
          severity="error"
          action={
            <Button color="inherit" size="small" onClick={explained.reload}>
              {t('Try again')}
            </Button>
          }
        >
          {errorText(failure)}
        </Alert>
      )}
      {value === undefined && failure === undefined && <Waiting />}
      {value !== undefined && <ExplainedRules rules={value} />}
    </Box>
  );
}

function EventHead({ event, names }: { readonly event: number; readonly names: EventNames }) {
  const { value } = useRecord({ key: ['opened-event', event], load: (signal) => readEvent(event, signal) });
  return value === undefined ? null : <EventLine event={value.event} names={names} />;
}

function EventLine({ event, names }: { readonly event: EventRow; readonly names: EventNames }) {
  const zone = useUserZone();
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center', minWidth: 0 }}>
      <Typography component="h2" sx={{ fontSize: 16, fontWeight: 650, overflowWrap: 'anywhere' }}>
        {`${names.nameOf(event.type)} · ${deviceText(event)}`}
      </Typography>
      <SeverityChip severity={event.severity} />
      <StatusChip status={event.status} />
      <Box component="span" sx={{ fontSize: 14, color: 'text.secondary' }}>
        {formatTimestampWithZone(event.beginAtMs, zone)}
      </Box>
    </Box>
  );
}

const VIEW = {
  display: 'flex',
  flexDirection: 'column',
  gap: 1.5,
  flex: 1,
  minHeight: 0,
  overflowY: 'auto',
  p: 0.5,
} as const;
