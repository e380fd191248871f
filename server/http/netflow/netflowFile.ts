// Data usage as a file for people: in their language.
import type { NetflowDevice } from '../../../shared/protocol/api/netflow/netflow.ts';
import type { NetflowSheetText } from '../../../shared/protocol/netflow/netflowSheetTexts.ts';
import { wallClockMs } from '../../../shared/protocol/timeZones.ts';
import { readTexts, textOf } from '../../localeTexts.ts';
import type { CsvRow } from '../kernel/lists/csv.ts';
import type { SheetReader } from '../kernel/lists/listRoutes.ts';
import type { SheetLayout } from '../kernel/lists/sheet/sendSheet.ts';
import type { SheetCell, SheetColumn } from '../kernel/lists/sheet/sheetXml.ts';

const MEGABYTE = 1_000_000;

interface Column extends SheetColumn {
  readonly cell: (row: NetflowDevice) => SheetCell;
}

export async function netflowSheet(
  localesRoot: string,
  { lang }: Pick<SheetReader, 'lang'>,
): Promise<SheetLayout<NetflowDevice>> {
  const texts = await readTexts(localesRoot, lang, 'NetflowSheet');
  const title = (text: NetflowSheetText): string => textOf(texts, text, text);
  // A period begins at midnight where the device is, or where its plan says, wherever the reader is.
  const moment = (atMs: number, timeZone: string): SheetCell => ({ wallMs: wallClockMs(atMs, timeZone) });
  const megabytes = (bytes: number): number => Math.round((bytes / MEGABYTE) * 1_000) / 1_000;
  const columns: readonly Column[] = [
    { title: title('Device ID'), width: 16, cell: ({ deviceid }) => deviceid },
    { title: title('Device'), width: 24, cell: ({ name }) => name },
    { title: title('Plate number'), width: 14, cell: ({ plate }) => plate },
    { title: title('Group'), width: 20, cell: ({ groupName }) => groupName },
    { title: title('From'), width: 20, cell: ({ fromMs, timeZone }) => moment(fromMs, timeZone) },
    { title: title('To'), width: 20, cell: ({ toMs, timeZone }) => moment(toMs, timeZone) },
    { title: title('Received (MB)'), width: 14, cell: ({ receivedBytes }) => megabytes(receivedBytes) },
    { title: title('Sent (MB)'), width: 14, cell: ({ sentBytes }) => megabytes(sentBytes) },
    { title: title('Today (MB)'), width: 14, cell: ({ todayBytes }) => megabytes(todayBytes) },
    {
      title: title('Forecast (MB)'),
      width: 14,
      cell: ({ forecastBytes }) => (forecastBytes === null ? null : megabytes(forecastBytes)),
    },
    { title: title('Data plan'), width: 20, cell: ({ planName }) => planName },
    { title: title('Plan (MB)'), width: 14, cell: ({ planBytes }) => (planBytes === 0 ? null : megabytes(planBytes)) },
    { title: title('Phone number'), width: 18, cell: ({ simNumber }) => simNumber },
    { title: title('ICCID'), width: 24, cell: ({ simIccid, reportedIccid }) => simIccid || reportedIccid },
    { title: title('Expiry date'), width: 14, cell: ({ simExpiryDay }) => simExpiryDay },
  ];
  return { title: title('Data usage'), columns, cells: (row) => columns.map(({ cell }) => cell(row)) };
}

const TIME_LENGTH = 'YYYY-MM-DD HH:mm:ss'.length;

/** The same cells as text, times as spreadsheets read them. */
export function csvRowOf(cells: readonly SheetCell[]): CsvRow {
  return cells.map((cell) => {
    if (cell === null) return '';
    if (typeof cell !== 'object') return cell;
    return new Date(cell.wallMs).toISOString().replace('T', ' ').slice(0, TIME_LENGTH);
  });
}
