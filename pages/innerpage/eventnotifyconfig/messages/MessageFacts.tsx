import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { severityText } from '../../../../shared/i18n/eventWordText.ts';
import { messageStateText } from '../../../../shared/i18n/notifyWordText.ts';
import type { NotifyMessage } from '../../../../shared/protocol/api/notify/notifyMessages.ts';
import { formatTimestampWithZone } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { deviceText } from '../../../../shared/ui/events/eventText.ts';
import type { EventNames } from '../../../../shared/ui/events/useEventNames.ts';
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
    <Box component="dl" sx={FACTS}>
      {facts
        .filter(([, text]) => text !== '')
        .map(([name, text]) => (
          <Box key={name} sx={{ display: 'contents' }}>
            <Box component="dt" sx={{ color: 'text.secondary' }}>
              {name}
            </Box>
            <Box component="dd" sx={{ m: 0, overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
              {text}
            </Box>
          </Box>
        ))}
    </Box>
  );
}

const FACTS = {
  m: 0,
  display: 'grid',
  gridTemplateColumns: 'auto minmax(0, 1fr)',
  columnGap: 2,
  rowGap: 0.5,
  fontSize: 14,
} as const;
