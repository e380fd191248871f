// The list of links as a CSV file.
import { LINK_CHANNELS_MAX, type LinkRow } from '../../../shared/protocol/api/links.ts';
import { type CsvRow, csvTimestamp } from '../kernel/lists/csv.ts';

export const LINK_CSV_COLUMNS = [
  'id',
  'deviceid',
  'device',
  'plate',
  'owner',
  'channels',
  'kinds',
  'note',
  'state',
  'created',
  'until',
  'revoked',
  'last used',
  'uses',
  'last address',
] as const;

export function linkCells(row: LinkRow): CsvRow {
  return [
    String(row.id),
    row.deviceid,
    row.name,
    row.plate,
    row.owner,
    channelText(row.channels),
    row.kinds.join(' '),
    row.note,
    row.state,
    csvTimestamp(row.createdAtMs),
    csvTimestamp(row.untilMs),
    csvTimestamp(row.revokedAtMs),
    csvTimestamp(row.lastUsedAtMs),
    String(row.useCount),
    row.lastAddress,
  ];
}

function channelText(channels: readonly number[]): string {
  return channels.length === LINK_CHANNELS_MAX ? 'all' : channels.join(' ');
}
