import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { severityText } from '../../../../shared/i18n/eventWordText.ts';
import { messageStateText, senderKindText } from '../../../../shared/i18n/notifyWordText.ts';
import type { NotifyMessage } from '../../../../shared/protocol/api/notify/notifyMessages.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { EventIcon } from '../../../../shared/ui/events/EventIcon.tsx';
import { deviceText } from '../../../../shared/ui/events/eventText.ts';
import { SeverityChip } from '../../../../shared/ui/events/SeverityChip.tsx';
import type { EventNames } from '../../../../shared/ui/events/useEventNames.ts';
import type { Column } from '../../../../shared/ui/table/column.ts';
import { answerText } from './answerText.ts';
import { MessageStateChip } from './MessageStateChip.tsx';

/** The columns shown at first are together as wide as a computer's window. */
export function useMessageColumns(names: EventNames): readonly Column<NotifyMessage>[] {
  return [...useEventColumns(names), ...useDeliveryColumns()];
}

function useEventColumns(names: EventNames): readonly Column<NotifyMessage>[] {
  const { t } = useTranslation(['NotifyConfig', 'EventWords']);
  const zone = useUserZone();
  return [
    {
      name: 'createdAtMs',
      title: t('Time'),
      text: ({ createdAtMs }) => formatTimestamp(createdAtMs, zone),
      sortable: true,
      isTimestamp: true,
      width: 175,
    },
    {
      name: 'state',
      title: t('Status'),
      text: ({ state }) => messageStateText(state),
      render: ({ state }) => <MessageStateChip state={state} />,
      width: 110,
    },
    {
      name: 'severity',
      title: t('Severity'),
      text: ({ severity }) => severityText(severity),
      render: ({ severity }) => <SeverityChip severity={severity} />,
      width: 100,
    },
    {
      name: 'type',
      title: t('Event type'),
      text: (row) => eventText(row, names),
      render: (row) => <EventCell row={row} names={names} />,
      minWidth: 150,
    },
    { name: 'device', title: t('Device'), text: deviceText, minWidth: 100 },
  ];
}

function useDeliveryColumns(): readonly Column<NotifyMessage>[] {
  const { t } = useTranslation('NotifyConfig');
  const zone = useUserZone();
  const momentText = (atMs: number) => (atMs === 0 ? '' : formatTimestamp(atMs, zone));
  const hiddenAtFirst = true;
  return [
    { name: 'rule', title: t('Rule'), text: ({ ruleName }) => ruleName, minWidth: 100 },
    { name: 'step', title: t('Step'), text: ({ step }) => String(step), width: 75, align: 'right' },
    { name: 'recipient', title: t('Recipient'), text: ({ recipient }) => recipient, minWidth: 110 },
    { name: 'sender', title: t('Sender'), text: ({ senderName }) => senderName, minWidth: 100 },
    { name: 'kind', title: t('Kind'), text: ({ kind }) => senderKindText(kind), width: 110, hiddenAtFirst },
    {
      name: 'attempts',
      title: t('Attempts'),
      text: ({ attempts }) => String(attempts),
      width: 95,
      align: 'right',
      hiddenAtFirst,
    },
    { name: 'answer', title: t('Answer'), text: answerText, minWidth: 140 },
    { name: 'subject', title: t('Subject'), text: ({ subject }) => subject, minWidth: 150, hiddenAtFirst },
    {
      name: 'due',
      title: t('Next attempt'),
      text: ({ state, dueAtMs }) => (state === 'waiting' ? momentText(dueAtMs) : ''),
      width: 175,
      hiddenAtFirst,
    },
    {
      name: 'finished',
      title: t('Finished'),
      text: ({ finishedAtMs }) => momentText(finishedAtMs),
      width: 175,
      hiddenAtFirst,
    },
  ];
}

/** The event type, with the number of further events in a digest. */
function eventText({ type, events }: NotifyMessage, { nameOf }: EventNames): string {
  return events > 1 ? `${nameOf(type)} +${events - 1}` : nameOf(type);
}

function EventCell({ row, names }: { readonly row: NotifyMessage; readonly names: EventNames }) {
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.75, minWidth: 0 }}>
      <EventIcon type={names.typeOf(row.type)} />
      <Box component="span" sx={{ minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis' }}>
        {eventText(row, names)}
      </Box>
    </Box>
  );
}
