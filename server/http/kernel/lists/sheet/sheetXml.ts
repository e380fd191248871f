// The parts of a spreadsheet file (ECMA-376, Office Open XML): as few of them as programs need to open it. Pure.

/** A text, a number, a moment on the wall clock as if it were UTC, or nothing. */
export type SheetCell = string | number | { readonly wallMs: number } | null;

export interface SheetColumn {
  readonly title: string;
  /** Width in characters. */
  readonly width: number;
}

/** Styles by their number in `STYLES`. */
const HEAD_STYLE = 1;
const MOMENT_STYLE = 2;
const MAX_TEXT = 32_767;
const DAY_MS = 86_400_000;
/** Days are counted from the last one of 1899. */
const FIRST_DAY_MS = Date.UTC(1899, 11, 30);

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const SHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The names in the archive. */
const SHEET_PARTS = {
  types: '[Content_Types].xml',
  relations: '_rels/.rels',
  workbook: 'xl/workbook.xml',
  workbookRelations: 'xl/_rels/workbook.xml.rels',
  styles: 'xl/styles.xml',
} as const;

export function sheetPart(number: number): string {
  return `xl/worksheets/sheet${number}.xml`;
}

export function sheetHead(columns: readonly SheetColumn[]): string {
  const widths = columns.map(
    ({ width }, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
  );
  const titles = columns.map(({ title }, at) => textCell(title, address(at, 1), HEAD_STYLE)).join('');
  return (
    `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" ` +
    `activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join('')}</cols>` +
    `<sheetData><row r="1">${titles}</row>`
  );
}

/** Texts are in the cells themselves: a program shows them unchanged, and takes none for a formula. */
export function sheetRow(cells: readonly SheetCell[], rowNumber: number): string {
  const written = cells.map((value, at) => cellOf(value, address(at, rowNumber)));
  return `<row r="${rowNumber}">${written.join('')}</row>`;
}

/** Such as `r="AB12"`. */
function address(column: number, rowNumber: number): string {
  return `r="${columnLetters(column)}${rowNumber}"`;
}

const LETTERS = 26;

function columnLetters(column: number): string {
  const last = String.fromCharCode(65 + (column % LETTERS));
  return column < LETTERS ? last : `${columnLetters(Math.floor(column / LETTERS) - 1)}${last}`;
}

export const SHEET_END = '</sheetData></worksheet>';

/** The parts that name the sheets. `title`: of the first sheet; others have a number behind it. */
export function workbookParts(title: string, sheets: number): Readonly<Record<string, string>> {
  const numbers = Array.from({ length: sheets }, (_, at) => at + 1);
  const named = numbers.map((number) => {
    const name = escaped(sheetName(title, number));
    return `<sheet name="${name}" sheetId="${number}" r:id="rId${number}"/>`;
  });
  const related = numbers.map((number) => relation(number, 'worksheet', `worksheets/sheet${number}.xml`));
  const types = numbers.map((number) => override(sheetPart(number), 'worksheet'));
  return {
    [SHEET_PARTS.workbook]: `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${named.join('')}</sheets></workbook>`,
    [SHEET_PARTS.workbookRelations]: relations([...related, relation(sheets + 1, 'styles', 'styles.xml')]),
    [SHEET_PARTS.relations]: relations([relation(1, 'officeDocument', SHEET_PARTS.workbook)]),
    [SHEET_PARTS.styles]: STYLES,
    [SHEET_PARTS.types]:
      `${XML}<Types xmlns="${PACKAGE}/content-types">` +
      `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
      `${override(SHEET_PARTS.workbook, 'sheet.main')}${override(SHEET_PARTS.styles, 'styles')}${types.join('')}</Types>`,
  };
}

const STYLES =
  `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>` +
  '<fonts count="2"><font/><font><b/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill>' +
  '<fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders>' +
  '<cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf/><xf fontId="1" applyFont="1"/>' +
  '<xf numFmtId="164" applyNumberFormat="1"/></cellXfs></styleSheet>';

function cellOf(value: SheetCell, place: string): string {
  if (value === null || value === '') return '';
  if (typeof value === 'string') return textCell(value, place);
  if (typeof value === 'number') return Number.isFinite(value) ? `<c ${place}><v>${value}</v></c>` : '';
  return `<c ${place} s="${MOMENT_STYLE}"><v>${(value.wallMs - FIRST_DAY_MS) / DAY_MS}</v></c>`;
}

function textCell(text: string, place: string, style = 0): string {
  return `<c ${place} s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped(text.slice(0, MAX_TEXT))}</t></is></c>`;
}

/** Characters that XML 1.0 cannot have, unpaired surrogates among them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is they that are looked for
const NO_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** What programs would read as one character: `_x0041_` is an A (ST_Xstring, ECMA-376 part 1, 22.9.2.19). */
const CODED_CHARACTER = /_(?=x[\da-f]{4}_)/gi;

function escaped(text: string): string {
  return text
    .replace(CODED_CHARACTER, '_x005F_')
    .replace(NO_XML, '\ufffd')
    .replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
}

/** At most 31 characters, without those that have a meaning in a formula. */
function sheetName(title: string, number: number): string {
  const end = number === 1 ? '' : ` ${number}`;
  return `${title.replace(/[[\]:*?/\\']/g, ' ').slice(0, 31 - end.length)}${end}`;
}

function override(part: string, kind: string): string {
  return `<Override PartName="/${part}" ContentType="${SHEET_TYPE}.${kind}+xml"/>`;
}

function relation(number: number, kind: string, target: string): string {
  return `<Relationship Id="rId${number}" Type="${RELATIONS}/${kind}" Target="${target}"/>`;
}

function relations(all: readonly string[]): string {
  return `${XML}<Relationships xmlns="${PACKAGE}/relationships">${all.join('')}</Relationships>`;
}
