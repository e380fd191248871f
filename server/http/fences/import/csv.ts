// Fences as rows: a name and well-known text, or a name, a place and a radius. Pure.
import Papa from 'papaparse';
import type { FenceImportFault } from '../../../../shared/protocol/api/fences/fences.ts';
import { unguardedCell } from '../../kernel/lists/csv.ts';
import { type DefaultSizes, type FeatureReader, fencesOf, type ReadFence, type ReadGeometry } from './readFence.ts';
import { readWkt } from './wkt.ts';

export type CsvAnswer =
  | { readonly ok: true; readonly features: readonly FeatureReader[] }
  | { readonly ok: false; readonly code: 'file-quotes' | 'fence-file-column-missing' };

/** Each column by whatever name; others are left out. */
const COLUMNS = {
  name: ['name'],
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
export function readFenceCsv(text: string, sizes: DefaultSizes, maxRows: number): CsvAnswer {
  const { data, errors } = Papa.parse<string[]>(text, { delimiter: delimiterOf(text), preview: maxRows + 2 });
  if (errors.some(({ type }) => type === 'Quotes')) return { ok: false, code: 'file-quotes' };
  const [header = [], ...rows] = data;
  const places = placesOf(header);
  const hasPlace = places.has('wkt') || (places.has('lat') && places.has('lng'));
  if (!places.has('name') || !hasPlace) return { ok: false, code: 'fence-file-column-missing' };
  let line = 1 + breaksIn(header);
  const features = rows.flatMap((row) => {
    line++;
    const at = line;
    line += breaksIn(row);
    if (row.every((cell) => cell.trim() === '')) return [];
    return [() => readRow((column) => unguardedCell(row[places.get(column) ?? -1] ?? '').trim(), at, sizes)];
  });
  return { ok: true, features };
}

/** Cells with line breaks make a row longer than a line. */
function breaksIn(row: readonly string[]): number {
  return row.reduce((sum, cell) => sum + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 0);
}

function delimiterOf(text: string): string {
  const header = text.trimStart().split(/[\r\n]/, 1)[0] ?? '';
  return [';', '\t'].find((each) => header.includes(each)) ?? ',';
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

function readRow(cell: (column: Column) => string, line: number, sizes: DefaultSizes): ReadFence[] {
  const geometry = readGeometry(cell);
  const [parts, faults]: [ReadGeometry[], FenceImportFault[]] =
    typeof geometry === 'string' ? [[undefined], [geometry]] : [geometry, []];
  const facts = {
    line,
    name: cell('name'),
    kind: cell('kind'),
    radius: sizeOf(cell('radius')),
    width: sizeOf(cell('width')),
  };
  return fencesOf({ ...facts, color: cell('color'), faults }, parts, sizes);
}

/** A list of fences has 0 where a kind has no such size. */
function sizeOf(cell: string): string | undefined {
  return cell === '' || cell === '0' ? undefined : cell;
}

function readGeometry(cell: (column: Column) => string): ReadGeometry[] | FenceImportFault {
  const wkt = cell('wkt');
  if (wkt !== '') return readWkt(wkt) ?? 'bad-wkt';
  const [lat, lng] = [cell('lat'), cell('lng')];
  const position = [Number(lng), Number(lat)] as const;
  if (lat === '' || lng === '' || !position.every(Number.isFinite)) return 'bad-number';
  return [{ type: 'Point', coordinates: position }];
}
