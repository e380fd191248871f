import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { severityText } from '../../../../shared/i18n/eventWordText.ts';
import { messageStateText } from '../../../../shared/i18n/notifyWordText.ts';
import type { NotifyMessage } from '../../../../shared/protocol/api/notify/notifyMessages.ts';
import { formatTimestampWithZone } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { deviceText } from '../../../../shared/ui/events/eventText.ts';
import type { EventNames } from '../../../../shared/ui/events/useEventNames.ts';
import { FactList } from '../../../../shared/ui/frame/FactList.tsx';
import { senderText } from '../senderText.ts';
import { answerText } from './answerText.ts';

export interface MessageFactsProps {
  readonly message: NotifyMessage;
  readonly names: EventNames;
}

export function MessageFacts({ message, names }: MessageFactsProps) {
  const { t } = useTranslation(['NotifyConfig', 'NotifyWords', 'EventWords']);
  const zone = useUserZone();
  const momentText = (atMs: number) => (atMs === 0 ? '' : formatTimestampWithZone(atMs, zone));
  const { state, type, severity, events, senderName, kind, recipient, createdAtMs, dueAtMs, finishedAtMs } = message;
  const facts: readonly (readonly [name: string, text: string])[] = [
    [t('Status'), messageStateText(state)],
    [t('Event'), `${names.nameOf(type)} · ${severityText(severity)} · ${deviceText(message)}`],
    [t('Events'), events > 1 ? String(events) : ''],
    [t('Rule'), message.ruleName],
    [t('Step'), String(message.step)],
    [t('Sender'), senderText(senderName, kind)],
    [t('Recipient'), recipient],
    [t('Created'), momentText(createdAtMs)],
    [t('Next attempt'), state === 'waiting' ? momentText(dueAtMs) : ''],
    [t('Finished'), momentText(finishedAtMs)],
    [t('Answer'), answerText(message)],
    [t('Subject'), message.subject],
    [t('Delivery key'), message.key],
  ];
  return (
    <Box sx={{ fontSize: 14 }}>
      <FactList facts={facts} />
    </Box>
  );
}
