// The style of the street map: surfaces, roads, borders, names. The names are drawn from the reader's own fonts, so no letters
// are loaded from anywhere. It is made in TypeScript: two schemas, two colour schemes and three languages would be twelve files of JSON.
import type { FeatureCollection } from 'geojson';
import type { LayerSpecification, StyleSpecification } from 'maplibre-gl';
import type { MapScheme } from '../mapScheme.ts';
import { worldStyle } from '../worldStyle.ts';
import type { StreetMap } from './streetMap.ts';
import { nameLayers } from './streetNames.ts';
import { partsOf, STREET_SOURCE } from './streetParts.ts';
import { roadLayers } from './streetRoads.ts';
import type { StreetSchema, StreetSubject } from './streetSchemas.ts';

export interface StreetStyleOptions {
  readonly scheme: MapScheme;
  readonly language: string;
  readonly font: string;
  /** The outlines of the world, where the street map has nothing. */
  readonly world: FeatureCollection;
}

const EXTENT_SOURCE = 'extent';
const BUILDINGS_FROM_ZOOM = 14;

export function streetStyle(map: StreetMap, { scheme, language, font, world }: StreetStyleOptions): StyleSpecification {
  const outlines = worldStyle(world, scheme);
  const { schema } = map;
  return {
    ...outlines,
    sources: {
      ...outlines.sources,
      [EXTENT_SOURCE]: { type: 'geojson', data: extentOf(map.bounds) },
      [STREET_SOURCE]: {
        type: 'vector',
        tiles: [map.tiles],
        minzoom: map.minZoom,
        maxzoom: map.maxZoom,
        bounds: [...map.bounds],
        attribution: map.attribution,
      },
    },
    layers: [
      ...outlines.layers,
      ...surfaceLayers(schema, scheme),
      ...roadLayers(schema, scheme),
      ...borderLayers(schema, scheme),
      ...nameLayers(schema, { scheme, language, font }),
    ],
  };
}

function surfaceLayers(schema: StreetSchema, { land, sea, streets }: MapScheme): readonly LayerSpecification[] {
  const fill = (subject: StreetSubject, colour: string): readonly LayerSpecification[] =>
    partsOf(schema, subject).map((part) => ({ ...part, type: 'fill', paint: { 'fill-color': colour } }));
  return [
    // A schema without land has water alone: what the coarse outlines take for sea is land until the tiles say otherwise.
    ...(schema.subjects.earth.length > 0 ? fill('earth', land) : [extentLayer(land)]),
    ...fill('built', streets.built),
    ...fill('industry', streets.industry),
    ...fill('park', streets.park),
    ...fill('wood', streets.wood),
    ...fill('water', sea),
    ...partsOf(schema, 'waterway').map(
      (part): LayerSpecification => ({
        ...part,
        type: 'line',
        paint: { 'line-color': sea, 'line-width': ['interpolate', ['exponential', 1.4], ['zoom'], 9, 1, 18, 10] },
      }),
    ),
    ...partsOf(schema, 'building').map(
      (part): LayerSpecification => ({
        ...part,
        type: 'fill',
        minzoom: BUILDINGS_FROM_ZOOM,
        paint: { 'fill-color': streets.building, 'fill-outline-color': streets.buildingEdge },
      }),
    ),
  ];
}

function extentLayer(land: string): LayerSpecification {
  return { id: 'extent', type: 'fill', source: EXTENT_SOURCE, paint: { 'fill-color': land, 'fill-antialias': false } };
}

function borderLayers(schema: StreetSchema, { border }: MapScheme): readonly LayerSpecification[] {
  const line = (subject: StreetSubject, width: number): readonly LayerSpecification[] =>
    partsOf(schema, subject).map((part) => ({
      ...part,
      type: 'line',
      paint: { 'line-color': border, 'line-width': width, 'line-dasharray': [4, 2] },
    }));
  return [...line('region', 0.8), ...line('country', 1.4)];
}

function extentOf([west, south, east, north]: StreetMap['bounds']): FeatureCollection {
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  const geometry = { type: 'Polygon' as const, coordinates: [ring] };
  return { type: 'FeatureCollection', features: [{ type: 'Feature', properties: {}, geometry }] };
}
