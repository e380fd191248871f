// The list of events as a CSV file, for programs: words are codes, times are UTC.
import { EventMediaBit, type EventRow } from '../../../../shared/protocol/api/events.ts';
import { type CsvRow, csvTimestamp } from '../../kernel/lists/csv.ts';

export const EVENT_CSV_COLUMNS = [
  ...(['id', 'type', 'severity', 'status', 'source', 'deviceid', 'device', 'plate', 'group', 'unit'] as const),
  ...(['area', 'area name'] as const),
  ...(['begin', 'end', 'device time', 'last seen', 'count', 'value', 'limit', 'latitude', 'longitude'] as const),
  ...(['speed', 'heading', 'driver', 'late', 'assignee', 'reason', 'media', 'acknowledged', 'closed'] as const),
] as const;

export function eventCells(row: EventRow): CsvRow {
  return [
    row.id,
    row.type,
    row.severity,
    row.status,
    row.source,
    row.deviceid,
    row.deviceName,
    row.plate,
    row.groupName,
    row.unit === 0 ? '' : row.unit,
    row.area === 0 ? '' : row.area,
    row.areaName,
    csvTimestamp(row.beginAtMs),
    csvTimestamp(row.endAtMs),
    csvTimestamp(row.deviceTimeMs),
    csvTimestamp(row.lastSeenAtMs),
    row.count,
    row.value ?? '',
    row.limit ?? '',
    row.lat ?? '',
    row.lng ?? '',
    row.speedKmh ?? '',
    row.heading ?? '',
    row.driver,
    row.late ? '1' : '0',
    row.assignee,
    row.reason,
    mediaText(row.media),
    csvTimestamp(row.acknowledgedAtMs),
    csvTimestamp(row.closedAtMs),
  ];
}

const MEDIA_WORDS = { Clip: 'clip', Snapshot: 'snapshot', Attachment: 'attachment' } as const;
const MEDIA_BITS = ['Clip', 'Snapshot', 'Attachment'] as const;

function mediaText(bits: number): string {
  return MEDIA_BITS.filter((name) => (bits & EventMediaBit[name]) !== 0)
    .map((name) => MEDIA_WORDS[name])
    .join(' ');
}
