// A list as a file that spreadsheets open, written while it is read from the database.
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

export type Cell = string | number | boolean;

/** Excel takes a file without it for one in the machine's own character set. */
const BYTE_ORDER_MARK = '\ufeff';
const ROWS_AT_ONCE = 100;

/** `page` gives the rows from an offset on, at most as many as asked for; fewer mean the end. */
export interface CsvList {
  readonly fileName: string;
  readonly header: readonly string[];
  readonly page: (offset: number, limit: number) => Promise<readonly (readonly Cell[])[]>;
}

export function sendCsv(reply: FastifyReply, list: CsvList): FastifyReply {
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${list.fileName}"`)
    .header('cache-control', 'no-store')
    .send(Readable.from(linesOf(list)));
}

async function* linesOf({ header, page }: CsvList): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(header);
  for (let offset = 0; ; offset += ROWS_AT_ONCE) {
    const rows = await page(offset, ROWS_AT_ONCE);
    if (rows.length > 0) yield rows.map(csvLine).join('');
    if (rows.length < ROWS_AT_ONCE) return;
  }
}

export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** A spreadsheet runs what begins like a formula; an apostrophe before it makes it text. Numbers are left alone. */
function csvCell(cell: Cell): string {
  if (typeof cell !== 'string') return String(cell);
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
