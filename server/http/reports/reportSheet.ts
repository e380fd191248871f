// A result as a file for people: in their language, on their clock, of what they may see now.
import { Readable } from 'node:stream';
import type { ReportFormat } from '../../../shared/protocol/api/reports/reports.ts';
import type { Locale } from '../../../shared/protocol/locale.ts';
import {
  REPORT_CODE_NAMES,
  REPORT_COLUMN_NAMES,
  REPORT_KIND_NAMES,
  REPORT_UNITS,
} from '../../../shared/protocol/reports/reportTexts.ts';
import { wallClockMs } from '../../../shared/protocol/timeZones.ts';
import { guardStream } from '../../faults/streams.ts';
import { readTexts, type Texts, textOf, typeNames } from '../../localeTexts.ts';
import { reportDefinition } from '../../reports/kinds/list.ts';
import type { ResultColumn } from '../../reports/results/resultFile.ts';
import type { CellWords, ReportCell } from '../../reports/results/sheetCells.ts';
import type { StoredReportJob } from '../../store/reports/reportJobs.ts';
import type { ReportScope } from '../../store/reports/reportScopes.ts';
import { type CsvRow, csvText } from '../kernel/lists/csv.ts';
import { writeSheet } from '../kernel/lists/sheet/sendSheet.ts';
import type { ReportRoutesDeps } from './reportDeps.ts';

export interface SheetReader {
  readonly format: ReportFormat;
  readonly language: Locale;
  readonly timeZone: string;
}

export interface ReportSheet {
  readonly fileName: string;
  readonly contentType: string;
  readonly content: Readable;
}

type SheetDeps = Pick<ReportRoutesDeps, 'stores' | 'localesRoot'> & Pick<ReportRoutesDeps['reports'], 'results'>;

const CONTENT_TYPES: Readonly<Record<ReportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};
/** Of columns in a spreadsheet, in characters. */
const WIDTH = 20;
/** Access is asked again after so many parts of a file. */
const PARTS_BETWEEN_CHECKS = 8;

/** `isAllowed`: asked again while the file is on its way. */
export async function reportSheet(
  job: StoredReportJob,
  { format, language, timeZone }: SheetReader,
  { stores, localesRoot, results, isAllowed }: SheetDeps & { readonly isAllowed: () => Promise<boolean> },
): Promise<ReportSheet> {
  const texts = await readTexts(localesRoot, language, 'Report');
  const { columns } = reportDefinition(job.kind);
  const scope = await stores.reportScopes.scopeOf(job.memberGroup);
  const words = await wordsOf({ stores, localesRoot }, { language, timeZone, texts, scope });
  const batches = whileAllowed(results.cells(job.file, { columns, visible: visibleOf(scope), words }), isAllowed);
  const titles = columns.map(({ name, type }) => {
    const title = textOf(texts, REPORT_COLUMN_NAMES[name], name);
    const unit = REPORT_UNITS[type]?.unit;
    return unit === undefined ? title : `${title} (${unit})`;
  });
  const title = textOf(texts, REPORT_KIND_NAMES[job.kind], job.kind);
  return {
    fileName: `${job.kind}-${dateOf(job.fromMs, job.parameters.timeZone)}.${format}`,
    contentType: CONTENT_TYPES[format],
    content:
      format === 'csv'
        ? guardStream(Readable.from(csvText(csvRows({ titles, columns }, batches)), { objectMode: false }))
        : writeSheet({
            title,
            columns: titles.map((each) => ({ title: each, width: WIDTH })),
            cells: (row: readonly ReportCell[]) => row,
            batches,
          }),
  };
}

/** What a member group sees now. */
export function visibleOf({ devices, deviceGroups }: ReportScope) {
  return { devices: devices.map(({ deviceId }) => deviceId), deviceGroups };
}

interface Reader {
  readonly language: Locale;
  readonly timeZone: string;
  readonly texts: Texts;
  readonly scope: ReportScope;
}

async function wordsOf(
  { stores, localesRoot }: Pick<SheetDeps, 'stores' | 'localesRoot'>,
  { language, timeZone, texts, scope }: Reader,
): Promise<CellWords> {
  const types = await stores.eventTypes.all();
  const typeName = typeNames(types, language, await readTexts(localesRoot, language, 'EventTypes'));
  const codes = Object.entries(REPORT_CODE_NAMES).map(([column, names]) => [
    column,
    Object.fromEntries(Object.entries(names).map(([code, name]) => [code, textOf(texts, name, code)])),
  ]);
  return {
    deviceNames: Object.fromEntries(scope.devices.map(({ deviceId, name }) => [deviceId, name])),
    eventTypes: Object.fromEntries(types.map(({ code }) => [code, typeName(code)])),
    codes: {
      ...Object.fromEntries(codes),
      action: Object.fromEntries(await readTexts(localesRoot, language, 'AuditWords')),
    },
    timeZone,
  };
}

/** A file that ends early looks like a whole one, so it is broken off instead. */
async function* whileAllowed<Part>(
  parts: AsyncGenerator<Part>,
  isAllowed: () => Promise<boolean>,
): AsyncGenerator<Part> {
  let count = 0;
  for await (const part of parts) {
    if (++count % PARTS_BETWEEN_CHECKS === 0 && !(await isAllowed())) {
      throw new Error('the caller may not have the report any more');
    }
    yield part;
  }
}

async function* csvRows(
  { titles, columns }: { readonly titles: readonly string[]; readonly columns: readonly ResultColumn[] },
  batches: AsyncIterable<readonly (readonly ReportCell[])[]>,
): AsyncGenerator<readonly CsvRow[]> {
  yield [titles];
  for await (const rows of batches) yield rows.map((row) => row.map((cell, at) => csvCellOf(cell, columns[at]?.type)));
}

const TIME_LENGTH = 'YYYY-MM-DD HH:mm:ss'.length;

/** On the wall clock, as spreadsheets read it; a day without a time. */
function csvCellOf(cell: ReportCell, type: ResultColumn['type'] | undefined): string | number {
  if (cell === null) return '';
  if (typeof cell !== 'object') return cell;
  const text = new Date(cell.wallMs).toISOString().replace('T', ' ');
  return type === 'day' ? text.slice(0, 'YYYY-MM-DD'.length) : text.slice(0, TIME_LENGTH);
}

function dateOf(atMs: number, timeZone: string): string {
  return new Date(wallClockMs(atMs, timeZone)).toISOString().slice(0, 'YYYY-MM-DD'.length);
}
