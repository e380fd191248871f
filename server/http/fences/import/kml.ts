// KML as Google Earth and this gateway write it. Pure.
import { type LngLat, MAX_FENCE_NAME } from '../../../../shared/protocol/api/fences/fences.ts';
import { readCoordinates } from './kmlCoordinates.ts';
import {
  type BadCoordinates,
  badCoordinates,
  closedRing,
  type FeatureReader,
  type FenceDefaults,
  fencesOf,
  lineOfText,
  type ReadGeometry,
} from './readFence.ts';
import { attributeOf, childOf, childrenOf, textBelow, textOf, type XmlNode } from './xmlTree.ts';

/** Readers of the file's features, in parts since a file may have thousands. Undefined for XML that isn't KML. */
export function readKml(tree: XmlNode, given: FenceDefaults): FeatureReader[] | undefined {
  const root = childOf(tree, 'kml');
  if (root === undefined) return undefined;
  const title = lineOfText(textBelow(childOf(root, 'Document') ?? root, 'name'));
  const defaults = { ...given, name: title || given.name };
  return placemarksOf(root).map((placemark, at) => () => {
    const data = dataOf(placemark);
    const facts = {
      line: at + 1,
      name: nameOf(placemark, data),
      kind: data.get('kind'),
      radius: data.get('radiusmeters') ?? data.get('radius'),
      width: data.get('widthmeters') ?? data.get('width'),
      color: data.get('color'),
    };
    return fencesOf(facts, geometriesOf(placemark), defaults);
  });
}

/** The fields where programs put names, the likeliest first. */
const NAMES = ['name', 'title', 'label'] as const;

function nameOf(placemark: XmlNode, data: ReadonlyMap<string, string>): string {
  const texts = [textBelow(placemark, 'name'), ...NAMES.map((name) => data.get(name) ?? '')].map(lineOfText);
  const described = lineOfText(textOf(childOf(placemark, 'description')));
  // A description is often a page of HTML.
  const isName = described.length <= MAX_FENCE_NAME && !described.includes('<');
  return texts.find((text) => text !== '') ?? (isName ? described : '');
}

/** The placemarks of a folder come before those of the folders in it. The parser bounds the depth. */
function placemarksOf(folder: XmlNode): XmlNode[] {
  const inner = ['Document', 'Folder'].flatMap((name) => childrenOf(folder, name));
  return [...childrenOf(folder, 'Placemark'), ...inner.flatMap(placemarksOf)];
}

function dataOf(placemark: XmlNode): ReadonlyMap<string, string> {
  const extended = childOf(placemark, 'ExtendedData');
  if (extended === undefined) return new Map();
  const pairs = childrenOf(extended, 'Data').map(
    (data) => [attributeOf(data, 'name'), textOf(childOf(data, 'value'))] as const,
  );
  const schemas = childrenOf(extended, 'SchemaData').flatMap((schema) => childrenOf(schema, 'SimpleData'));
  const simple = schemas.map((data) => [attributeOf(data, 'name'), textOf(data)] as const);
  return new Map([...simple, ...pairs].map(([name, value]) => [name.toLowerCase(), value]));
}

function geometriesOf(parent: XmlNode): ReadGeometry[] {
  return [
    ...childrenOf(parent, 'Polygon').map(polygonOf),
    ...[...childrenOf(parent, 'LineString'), ...childrenOf(parent, 'LinearRing')].map(lineOf),
    ...childrenOf(parent, 'Point').map(pointOf),
    ...childrenOf(parent, 'MultiGeometry').flatMap(geometriesOf),
  ];
}

function polygonOf(polygon: XmlNode): ReadGeometry {
  const borders = [...childrenOf(polygon, 'outerBoundaryIs'), ...childrenOf(polygon, 'innerBoundaryIs')];
  const rings: LngLat[][] = [];
  for (const ring of borders.flatMap((border) => childrenOf(border, 'LinearRing'))) {
    const positions = positionsOf(ring);
    if (!Array.isArray(positions)) return positions;
    rings.push(closedRing(positions));
  }
  return { type: 'Polygon', coordinates: rings };
}

function lineOf(line: XmlNode): ReadGeometry {
  const coordinates = positionsOf(line);
  return Array.isArray(coordinates) ? { type: 'LineString', coordinates } : coordinates;
}

function pointOf(point: XmlNode): ReadGeometry {
  const positions = positionsOf(point);
  if (!Array.isArray(positions)) return positions;
  const [position, ...others] = positions;
  if (others[0] !== undefined) return badCoordinates(2, others[0].join(','));
  return position && { type: 'Point', coordinates: position };
}

function positionsOf(node: XmlNode): LngLat[] | BadCoordinates {
  const read = readCoordinates(textOf(childOf(node, 'coordinates')));
  return read.ok ? [...read.positions] : badCoordinates(read.number, read.text);
}
