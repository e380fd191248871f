// KML as Google Earth and this gateway write it. Pure.
import type { LngLat } from '../../../../shared/protocol/api/fences/fences.ts';
import { closedRing, type DefaultSizes, type FeatureReader, fencesOf, type ReadGeometry } from './readFence.ts';
import { attributeOf, childOf, childrenOf, textOf, type XmlNode } from './xmlTree.ts';

/** What reads each of its features, in parts since a file may have thousands. Undefined for what is no KML. */
export function readKml(tree: XmlNode, sizes: DefaultSizes): FeatureReader[] | undefined {
  const root = childOf(tree, 'kml');
  if (root === undefined) return undefined;
  return placemarksOf(root).map((placemark, at) => () => {
    const data = dataOf(placemark);
    const facts = {
      line: at + 1,
      name: textOf(childOf(placemark, 'name')),
      kind: data.get('kind'),
      radius: data.get('radiusMeters') ?? data.get('radius'),
      width: data.get('widthMeters'),
      color: data.get('color'),
    };
    return fencesOf(facts, geometriesOf(placemark), sizes);
  });
}

/** Those of a folder before those of the folders in it. The parser bounds the depth. */
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
  return new Map([...simple, ...pairs]);
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
  const rings = borders.flatMap((border) => childrenOf(border, 'LinearRing')).map(positionsOf);
  const known = rings.filter((ring) => ring !== undefined);
  return known.length < rings.length ? undefined : { type: 'Polygon', coordinates: known.map(closedRing) };
}

function lineOf(line: XmlNode): ReadGeometry {
  const coordinates = positionsOf(line);
  return coordinates && { type: 'LineString', coordinates };
}

function pointOf(point: XmlNode): ReadGeometry {
  const [position] = positionsOf(point) ?? [];
  return position && { type: 'Point', coordinates: position };
}

/** Positions have blanks between them, and commas between their numbers; an altitude is left out. */
function positionsOf(node: XmlNode): LngLat[] | undefined {
  const words = textOf(childOf(node, 'coordinates'))
    .split(/\s+/)
    .filter((word) => word !== '');
  const positions = words.map((word) => word.split(',').map(Number));
  const read = positions.flatMap(([lng, lat]): LngLat[] => {
    return lng !== undefined && lat !== undefined && Number.isFinite(lng) && Number.isFinite(lat) ? [[lng, lat]] : [];
  });
  return read.length < positions.length ? undefined : read;
}
