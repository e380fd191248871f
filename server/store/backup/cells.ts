// Rows as both engines write them alike: a line of JSON with one entry for each column. docs/backup.md describes them.

export const CELL_TYPES = ['integer', 'real', 'text', 'blob'] as const;
export type CellType = (typeof CELL_TYPES)[number];

/** A cell in JSON. Integers beyond 2^53, numbers that JSON can't represent, and bytes (in base64) are text. */
export type JsonCell = number | string | null;
/** A cell as a database takes it. */
export type Cell = number | bigint | string | Uint8Array | null;

const MAX_INT64 = 2n ** 63n - 1n;
const MIN_INT64 = -(2n ** 63n);
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The JSON of a value from SQLite, whose columns take any type: a fraction in an integer column stays a fraction. */
export function jsonOf(value: Cell): JsonCell {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : String(value);
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
}

/** The JSON of a value in PostgreSQL's text form. */
export function jsonOfText(text: string | null, type: CellType): JsonCell {
  if (text === null) return null;
  switch (type) {
    case 'integer': {
      const number = Number(text);
      return Number.isSafeInteger(number) ? number : text;
    }
    case 'real': {
      const number = Number(text);
      return Number.isFinite(number) ? number : text;
    }
    case 'text':
      return text;
    case 'blob':
      return Buffer.from(text.slice(HEX_MARK.length), 'hex').toString('base64');
  }
}

const HEX_MARK = '\\x';

/** Undefined for a line that no writer makes for such columns. */
export function readRow(line: string, types: readonly CellType[]): Cell[] | undefined {
  const row = parsed(line);
  return Array.isArray(row) ? readCells(row, types) : undefined;
}

/** The same for a line that has been parsed. */
export function readCells(row: readonly unknown[], types: readonly CellType[]): Cell[] | undefined {
  if (row.length !== types.length) return undefined;
  const cells: Cell[] = [];
  for (const [at, type] of types.entries()) {
    const cell = readCell(row[at], type);
    if (cell === undefined) return undefined;
    cells.push(cell);
  }
  return cells;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function readCell(value: unknown, type: CellType): Cell | undefined {
  if (value === null) return null;
  switch (type) {
    case 'integer':
      return typeof value === 'number' ? value : largeInteger(value);
    case 'real':
      return typeof value === 'number' ? value : unwrittenNumber(value);
    case 'text':
      return typeof value === 'string' ? value : undefined;
    case 'blob':
      return typeof value === 'string' && BASE64.test(value) ? Buffer.from(value, 'base64') : undefined;
  }
}

function largeInteger(value: unknown): bigint | undefined {
  if (typeof value !== 'string' || !/^-?[1-9]\d{15,18}$/.test(value)) return undefined;
  const integer = BigInt(value);
  return integer <= MAX_INT64 && integer >= MIN_INT64 ? integer : undefined;
}

function unwrittenNumber(value: unknown): number | undefined {
  return value === 'NaN' || value === 'Infinity' || value === '-Infinity' ? Number(value) : undefined;
}
