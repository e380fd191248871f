// A value of a report as text, by the type of its column. Pure but for the language.
import { reportCodeText } from '../../../../shared/i18n/reportText.ts';
import type { ReportColumn } from '../../../../shared/protocol/api/reports/reports.ts';
import type { ReportColumnType } from '../../../../shared/protocol/reports/reportWords.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';

export type ReportValue = string | number | null;

export interface CellTexts {
  readonly zone: string;
  readonly deviceName: (deviceId: string) => string;
  readonly eventName: (code: string) => string;
}

const MINUTE_MS = 60_000;
const METERS_A_KILOMETER = 1_000;
const BYTES_OF_MEGABYTE = 1_000_000;
/** One number of decimals, so that a column can be compared by. */
const MEGABYTES = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const NUMBER = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

export function cellText(column: ReportColumn, value: ReportValue, texts: CellTexts): string {
  if (value === null || value === '') return '';
  return typeof value === 'string' ? wordText(column, value, texts) : numberText(column.type, value, texts);
}

function wordText({ name, type }: ReportColumn, value: string, { deviceName, eventName }: CellTexts): string {
  if (type === 'device') return deviceName(value);
  if (type === 'event-type') return eventName(value);
  return type === 'code' ? reportCodeText(name, value) : value;
}

function numberText(type: ReportColumnType, value: number, { zone }: CellTexts): string {
  switch (type) {
    case 'time':
      return value === 0 ? '' : formatTimestamp(value, zone);
    case 'duration':
      return durationText(value);
    case 'distance':
      return `${(value / METERS_A_KILOMETER).toFixed(1)} km`;
    case 'speed':
      return `${Math.round(value)} km/h`;
    case 'liters':
      return `${value.toFixed(1)} L`;
    case 'celsius':
      return `${value.toFixed(1)} °C`;
    case 'share':
      return `${(value * 100).toFixed(1)} %`;
    case 'degrees':
      return value.toFixed(6);
    case 'bytes':
      return `${MEGABYTES.format(value / BYTES_OF_MEGABYTE)} MB`;
    default:
      return NUMBER.format(value);
  }
}

/** `1:05` for an hour and five minutes, which columns can be compared by; seconds where there is less than a minute. */
export function durationText(milliseconds: number): string {
  if (milliseconds < MINUTE_MS) return `${Math.round(milliseconds / 1_000)} s`;
  const minutes = Math.round(milliseconds / MINUTE_MS);
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
}

const NUMERIC: ReadonlySet<ReportColumnType> = new Set([
  'duration',
  'distance',
  'speed',
  'liters',
  'celsius',
  'share',
  'count',
  'degrees',
  'bytes',
]);

export function isNumeric({ type }: ReportColumn): boolean {
  return NUMERIC.has(type);
}
