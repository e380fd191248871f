// Roads of the street map. Each is drawn twice, a casing below all roads and the road itself above, so that crossings are open.
import type { LayerSpecification } from 'maplibre-gl';
import type { MapScheme } from '../mapScheme.ts';
import { partsOf } from './streetParts.ts';
import type { StreetSchema, StreetSubject } from './streetSchemas.ts';

interface Road {
  readonly subject: StreetSubject;
  readonly colour: 'motorway' | 'major' | 'minor';
  readonly fromZoom: number;
  /** CSS pixels at zoom 10, 14 and 18. */
  readonly widths: readonly [number, number, number];
}

/** The most important last: it is drawn over the others. */
const ROADS: readonly Road[] = [
  { subject: 'minor', colour: 'minor', fromZoom: 12, widths: [0.4, 2, 14] },
  { subject: 'medium', colour: 'minor', fromZoom: 10, widths: [0.8, 4, 18] },
  { subject: 'major', colour: 'major', fromZoom: 8, widths: [1.4, 5.5, 22] },
  { subject: 'motorway', colour: 'motorway', fromZoom: 5, widths: [2, 7, 26] },
];
const CASING_PIXELS = 1.4;
/** Below, a casing would be wider than its road. */
const CASED_FROM_ZOOM = 12;

export function roadLayers(schema: StreetSchema, { streets }: MapScheme): readonly LayerSpecification[] {
  return [
    ...thinLayers(schema, { streets }),
    ...ROADS.flatMap((road) => line(schema, road, { colour: streets.casing, casing: CASING_PIXELS })),
    ...ROADS.flatMap((road) => line(schema, road, { colour: streets[road.colour], casing: 0 })),
  ];
}

interface Stroke {
  readonly colour: string;
  /** CSS pixels on each side. */
  readonly casing: number;
}

function line(schema: StreetSchema, road: Road, { colour, casing }: Stroke): readonly LayerSpecification[] {
  const [far, near, close] = road.widths.map((width) => width + 2 * casing);
  const use = casing === 0 ? road.subject : `${road.subject}-casing`;
  return partsOf(schema, road.subject, use).map((part) => ({
    ...part,
    type: 'line',
    minzoom: casing === 0 ? road.fromZoom : Math.max(road.fromZoom, CASED_FROM_ZOOM),
    layout: { 'line-cap': 'round', 'line-join': 'round' },
    paint: {
      'line-color': colour,
      'line-width': ['interpolate', ['exponential', 1.5], ['zoom'], 10, far ?? 0, 14, near ?? 0, 18, close ?? 0],
    },
  }));
}

/** Paths and rails: dashes without a casing. */
function thinLayers(schema: StreetSchema, { streets }: Pick<MapScheme, 'streets'>): readonly LayerSpecification[] {
  return [
    ...partsOf(schema, 'path').map(
      (part): LayerSpecification => ({
        ...part,
        type: 'line',
        minzoom: 14,
        paint: { 'line-color': streets.path, 'line-width': 1.2, 'line-dasharray': [3, 2] },
      }),
    ),
    ...partsOf(schema, 'rail').map(
      (part): LayerSpecification => ({
        ...part,
        type: 'line',
        minzoom: 9,
        paint: { 'line-color': streets.rail, 'line-width': ['interpolate', ['linear'], ['zoom'], 9, 0.8, 16, 2.4] },
      }),
    ),
  ];
}
