import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { severityText, sourceText, statusText } from '../../../../shared/i18n/eventWordText.ts';
import { listText } from '../../../../shared/i18n/listText.ts';
import { EventMediaBit, type EventRow } from '../../../../shared/protocol/api/events.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { EventIcon } from '../../../../shared/ui/events/EventIcon.tsx';
import {
  deviceText,
  lengthText,
  limitText,
  placeText,
  unitText,
  valueText,
} from '../../../../shared/ui/events/eventText.ts';
import { SeverityChip } from '../../../../shared/ui/events/SeverityChip.tsx';
import { StatusChip } from '../../../../shared/ui/events/StatusChip.tsx';
import type { EventNames } from '../../../../shared/ui/events/useEventNames.ts';
import type { Column } from '../../../../shared/ui/table/column.ts';
import { MediaMarks } from './MediaMarks.tsx';

/** The columns that operators look at first; the others are turned on in the table's list of columns. */
export function useEventColumns(names: EventNames): readonly Column<EventRow>[] {
  return [...useFirstColumns(names), ...useFurtherColumns(names)];
}

function useFirstColumns(names: EventNames): readonly Column<EventRow>[] {
  const { t } = useTranslation('HistoryEvent');
  const zone = useUserZone();
  const mediaText = useMediaText();
  return [
    {
      name: 'time',
      title: t('Start'),
      text: (row) => formatTimestamp(row.beginAtMs, zone),
      sortable: true,
      isTimestamp: true,
      width: 175,
    },
    {
      name: 'severity',
      title: t('Severity'),
      text: (row) => severityText(row.severity),
      render: (row) => <SeverityChip severity={row.severity} />,
      sortable: true,
      width: 100,
    },
    {
      name: 'type',
      title: t('Type'),
      text: (row) => typeText(row, names),
      render: (row) => <TypeCell row={row} names={names} />,
      minWidth: 215,
    },
    { name: 'device', title: t('Device'), text: deviceText, minWidth: 120 },
    { name: 'length', title: t('Duration'), text: lengthText, width: 130 },
    {
      name: 'status',
      title: t('Status'),
      text: (row) => statusText(row.status),
      render: (row) => <StatusChip status={row.status} />,
      width: 130,
    },
    { name: 'assignee', title: t('Assignee'), text: (row) => row.assignee, width: 100 },
    {
      name: 'media',
      title: t('Video'),
      text: (row) => mediaText(row.media),
      render: (row) => <MediaMarks media={row.media} label={mediaText(row.media)} />,
      width: 80,
    },
  ];
}

function useFurtherColumns({ reasonName }: EventNames): readonly Column<EventRow>[] {
  const { t } = useTranslation('HistoryEvent');
  const zone = useUserZone();
  const hiddenAtFirst = true;
  const momentText = (atMs: number): string => (atMs === 0 ? '' : formatTimestamp(atMs, zone));
  return [
    { name: 'end', title: t('End'), text: (row) => momentText(row.endAtMs), width: 175, hiddenAtFirst },
    { name: 'plate', title: t('Plate number'), text: (row) => row.plate, width: 120, hiddenAtFirst },
    { name: 'group', title: t('Group'), text: (row) => row.groupName, width: 120, hiddenAtFirst },
    { name: 'driver', title: t('Driver'), text: (row) => row.driver, width: 120, hiddenAtFirst },
    { name: 'value', title: t('Value'), text: valueText, width: 110, hiddenAtFirst },
    { name: 'limit', title: t('Limit'), text: limitText, width: 110, hiddenAtFirst },
    { name: 'speed', title: t('Speed'), text: speedText, width: 100, hiddenAtFirst },
    { name: 'position', title: t('Position'), text: placeText, width: 170, hiddenAtFirst },
    { name: 'reason', title: t('Reason'), text: (row) => reasonName(row.reason), width: 150, hiddenAtFirst },
    { name: 'late', title: t('Reported'), text: (row) => (row.late ? t('Late') : ''), width: 100, hiddenAtFirst },
    { name: 'source', title: t('Reported by'), text: (row) => sourceText(row.source), width: 110, hiddenAtFirst },
    { name: 'closed', title: t('Closed at'), text: (row) => momentText(row.closedAtMs), width: 175, hiddenAtFirst },
    { name: 'deviceid', title: t('Device ID'), text: (row) => row.deviceid, width: 120, hiddenAtFirst },
    { name: 'id', title: t('Event ID'), text: (row) => String(row.id), width: 100, hiddenAtFirst },
  ];
}

/** The event type with the channel, storage or tire, the geofence, and how often the event began. */
function typeText({ type, unit, areaName, count }: EventRow, { nameOf, typeOf }: EventNames): string {
  const parts = [nameOf(type), unitText(unit, typeOf(type)?.unit), areaName].filter((part) => part !== '');
  return `${parts.join(' · ')}${count > 1 ? ` ×${count}` : ''}`;
}

/** The speed, where the place is known. */
function speedText({ lat, speedKmh }: EventRow): string {
  return lat === null || speedKmh === null ? '' : `${Math.round(speedKmh)} km/h`;
}

function TypeCell({ row, names }: { readonly row: EventRow; readonly names: EventNames }) {
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.75, minWidth: 0 }}>
      <EventIcon type={names.typeOf(row.type)} />
      <Box component="span" sx={{ minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis' }}>
        {typeText(row, names)}
      </Box>
    </Box>
  );
}

function useMediaText(): (media: number) => string {
  const { t } = useTranslation('HistoryEvent');
  return (media) =>
    listText([
      ...((media & EventMediaBit.Clip) === 0 ? [] : [t('Video')]),
      ...((media & EventMediaBit.Snapshot) === 0 ? [] : [t('Snapshots')]),
      ...((media & EventMediaBit.Attachment) === 0 ? [] : [t('Attachments')]),
    ]);
}
