// CSV downloads. A spreadsheet takes a cell that begins with one of these for a formula, and runs it; some take the
// full-width signs for the same.
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { guardStream } from '../../../faults/streams.ts';

const SIGNS = '[=+\\-@\\t\\r\\n\uff1d\uff0b\uff0d\uff20]';
const FORMULA = new RegExp(`^'*${SIGNS}`);
const GUARDED = new RegExp(`^'+${SIGNS}`);
const BYTE_ORDER_MARK = '\ufeff';

/** Adds an apostrophe before a text that would be a formula; `unguardedCell` removes it again. */
export function csvCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) || /^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function unguardedCell(text: string): string {
  return GUARDED.test(text) ? text.slice(1) : text;
}

function csvLine(cells: CsvRow): string {
  return `${cells.map((cell) => (typeof cell === 'number' ? String(cell) : csvCell(cell))).join(',')}\r\n`;
}

/** The cells of a row. A number was not typed by anybody, so its minus doesn't begin a formula. */
export type CsvRow = readonly (string | number)[];

/** A moment as exports have it: the same for every reader, and sortable as text. Empty for none. */
export function csvTimestamp(atMs: number): string {
  return atMs === 0 ? '' : new Date(atMs).toISOString();
}

/** A whole file, part after part. */
export async function* csvText(batches: AsyncIterable<readonly CsvRow[]>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK;
  for await (const rows of batches) yield rows.map(csvLine).join('');
}

/** Sends rows as they come, each batch a list of rows of cells. */
export function sendCsv(reply: FastifyReply, name: string, batches: AsyncIterable<readonly CsvRow[]>): FastifyReply {
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}"`)
    .serializer((payload: unknown) => payload as string)
    .send(guardStream(Readable.from(csvText(batches), { objectMode: false })));
}
