// A result as the content of a file for people. Runs in the thread that reads results: converting rows to text and packing them takes
// seconds.
import { Readable } from 'node:stream';
import { guardStream } from '../../faults/streams.ts';
import type { FileLayout } from '../../reports/results/fileLayout.ts';
import type { ResultColumn } from '../../reports/results/resultFile.ts';
import type { ReportCell } from '../../reports/results/sheetCells.ts';
import { type CsvRow, csvText } from '../kernel/lists/csv.ts';
import { writeSheet } from '../kernel/lists/sheet/sendSheet.ts';

type Batches = AsyncIterable<readonly (readonly ReportCell[])[]>;

/** Width of columns in a spreadsheet, in characters. */
const WIDTH = 20;

/** A failure while rows are read breaks the content off. */
export function fileContent({ format, title, titles, columns }: FileLayout, batches: Batches): Readable {
  if (format === 'csv') {
    return guardStream(Readable.from(csvText(csvRows(titles, columns, batches)), { objectMode: false }));
  }
  return writeSheet({
    title,
    columns: titles.map((each) => ({ title: each, width: WIDTH })),
    cells: (row: readonly ReportCell[]) => row,
    batches,
  });
}

async function* csvRows(
  titles: readonly string[],
  columns: readonly ResultColumn[],
  batches: Batches,
): AsyncGenerator<readonly CsvRow[]> {
  yield [titles];
  for await (const rows of batches) yield rows.map((row) => row.map((cell, at) => csvCellOf(cell, columns[at]?.type)));
}

const TIME_LENGTH = 'YYYY-MM-DD HH:mm:ss'.length;

/** Times are in wall-clock time, as spreadsheets read it; a day has no time. */
function csvCellOf(cell: ReportCell, type: ResultColumn['type'] | undefined): string | number {
  if (cell === null) return '';
  if (typeof cell !== 'object') return cell;
  const text = new Date(cell.wallMs).toISOString().replace('T', ' ');
  return type === 'day' ? text.slice(0, 'YYYY-MM-DD'.length) : text.slice(0, TIME_LENGTH);
}
