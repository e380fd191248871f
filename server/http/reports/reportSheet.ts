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
import type { CellWords } from '../../reports/results/sheetCells.ts';
import type { StoredReportJob } from '../../store/reports/reportJobs.ts';
import type { ReportScope } from '../../store/reports/reportScopes.ts';
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
/** Access is checked again after this many parts of a file. */
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
  const titles = columns.map(({ name, type }) => {
    const title = textOf(texts, REPORT_COLUMN_NAMES[name], name);
    const unit = REPORT_UNITS[type]?.unit;
    return unit === undefined ? title : `${title} (${unit})`;
  });
  const layout = { format, title: textOf(texts, REPORT_KIND_NAMES[job.kind], job.kind), titles, columns };
  const parts = whileAllowed(results.content(job.file, { layout, visible: visibleOf(scope), words }), isAllowed);
  return {
    fileName: `${job.kind}-${dateOf(job.fromMs, job.parameters.timeZone)}.${format}`,
    contentType: CONTENT_TYPES[format],
    content: guardStream(Readable.from(parts, { objectMode: false })),
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

function dateOf(atMs: number, timeZone: string): string {
  return new Date(wallClockMs(atMs, timeZone)).toISOString().slice(0, 'YYYY-MM-DD'.length);
}
