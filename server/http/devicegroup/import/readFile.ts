// A file of devices as rows of cells under known columns, or why it is none.
import Papa from 'papaparse';
import type { ImportEncoding } from '../../../../shared/protocol/api/deviceGroup.ts';
import { unguardedCell } from '../../csv.ts';
import { IMPORT_COLUMNS, type ImportColumn } from '../columns.ts';
import { decodeText } from './decode.ts';

export interface FileRow {
  /** In the file, from 1. A cell with line breaks makes rows longer than a line. */
  readonly line: number;
  readonly cells: Partial<Readonly<Record<ImportColumn, string>>>;
  /** It has more or fewer cells than the header. */
  readonly isRagged: boolean;
}

export type FileAnswer =
  | { readonly ok: true; readonly encoding: ImportEncoding; readonly rows: readonly FileRow[] }
  | { readonly ok: false; readonly code: FileFault; readonly what: string };

export type FileFault =
  | 'file-empty'
  | 'file-encoding'
  | 'file-quotes'
  | 'file-column-unknown'
  | 'file-column-twice'
  | 'file-column-missing'
  | 'file-too-long';

export const MAX_IMPORT_ROWS = 50_000;

export function readImportFile(bytes: Uint8Array, asked?: ImportEncoding): FileAnswer {
  const decoded = decodeText(bytes, asked);
  if (decoded === undefined) return { ok: false, code: 'file-encoding', what: asked ?? '' };
  const delimiter = delimiterOf(decoded.text);
  const { data, errors } = Papa.parse<string[]>(decoded.text, { delimiter, skipEmptyLines: false });
  if (errors.some(({ type }) => type === 'Quotes')) {
    const row = errors.find(({ type }) => type === 'Quotes')?.row ?? 0;
    return { ok: false, code: 'file-quotes', what: String(row + 1) };
  }
  const lines = withLineNumbers(data).filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  const [header, ...body] = lines;
  if (header === undefined || body.length === 0) return { ok: false, code: 'file-empty', what: '' };
  if (body.length > MAX_IMPORT_ROWS) return { ok: false, code: 'file-too-long', what: String(MAX_IMPORT_ROWS) };
  const columns = columnsOf(header.cells);
  if (!Array.isArray(columns)) return columns;
  return { ok: true, encoding: decoded.encoding, rows: body.map((row) => toRow(row, columns)) };
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

function withLineNumbers(data: readonly (readonly string[])[]): Line[] {
  let line = 1;
  return data.map((cells) => {
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
