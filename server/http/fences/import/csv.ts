// Fences as rows: a name and well-known text, or a name, a place and a radius. Pure.
import Papa from 'papaparse';
import type { FenceImportFault } from '../../../../shared/protocol/api/fences/fences.ts';
import { decimalOf } from '../../imports/decimal.ts';
import { breaksIn, delimitedText } from '../../imports/delimitedText.ts';
import { unguardedCell } from '../../kernel/lists/csv.ts';
import { type FeatureReader, type FenceDefaults, fencesOf, type ReadFence, type ReadGeometry } from './readFence.ts';
import { readWkt } from './wkt.ts';

export type CsvAnswer =
  | { readonly ok: true; readonly features: readonly FeatureReader[] }
  | { readonly ok: false; readonly code: 'file-quotes' | 'fence-file-column-missing' };

/** Each column by whatever name; others are left out. */
const COLUMNS = {
  name: ['name', 'title', 'label'],
  kind: ['kind'],
  wkt: ['wkt', 'geometry'],
  lat: ['lat', 'latitude'],
  lng: ['lng', 'lon', 'longitude'],
  radius: ['radius', 'radiusmeters', 'radius_m'],
  width: ['width', 'widthmeters', 'width_m'],
  color: ['color'],
} as const;
type Column = keyof typeof COLUMNS;

/** `maxRows`: of those behind them nothing is read. */
export function readFenceCsv(given: string, defaults: FenceDefaults, maxRows: number): CsvAnswer {
  const { text, delimiter, linesBefore } = delimitedText(given);
  const { data, errors } = Papa.parse<string[]>(text, { delimiter, preview: maxRows + 2 });
  if (errors.some(({ type }) => type === 'Quotes')) return { ok: false, code: 'file-quotes' };
  const [header = [], ...rows] = data;
  const places = placesOf(header);
  const hasPlace = places.has('wkt') || (places.has('lat') && places.has('lng'));
  if (!places.has('name') || !hasPlace) return { ok: false, code: 'fence-file-column-missing' };
  const takesComma = delimiter !== ',';
  let line = linesBefore + 1 + breaksIn(header);
  const features = rows.flatMap((row) => {
    line++;
    const at = line;
    line += breaksIn(row);
    if (row.every((cell) => cell.trim() === '')) return [];
    const cell = (column: Column) => unguardedCell(row[places.get(column) ?? -1] ?? '').trim();
    return [() => readRow({ cell, number: (column) => numberIn(cell(column), takesComma) }, at, defaults)];
  });
  return { ok: true, features };
}

/** Where cells aren't separated by commas, spreadsheets of many countries write a comma before decimals. */
function numberIn(cell: string, takesComma: boolean): string {
  return takesComma && /^[^,]{0,40},\d{1,40}$/.test(cell) ? cell.replace(',', '.') : cell;
}

function placesOf(header: readonly string[]): ReadonlyMap<Column, number> {
  const names = header.map((cell) => cell.trim().toLowerCase());
  const places = new Map<Column, number>();
  for (const [column, known] of Object.entries(COLUMNS)) {
    const at = names.findIndex((name) => (known as readonly string[]).includes(name));
    if (at >= 0) places.set(column as Column, at);
  }
  return places;
}

interface Cells {
  cell(column: Column): string;
  /** The number with a point before its decimals. */
  number(column: Column): string;
}

function readRow({ cell, number }: Cells, line: number, defaults: FenceDefaults): ReadFence[] {
  const geometry = readGeometry({ cell, number });
  const [parts, faults]: [readonly ReadGeometry[], FenceImportFault[]] =
    typeof geometry === 'string' ? [[undefined], [geometry]] : [geometry, []];
  const facts = {
    line,
    name: cell('name'),
    kind: cell('kind'),
    radius: sizeOf(number('radius')),
    width: sizeOf(number('width')),
  };
  return fencesOf({ ...facts, color: cell('color'), faults }, parts, defaults);
}

/** A list of fences has 0 where a kind has no such size. */
function sizeOf(cell: string): string | undefined {
  return cell === '' || cell === '0' ? undefined : cell;
}

function readGeometry({ cell, number }: Cells): readonly ReadGeometry[] | FenceImportFault {
  const wkt = cell('wkt');
  if (wkt !== '') return readWkt(wkt) ?? 'bad-wkt';
  const [lng, lat] = [decimalOf(number('lng')), decimalOf(number('lat'))];
  return lng === undefined || lat === undefined ? 'bad-number' : [{ type: 'Point', coordinates: [lng, lat] }];
}
