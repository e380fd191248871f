// KML 2.2. A circle is its center and a corridor its line, with radius and width as extended data.
import type { LngLat } from '../../../../shared/protocol/api/fences/fences.ts';
import type { StoredFence } from '../../../store/fences/fences.ts';

type Content = StoredFence['content'];

const HEAD =
  '<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2">\n<Document>\n<name>Geofences</name>\n';

export function* kmlParts(fences: readonly StoredFence[]): Generator<string> {
  yield HEAD;
  for (const { content } of fences) yield placemarkOf(content);
  yield '</Document>\n</kml>\n';
}

function placemarkOf(content: Content): string {
  const { name, kind, radiusMeters, widthMeters, color } = content;
  const size =
    radiusMeters > 0 ? dataOf('radiusMeters', radiusMeters) : widthMeters > 0 ? dataOf('widthMeters', widthMeters) : '';
  return [
    `<Placemark><name>${xmlText(name)}</name>`,
    styleOf(color),
    `<ExtendedData>${dataOf('kind', kind)}${size}${dataOf('color', color)}</ExtendedData>`,
    `${geometryOf(content)}</Placemark>\n`,
  ].join('');
}

function dataOf(name: string, value: string | number): string {
  return `<Data name="${name}"><value>${xmlText(String(value))}</value></Data>`;
}

/** KML has colors as alpha, blue, green and red. */
function styleOf(color: string): string {
  const [red, green, blue] = [color.slice(1, 3), color.slice(3, 5), color.slice(5, 7)];
  const line = `<LineStyle><color>ff${blue}${green}${red}</color><width>2</width></LineStyle>`;
  return `<Style>${line}<PolyStyle><color>40${blue}${green}${red}</color></PolyStyle></Style>`;
}

function geometryOf({ geometry }: Content): string {
  switch (geometry.type) {
    case 'Point':
      return `<Point>${coordinatesOf([geometry.coordinates])}</Point>`;
    case 'LineString':
      return `<LineString><tessellate>1</tessellate>${coordinatesOf(geometry.coordinates)}</LineString>`;
    case 'Polygon': {
      const ring = `<LinearRing>${coordinatesOf(geometry.coordinates[0] ?? [])}</LinearRing>`;
      return `<Polygon><tessellate>1</tessellate><outerBoundaryIs>${ring}</outerBoundaryIs></Polygon>`;
    }
  }
}

function coordinatesOf(positions: readonly LngLat[]): string {
  return `<coordinates>${positions.map(([lng, lat]) => `${lng},${lat}`).join(' ')}</coordinates>`;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML can't hold them, whatever they are written as. */
const NO_XML = /[^\t\n\r\P{Cc}]|[\ufffe\uffff]/gu;

function xmlText(text: string): string {
  return text.replaceAll(NO_XML, '').replaceAll(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign);
}
