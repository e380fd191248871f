// A file of devices as rows of cells under known columns, or why it is none.
import Papa from 'papaparse';
import type { ImportEncoding } from '../../../../shared/protocol/api/deviceImport.ts';
import type { Limit } from '../../../limits/limit.ts';
import { unguardedCell } from '../../kernel/lists/csv.ts';
import { IMPORT_COLUMNS, type ImportColumn } from '../columns.ts';
import { decodeText } from './decode.ts';
import { mapYielding, type YieldIfDue } from './yielder.ts';

export interface FileRow {
  /** In the file, from 1. A cell with line breaks makes rows longer than a line. */
  readonly line: number;
  readonly cells: Partial<Readonly<Record<ImportColumn, string>>>;
  /** It has more or fewer cells than the header. */
  readonly isRagged: boolean;
}

export type FileAnswer =
  | { readonly ok: true; readonly encoding: ImportEncoding; readonly rows: readonly FileRow[] }
  | {
      readonly ok: false;
      readonly code: FileFault;
      readonly what: string;
      /** That the file went beyond. */
      readonly limit?: Limit;
    };

export type FileFault =
  | 'file-empty'
  | 'file-encoding'
  | 'file-quotes'
  | 'file-column-unknown'
  | 'file-column-twice'
  | 'file-column-missing'
  | 'file-too-long';

export const IMPORT_ROWS_LIMIT: Limit = { name: 'http.import.rows', max: 50_000 };
/**
 * A row without an end is read from its beginning again with each piece of the file, which costs the square of its length. A
 * whole file in one row, as one quotation mark makes it, would take a core for half a minute.
 */
export const IMPORT_ROW_LIMIT: Limit = { name: 'http.import.row-characters', max: 1024 * 1024 };

export async function readImportFile(
  bytes: Uint8Array,
  yieldIfDue: YieldIfDue,
  requested?: ImportEncoding,
): Promise<FileAnswer> {
  const decoded = decodeText(bytes, requested);
  if (decoded === undefined) return { ok: false, code: 'file-encoding', what: requested ?? '' };
  const delimiter = delimiterOf(decoded.text);
  const { rows, unclosed, endless } = await parseRows(decoded.text, delimiter, yieldIfDue);
  const broken = endless ?? unclosed;
  if (broken !== undefined) {
    const limit = endless === undefined ? {} : { limit: IMPORT_ROW_LIMIT };
    return { ok: false, code: 'file-quotes', what: String(broken + 1), ...limit };
  }
  const lines = (await withLineNumbers(rows, yieldIfDue)).filter(({ cells }) =>
    cells.some((cell) => cell.trim() !== ''),
  );
  const [header, ...body] = lines;
  if (header === undefined || body.length === 0) return { ok: false, code: 'file-empty', what: '' };
  const { max } = IMPORT_ROWS_LIMIT;
  if (body.length > max) return { ok: false, code: 'file-too-long', what: String(max), limit: IMPORT_ROWS_LIMIT };
  const columns = columnsOf(header.cells);
  if (!Array.isArray(columns)) return columns;
  const read = await mapYielding(body, yieldIfDue, (row) => toRow(row, columns));
  return { ok: true, encoding: decoded.encoding, rows: read };
}

interface ParsedRows {
  readonly rows: readonly (readonly string[])[];
  /** The first row, from 0, with a quotation mark that has no other; undefined for none. */
  readonly unclosed: number | undefined;
  /** The row, from 0, whose end did not come within the limit; what follows was not read. */
  readonly endless: number | undefined;
}

/** In characters: a few milliseconds' work. */
const PIECE_LENGTH = 65_536;

function parseRows(text: string, delimiter: string, yieldIfDue: YieldIfDue): Promise<ParsedRows> {
  const rows: (readonly string[])[] = [];
  let unclosed: number | undefined;
  let endless: number | undefined;
  /** Pieces without the end of a row. */
  let quietPieces = 0;
  return new Promise((resolve, reject) => {
    Papa.parse<string[]>(text, {
      ...({ worker: false, download: false } as const),
      delimiter,
      skipEmptyLines: false,
      chunkSize: PIECE_LENGTH,
      chunk: ({ data, errors }: Papa.ParseResult<string[]>, parser: Papa.Parser) => {
        const fault = errors.find(({ type }) => type === 'Quotes');
        if (fault !== undefined) unclosed ??= rows.length + (fault.row ?? 0);
        for (const row of data) rows.push(row);
        quietPieces = data.length === 0 ? quietPieces + 1 : 0;
        if (quietPieces * PIECE_LENGTH > IMPORT_ROW_LIMIT.max) {
          endless = rows.length;
          parser.abort();
          return;
        }
        const pause = yieldIfDue();
        if (pause === undefined) return;
        parser.pause();
        pause.then(() => parser.resume()).catch(reject);
      },
      complete: () => resolve({ rows, unclosed, endless }),
    });
  });
}

/** Spreadsheets of some countries put a semicolon between cells. No column's name has one of these in it. */
function delimiterOf(text: string): string {
  const header = text.trimStart().split(/[\r\n]/, 1)[0] ?? '';
  return [';', '\t'].find((each) => header.includes(each)) ?? ',';
}

interface Line {
  readonly line: number;
  readonly cells: readonly string[];
}

function withLineNumbers(rows: ParsedRows['rows'], yieldIfDue: YieldIfDue): Promise<Line[]> {
  let line = 1;
  return mapYielding(rows, yieldIfDue, (cells) => {
    const at = line;
    line += 1 + cells.reduce((sum, cell) => sum + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 0);
    return { line: at, cells };
  });
}

function columnsOf(header: readonly string[]): ImportColumn[] | Extract<FileAnswer, { ok: false }> {
  const columns: ImportColumn[] = [];
  for (const cell of header) {
    const name = cell.trim().toLowerCase();
    const column = IMPORT_COLUMNS.find((each) => each === name);
    if (column === undefined) return { ok: false, code: 'file-column-unknown', what: cell.slice(0, 64) };
    if (columns.includes(column)) return { ok: false, code: 'file-column-twice', what: column };
    columns.push(column);
  }
  return columns.includes('deviceid') ? columns : { ok: false, code: 'file-column-missing', what: 'deviceid' };
}

function toRow({ line, cells }: Line, columns: readonly ImportColumn[]): FileRow {
  const pairs = columns.map((column, at) => [column, unguardedCell(cells[at] ?? '')]);
  return { line, isRagged: cells.length !== columns.length, cells: Object.fromEntries(pairs) };
}
