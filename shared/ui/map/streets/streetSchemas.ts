// Where the two usual schemas of street maps keep what is drawn: the layers of the tiles, and which of their features. Pure.
import type { ExpressionSpecification } from 'maplibre-gl';

/** What the style draws. */
export type StreetSubject =
  | ('earth' | 'built' | 'industry' | 'park' | 'wood' | 'water' | 'waterway' | 'building')
  | ('motorway' | 'major' | 'medium' | 'minor' | 'path' | 'rail')
  | ('country' | 'region')
  | ('roadName' | 'waterName' | 'pointOfInterest' | 'countryName' | 'cityName' | 'townName' | 'quarterName');

interface Features {
  /** Layer of the tiles. */
  readonly layer: string;
  /** All of the layer where there is none. */
  readonly filter?: ExpressionSpecification;
}

export interface StreetSchema {
  readonly name: 'protomaps' | 'openmaptiles';
  /** Several layers may hold what is drawn alike; none where the schema does not have it. */
  readonly subjects: Readonly<Record<StreetSubject, readonly Features[]>>;
}

/** By the layers that a file says it has; undefined for a schema that is not known. */
export function schemaOf(layers: readonly unknown[]): StreetSchema | undefined {
  if (layers.includes('transportation')) return OPEN_MAP_TILES;
  return layers.includes('roads') ? PROTOMAPS : undefined;
}

function has(field: string, ...values: readonly string[]): ExpressionSpecification {
  return ['in', ['get', field], ['literal', [...values]]];
}

function shapedAs(shape: 'Point' | 'LineString' | 'Polygon'): ExpressionSpecification {
  return ['in', ['geometry-type'], ['literal', [shape, `Multi${shape}`]]];
}

const BIG_ROADS = ['trunk', 'primary', 'trunk_link', 'primary_link'] as const;
const POINTS = shapedAs('Point');
const LINES = shapedAs('LineString');
const SURFACES = shapedAs('Polygon');
const SMALL_PLACES = ['village', 'hamlet', 'suburb', 'quarter', 'neighbourhood'] as const;
const PUBLIC_PLACES = ['park', 'station', 'bus_station', 'hospital', 'school', 'university', 'aerodrome'] as const;

/** Version 4 of the Protomaps basemap: https://docs.protomaps.com/basemaps/layers */
export const PROTOMAPS: StreetSchema = {
  name: 'protomaps',
  subjects: {
    earth: [{ layer: 'earth', filter: SURFACES }],
    built: [{ layer: 'landuse', filter: has('kind', 'residential', 'commercial', 'school', 'hospital', 'university') }],
    industry: [{ layer: 'landuse', filter: has('kind', 'industrial', 'railway', 'military', 'aerodrome') }],
    park: [
      {
        layer: 'landuse',
        filter: has('kind', 'park', 'garden', 'golf_course', 'recreation_ground', 'pitch', 'grass', 'cemetery'),
      },
    ],
    wood: [{ layer: 'landuse', filter: has('kind', 'wood', 'forest', 'nature_reserve', 'national_park') }],
    water: [{ layer: 'water', filter: SURFACES }],
    waterway: [{ layer: 'water', filter: LINES }],
    building: [{ layer: 'buildings', filter: has('kind', 'building', 'building_part') }],
    motorway: [{ layer: 'roads', filter: has('kind', 'highway') }],
    major: [{ layer: 'roads', filter: ['all', has('kind', 'major_road'), has('kind_detail', ...BIG_ROADS)] }],
    medium: [{ layer: 'roads', filter: ['all', has('kind', 'major_road'), ['!', has('kind_detail', ...BIG_ROADS)]] }],
    minor: [{ layer: 'roads', filter: has('kind', 'minor_road') }],
    path: [{ layer: 'roads', filter: has('kind', 'path') }],
    rail: [{ layer: 'roads', filter: has('kind', 'rail') }],
    country: [{ layer: 'boundaries', filter: has('kind', 'country') }],
    region: [{ layer: 'boundaries', filter: has('kind', 'region') }],
    roadName: [{ layer: 'roads', filter: has('kind', 'highway', 'major_road', 'minor_road') }],
    waterName: [{ layer: 'water', filter: POINTS }],
    pointOfInterest: [{ layer: 'pois', filter: has('kind', ...PUBLIC_PLACES) }],
    countryName: [{ layer: 'places', filter: has('kind', 'country') }],
    cityName: [{ layer: 'places', filter: ['all', has('kind', 'locality'), has('kind_detail', 'city')] }],
    townName: [{ layer: 'places', filter: ['all', has('kind', 'locality'), has('kind_detail', 'town')] }],
    quarterName: [
      { layer: 'places', filter: ['all', has('kind', 'locality'), has('kind_detail', ...SMALL_PLACES)] },
      { layer: 'places', filter: has('kind', 'macrohood', 'neighbourhood') },
    ],
  },
};

/** https://openmaptiles.org/schema/ */
export const OPEN_MAP_TILES: StreetSchema = {
  name: 'openmaptiles',
  subjects: {
    earth: [],
    built: [
      { layer: 'landuse', filter: has('class', 'residential', 'commercial', 'school', 'hospital', 'university') },
    ],
    industry: [{ layer: 'landuse', filter: has('class', 'industrial', 'railway', 'military', 'garages') }],
    park: [
      { layer: 'landcover', filter: has('class', 'grass') },
      { layer: 'landuse', filter: has('class', 'pitch', 'playground', 'cemetery', 'stadium') },
      { layer: 'park' },
    ],
    wood: [{ layer: 'landcover', filter: has('class', 'wood', 'forest') }],
    water: [{ layer: 'water' }],
    waterway: [{ layer: 'waterway' }],
    building: [{ layer: 'building' }],
    motorway: [{ layer: 'transportation', filter: has('class', 'motorway') }],
    major: [{ layer: 'transportation', filter: ['all', LINES, has('class', 'trunk', 'primary')] }],
    medium: [{ layer: 'transportation', filter: ['all', LINES, has('class', 'secondary', 'tertiary')] }],
    minor: [{ layer: 'transportation', filter: ['all', LINES, has('class', 'minor', 'service')] }],
    path: [{ layer: 'transportation', filter: ['all', LINES, has('class', 'path', 'track')] }],
    rail: [{ layer: 'transportation', filter: has('class', 'rail', 'transit') }],
    country: [{ layer: 'boundary', filter: ['==', ['get', 'admin_level'], 2] }],
    region: [{ layer: 'boundary', filter: ['==', ['get', 'admin_level'], 4] }],
    roadName: [
      {
        layer: 'transportation_name',
        filter: has('class', 'motorway', 'trunk', 'primary', 'secondary', 'tertiary', 'minor'),
      },
    ],
    waterName: [{ layer: 'water_name', filter: POINTS }],
    pointOfInterest: [
      { layer: 'poi', filter: has('class', 'park', 'railway', 'bus', 'hospital', 'school', 'college') },
    ],
    countryName: [{ layer: 'place', filter: has('class', 'country') }],
    cityName: [{ layer: 'place', filter: has('class', 'city') }],
    townName: [{ layer: 'place', filter: has('class', 'town') }],
    quarterName: [{ layer: 'place', filter: has('class', ...SMALL_PLACES) }],
  },
};
