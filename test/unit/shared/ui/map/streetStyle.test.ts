import { validateStyleMin } from '@maplibre/maplibre-gl-style-spec';
import type { FeatureCollection } from 'geojson';
import type { LayerSpecification } from 'maplibre-gl';
import { describe, expect, it } from 'vitest';
import { DARK_MAP, LIGHT_MAP } from '../../../../../shared/ui/map/mapScheme.ts';
import { nameOf } from '../../../../../shared/ui/map/streets/streetNames.ts';
import { STREET_SOURCE } from '../../../../../shared/ui/map/streets/streetParts.ts';
import {
  OPEN_MAP_TILES,
  PROTOMAPS,
  type StreetSchema,
  schemaOf,
} from '../../../../../shared/ui/map/streets/streetSchemas.ts';
import { streetStyle } from '../../../../../shared/ui/map/streets/streetStyle.ts';

const world: FeatureCollection = { type: 'FeatureCollection', features: [] };
const styleOf = (schema: StreetSchema, { scheme = LIGHT_MAP, language = 'en' } = {}) =>
  streetStyle(
    {
      tiles: 'fleet-streets://{z}/{x}/{y}',
      minZoom: 0,
      maxZoom: 14,
      bounds: [120, 23, 121, 24] as const,
      attribution: '© somebody',
      schema,
    },
    { scheme, language, font: '"Segoe UI", sans-serif', world },
  );
const streetLayers = (schema: StreetSchema): LayerSpecification[] =>
  styleOf(schema).layers.filter((layer) => 'source' in layer && layer.source === STREET_SOURCE);

// https://docs.protomaps.com/basemaps/layers and https://openmaptiles.org/schema/
const LAYERS_OF = {
  protomaps: ['boundaries', 'buildings', 'earth', 'landcover', 'landuse', 'places', 'pois', 'roads', 'water'],
  openmaptiles: [
    'aerodrome_label',
    'aeroway',
    'boundary',
    'building',
    'housenumber',
    'landcover',
    'landuse',
    'mountain_peak',
    'park',
    'place',
    'poi',
    'transportation',
    'transportation_name',
    'water',
    'water_name',
    'waterway',
  ],
} as const;

describe.each([
  ['Protomaps', PROTOMAPS],
  ['OpenMapTiles', OPEN_MAP_TILES],
])('the style of a street map by %s', (_name, schema) => {
  it('is valid, in both colour schemes', () => {
    for (const scheme of [LIGHT_MAP, DARK_MAP]) {
      expect(validateStyleMin(styleOf(schema, { scheme }) as Parameters<typeof validateStyleMin>[0])).toEqual([]);
    }
  });

  it('draws layers that the schema has, and roads, water and names among them', () => {
    const drawn = streetLayers(schema).map((layer) => ('source-layer' in layer ? layer['source-layer'] : undefined));
    expect(drawn.filter((layer) => !(LAYERS_OF[schema.name] as readonly unknown[]).includes(layer))).toEqual([]);
    const ids = streetLayers(schema).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(
      expect.arrayContaining(['water', 'motorway', 'major', 'medium', 'minor', 'roadName', 'townName']),
    );
  });

  it('needs letters from nowhere, and names each font family by itself', () => {
    expect(styleOf(schema).glyphs).toBeUndefined();
    const fonts = streetLayers(schema).flatMap(
      ({ layout }) => (layout as { 'text-font'?: string[] })?.['text-font'] ?? [],
    );
    expect(new Set(fonts)).toEqual(new Set(['"Segoe UI"', 'sans-serif']));
  });

  it('has other colours in the dark', () => {
    const paints = (scheme: typeof LIGHT_MAP) =>
      styleOf(schema, { scheme }).layers.map(({ paint }) => JSON.stringify(paint));
    const dark = paints(DARK_MAP);
    const same = paints(LIGHT_MAP).filter((paint, at) => paint === dark[at]);
    expect(same).toEqual([]);
  });
});

describe('names on the street map', () => {
  it.each([
    ['en', ['name:en', 'name']],
    ['zh-TW', ['name:zh-Hant', 'name:zh', 'name']],
    ['jp', ['name:ja', 'name']],
    ['other', ['name']],
  ])('are in %s those of the language, else what stands on the signs', (language, fields) => {
    expect(nameOf(language)).toEqual(['coalesce', ...fields.map((field) => ['get', field])]);
  });
});

describe('the schema of a street map', () => {
  it('is told by the layers', () => {
    expect(schemaOf(LAYERS_OF.protomaps)?.name).toBe('protomaps');
    expect(schemaOf(LAYERS_OF.openmaptiles)?.name).toBe('openmaptiles');
    expect(schemaOf(['contours'])).toBeUndefined();
    expect(schemaOf([])).toBeUndefined();
  });
});
