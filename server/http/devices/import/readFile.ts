// Reads a file of devices as rows of cells under known columns, or says why it can't be read.
import Papa from 'papaparse';
import { IMPORT_COLUMNS, type ImportColumn } from '../../../../shared/protocol/api/imports/deviceColumns.ts';
import type { ImportEncoding } from '../../../../shared/protocol/api/imports/importEncodings.ts';
import type { Limit } from '../../../limits/limit.ts';
import { decodeText } from '../../imports/decodeText.ts';
import { breaksIn, delimitedText } from '../../imports/delimitedText.ts';
import { unguardedCell } from '../../kernel/lists/csv.ts';
import { mapYielding, type YieldIfDue } from './yielder.ts';

export interface FileRow {
  /** Line in the file, from 1. A cell with line breaks makes a row longer than a line. */
  readonly line: number;
  readonly cells: Partial<Readonly<Record<ImportColumn, string>>>;
  /** Whether the row has more or fewer cells than the header. */
  readonly isRagged: boolean;
}

export type FileAnswer =
  | {
      readonly ok: true;
      readonly encoding: ImportEncoding;
      /** The file doesn't say its encoding, and others fit as well. */
      readonly isGuess: boolean;
      readonly rows: readonly FileRow[];
    }
  | {
      readonly ok: false;
      readonly code: FileFault;
      readonly what: string;
      /** The limit that the file exceeded. */
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

/** Rows of a device file. The answer is 422 `file-too-long`. */
export const IMPORT_ROWS_LIMIT: Limit = { name: 'http.import.rows', max: 50_000 };
/**
 * Characters of one row of a device file, checked every 65,536. A row without an end is read from its beginning again with each piece of
 * the file, which costs the square of its length. A whole file in one row, as one quotation mark makes it, would occupy a core for half a
 * minute. The answer is 422 `file-quotes`.
 */
export const IMPORT_ROW_LIMIT: Limit = { name: 'http.import.row-characters', max: 1024 * 1024 };

export async function readImportFile(
  bytes: Uint8Array,
  yieldIfDue: YieldIfDue,
  requested?: ImportEncoding,
): Promise<FileAnswer> {
  const decoded = decodeText(bytes, requested);
  if (decoded === undefined) return { ok: false, code: 'file-encoding', what: requested ?? '' };
  const { text, delimiter, linesBefore } = delimitedText(decoded.text);
  const { lines, unclosed, endless } = await parseLines({ text, delimiter, firstLine: 1 + linesBefore }, yieldIfDue);
  const broken = endless ?? unclosed;
  if (broken !== undefined) {
    const limit = endless === undefined ? {} : { limit: IMPORT_ROW_LIMIT };
    return { ok: false, code: 'file-quotes', what: String(broken), ...limit };
  }
  const [header, ...body] = lines;
  if (header === undefined || body.length === 0) return { ok: false, code: 'file-empty', what: '' };
  const { max } = IMPORT_ROWS_LIMIT;
  if (body.length > max) return { ok: false, code: 'file-too-long', what: String(max), limit: IMPORT_ROWS_LIMIT };
  const columns = columnsOf(header.cells);
  if (!Array.isArray(columns)) return columns;
  const read = await mapYielding(body, yieldIfDue, (row) => toRow(row, columns));
  return { ok: true, encoding: decoded.encoding, isGuess: decoded.isGuess, rows: read };
}

interface Line {
  /** Line in the file, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

interface ParsedLines {
  /** Lines that aren't blank, and only as many as are needed to see that there are too many. */
  readonly lines: readonly Line[];
  /** The first row, from 1, with an unclosed quotation mark; undefined for none. */
  readonly unclosed: number | undefined;
  /** The row, from 1, whose end did not come within the limit; the rest was not read. Undefined for none. */
  readonly endless: number | undefined;
}

interface Delimited {
  readonly text: string;
  readonly delimiter: string;
  /** Number of the text's first line in the file. */
  readonly firstLine: number;
}

/** Length of a piece in characters: a few milliseconds' work. */
const PIECE_LENGTH = 65_536;

function parseLines({ text, delimiter, firstLine }: Delimited, yieldIfDue: YieldIfDue): Promise<ParsedLines> {
  const reader = new LineReader(firstLine);
  return new Promise((resolve, reject) => {
    Papa.parse<string[]>(text, {
      ...({ worker: false, download: false } as const),
      delimiter,
      skipEmptyLines: false,
      chunkSize: PIECE_LENGTH,
      chunk: (piece: Papa.ParseResult<string[]>, parser: Papa.Parser) => {
        if (!reader.take(piece)) {
          parser.abort();
          return;
        }
        const pause = yieldIfDue();
        if (pause === undefined) return;
        parser.pause();
        pause.then(() => parser.resume()).catch(reject);
      },
      complete: () => resolve(reader.read),
    });
  });
}

class LineReader {
  readonly #lines: Line[] = [];
  #line: number;
  #row: number;
  #unclosed: number | undefined;
  #endless: number | undefined;
  /** Number of pieces without the end of a row. */
  #quietPieces = 0;

  constructor(firstLine: number) {
    this.#line = firstLine;
    this.#row = firstLine;
  }

  get read(): ParsedLines {
    return { lines: this.#lines, unclosed: this.#unclosed, endless: this.#endless };
  }

  /** Returns false when nothing more needs to be read. */
  take({ data, errors }: Papa.ParseResult<string[]>): boolean {
    const fault = errors.find(({ type }) => type === 'Quotes');
    if (fault !== undefined) this.#unclosed ??= this.#row + (fault.row ?? 0);
    for (const cells of data) {
      if (cells.some((cell) => cell.trim() !== '')) this.#lines.push({ line: this.#line, cells });
      this.#line += 1 + breaksIn(cells);
      this.#row++;
      // The header is a line, too.
      if (this.#lines.length > IMPORT_ROWS_LIMIT.max + 1) return false;
    }
    this.#quietPieces = data.length === 0 ? this.#quietPieces + 1 : 0;
    if (this.#quietPieces * PIECE_LENGTH > IMPORT_ROW_LIMIT.max) this.#endless = this.#row;
    return this.#endless === undefined;
  }
}

function columnsOf(header: readonly string[]): ImportColumn[] | Extract<FileAnswer, { ok: false }> {
  const columns: ImportColumn[] = [];
  for (const cell of withoutEmptyEnd(header)) {
    const name = cell.trim().toLowerCase();
    const column = IMPORT_COLUMNS.find((each) => each === name);
    if (column === undefined) return { ok: false, code: 'file-column-unknown', what: cell.slice(0, 64) };
    if (columns.includes(column)) return { ok: false, code: 'file-column-twice', what: column };
    columns.push(column);
  }
  return columns.includes('deviceid') ? columns : { ok: false, code: 'file-column-missing', what: 'deviceid' };
}

/** Spreadsheets write a delimiter for each column that ever had content. */
function withoutEmptyEnd(cells: readonly string[]): readonly string[] {
  const last = cells.findLastIndex((cell) => cell.trim() !== '');
  return cells.slice(0, last + 1);
}

function toRow({ line, cells }: Line, columns: readonly ImportColumn[]): FileRow {
  const pairs = columns.map((column, at) => [column, unguardedCell(cells[at] ?? '')]);
  const isRagged = cells.length < columns.length || withoutEmptyEnd(cells).length > columns.length;
  return { line, isRagged, cells: Object.fromEntries(pairs) };
}
