// Names on the street map, in the page's language where the file has them.
import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl';
import type { MapScheme } from '../mapScheme.ts';
import { partsOf } from './streetParts.ts';
import type { StreetSchema, StreetSubject } from './streetSchemas.ts';

export interface NameOptions {
  readonly scheme: MapScheme;
  /** Language of the page: en, zh-TW or jp. */
  readonly language: string;
  /** CSS font family. */
  readonly font: string;
}

/** Fields of a name, the best first. Every feature has the name that stands on the signs. */
const NAME_FIELDS: Readonly<Record<string, readonly string[]>> = {
  en: ['name:en'],
  'zh-TW': ['name:zh-Hant', 'name:zh'],
  jp: ['name:ja'],
};

export function nameOf(language: string): ExpressionSpecification {
  const fields = [...(NAME_FIELDS[language] ?? []), 'name'];
  const [first = 'name', ...others] = fields;
  return ['coalesce', ['get', first], ...others.map((field): ExpressionSpecification => ['get', field])];
}

interface Name {
  readonly subject: StreetSubject;
  readonly colour: 'text' | 'road' | 'water' | 'poi';
  readonly fromZoom: number;
  readonly toZoom?: number;
  /** CSS pixels. */
  readonly size: number;
}

/** The most important last: it stays where there is no room for all. */
const NAMES: readonly Name[] = [
  { subject: 'pointOfInterest', colour: 'poi', fromZoom: 14, size: 11 },
  { subject: 'roadName', colour: 'road', fromZoom: 13, size: 11 },
  { subject: 'waterName', colour: 'water', fromZoom: 11, size: 12 },
  { subject: 'quarterName', colour: 'text', fromZoom: 12, toZoom: 17, size: 12 },
  { subject: 'townName', colour: 'text', fromZoom: 8, toZoom: 15, size: 14 },
  { subject: 'cityName', colour: 'text', fromZoom: 5, toZoom: 14, size: 16 },
  { subject: 'countryName', colour: 'text', fromZoom: 2, toZoom: 7, size: 13 },
];

export function nameLayers(schema: StreetSchema, options: NameOptions): readonly LayerSpecification[] {
  return NAMES.flatMap((name) => nameLayer(schema, name, options));
}

function nameLayer(schema: StreetSchema, name: Name, options: NameOptions): readonly LayerSpecification[] {
  const { subject, colour, fromZoom, toZoom, size } = name;
  const { text, halo, streets } = options.scheme;
  const colours = { text, road: streets.roadText, water: streets.waterText, poi: streets.poiText };
  const placement = subject === 'roadName' ? 'line' : 'point';
  return partsOf(schema, subject).map((part) => ({
    ...part,
    type: 'symbol',
    minzoom: fromZoom,
    ...(toZoom === undefined ? {} : { maxzoom: toZoom }),
    layout: {
      'symbol-placement': placement,
      'text-field': nameOf(options.language),
      // The map joins the names of a stack by commas: one family each, as the page's own list has them.
      'text-font': options.font.split(',').map((family) => family.trim()),
      'text-size': size,
      'text-max-width': 8,
      'text-padding': 4,
    },
    paint: { 'text-color': colours[colour], 'text-halo-color': halo, 'text-halo-width': 1.4 },
  }));
}
