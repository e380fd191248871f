// Where the cells of a delimited text end: by its first line, or by its header. Pure.

export interface DelimitedText {
  /** Without a line that only names the delimiter. */
  readonly text: string;
  readonly delimiter: string;
  /** Lines of the file that were taken off. */
  readonly linesBefore: number;
}

const DELIMITERS = [',', ';', '\t'] as const;
/** `sep=;`, which spreadsheets write before the header, and read there. */
const SEPARATOR = /^"?sep=(.)"?/i;
/** Characters; a header is shorter. */
const MAX_HEADER_LENGTH = 65_536;

export function delimitedText(text: string): DelimitedText {
  const begun = text.trimStart();
  const end = begun.slice(0, MAX_HEADER_LENGTH).search(/[\r\n]/);
  const first = begun.slice(0, end < 0 ? MAX_HEADER_LENGTH : end);
  const delimiter = delimiterNamedBy(first);
  if (delimiter === undefined) return { text, delimiter: delimiterOf(text), linesBefore: 0 };
  const behind = end < 0 ? first.length : end + (begun.startsWith('\r\n', end) ? 2 : 1);
  const blank = text.slice(0, text.length - begun.length);
  return { text: begun.slice(behind), delimiter, linesBefore: breaksIn([blank]) + 1 };
}

/** Spreadsheets that save such a line fill it up with delimiters to the number of columns. */
function delimiterNamedBy(line: string): string | undefined {
  const [named = '', delimiter] = SEPARATOR.exec(line) ?? [];
  if (delimiter === undefined) return undefined;
  const isPadding = [...line.slice(named.length)].every((sign) => sign === delimiter);
  return isPadding ? delimiter : undefined;
}

/** The delimiter that stands most often in the header, outside quotation marks. */
function delimiterOf(text: string): string {
  const head = text.slice(0, MAX_HEADER_LENGTH).trimStart();
  const counts = new Map<string, number>(DELIMITERS.map((each) => [each, 0]));
  let isAtStart = true;
  for (let at = 0; at < head.length; at++) {
    const sign = head.charAt(at);
    if (sign === '\n' || sign === '\r') break;
    if (sign === '"' && isAtStart) at = endOfQuoted(head, at + 1);
    const count = counts.get(sign);
    if (count !== undefined) counts.set(sign, count + 1);
    isAtStart = count !== undefined;
  }
  const [[best] = [',']] = [...counts].toSorted(([, one], [, other]) => other - one);
  return best;
}

/** The place of the mark that ends the cell. Two marks stand for one of the cell's own. */
function endOfQuoted(text: string, from: number): number {
  let end = text.indexOf('"', from);
  while (end >= 0 && text.charAt(end + 1) === '"') end = text.indexOf('"', end + 2);
  return end < 0 ? text.length : end;
}

const LINE_BREAK = /\r\n|\r|\n/g;

/** Cells with line breaks make a row longer than a line. */
export function breaksIn(row: readonly string[]): number {
  return row.reduce((sum, cell) => sum + (cell.match(LINE_BREAK)?.length ?? 0), 0);
}
