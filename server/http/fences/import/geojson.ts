// GeoJSON as Google Earth, geojson.io and this gateway write it. Pure; whatever the file holds, it is read or left out.
import type { LngLat } from '../../../../shared/protocol/api/fences/fences.ts';
import {
  closedRing,
  type FeatureFacts,
  type FeatureReader,
  type FenceDefaults,
  fencesOf,
  lineOfText,
  type ReadFence,
  type ReadGeometry,
} from './readFence.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Maximum nesting of collections. */
const MAX_DEPTH = 4;

/** Readers of the file's features. Undefined for JSON that isn't GeoJSON. */
export function readGeojson(value: unknown, defaults: FenceDefaults): FeatureReader[] | undefined {
  if (!isFields(value)) return undefined;
  if (value.type === 'FeatureCollection') {
    if (!Array.isArray(value.features)) return undefined;
    // Programs of geodata name the collection after its layer.
    const collected = { ...defaults, name: lineOfText(textOf(value.name)) || defaults.name };
    return value.features.map((feature: unknown, at) => () => readFeature(feature, at + 1, collected));
  }
  if (value.type === 'Feature') return [() => readFeature(value, 1, defaults)];
  return typeof value.type === 'string' && ('coordinates' in value || 'geometries' in value)
    ? [() => readFeature({ geometry: value }, 1, defaults)]
    : undefined;
}

function readFeature(feature: unknown, line: number, defaults: FenceDefaults): ReadFence[] {
  const fields = isFields(feature) ? feature : {};
  const { properties, geometry } = fields;
  const facts = factsOf(isFields(properties) ? properties : {}, line);
  return fencesOf({ ...facts, name: facts.name || nameBeside(fields) }, partsOf(geometry, 0), defaults);
}

/** The fields where programs put names, the likeliest first. */
const NAMES = ['name', 'title', 'label', 'display_name', 'description', 'desc', 'comment', 'cmt'] as const;

/** Some programs name the feature itself. Its id is a name if it is a text: numbers there are counters. */
function nameBeside(fields: Fields): string {
  const known = textsOf(fields);
  const id = typeof fields.id === 'string' ? fields.id : '';
  return known.get('name') || known.get('title') || id;
}

/** The fields' texts, by their names in lower case. */
function textsOf(fields: Fields): ReadonlyMap<string, string> {
  return new Map(Object.entries(fields).map(([key, value]) => [key.toLowerCase(), textOf(value)]));
}

function factsOf(properties: Fields, line: number): FeatureFacts {
  const known = textsOf(properties);
  const text = (...names: readonly string[]) => names.map((name) => known.get(name)).find((each) => each);
  return {
    line,
    name: text(...NAMES) ?? '',
    kind: text('kind'),
    radius: text('radiusmeters', 'radius'),
    width: text('widthmeters', 'width'),
    color: text('color', 'stroke', 'fill'),
  };
}

/** A text or a number; '' for anything else, such as a list. */
function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

function partsOf(geometry: unknown, depth: number): ReadGeometry[] {
  if (!isFields(geometry)) return [undefined];
  const { type, coordinates, geometries } = geometry;
  if (type === 'GeometryCollection') {
    if (!Array.isArray(geometries) || depth >= MAX_DEPTH) return [undefined];
    return geometries.flatMap((each) => partsOf(each, depth + 1));
  }
  if (type === 'Point') return [pointOf(coordinates)];
  if (type === 'LineString') return [lineOf(coordinates)];
  if (type === 'Polygon') return [polygonOf(coordinates)];
  if (!Array.isArray(coordinates)) return [undefined];
  if (type === 'MultiPoint') return coordinates.map(pointOf);
  if (type === 'MultiLineString') return coordinates.map(lineOf);
  return type === 'MultiPolygon' ? coordinates.map(polygonOf) : [undefined];
}

function pointOf(coordinates: unknown): ReadGeometry {
  const position = positionOf(coordinates);
  return position && { type: 'Point', coordinates: position };
}

function lineOf(coordinates: unknown): ReadGeometry {
  const positions = positionsOf(coordinates);
  return positions && { type: 'LineString', coordinates: positions };
}

function polygonOf(coordinates: unknown): ReadGeometry {
  if (!Array.isArray(coordinates)) return undefined;
  const rings = coordinates.map(positionsOf);
  const known = rings.filter((ring) => ring !== undefined);
  return known.length < rings.length ? undefined : { type: 'Polygon', coordinates: known.map(closedRing) };
}

function positionsOf(coordinates: unknown): LngLat[] | undefined {
  if (!Array.isArray(coordinates)) return undefined;
  const positions = coordinates.map(positionOf).filter((position) => position !== undefined);
  return positions.length < coordinates.length ? undefined : positions;
}

/** The position without its altitude. */
function positionOf(position: unknown): LngLat | undefined {
  if (!Array.isArray(position)) return undefined;
  const [lng, lat]: unknown[] = position;
  return Number.isFinite(lng) && Number.isFinite(lat) ? [Number(lng), Number(lat)] : undefined;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
