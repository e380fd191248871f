// The demo's town as the Protomaps basemap has it: https://docs.protomaps.com/basemaps/layers. Pure.
import type { Feature, Geometry, Position } from 'geojson';
import { buildings, corners } from './buildings.ts';
import { depot, factories, park, type Rectangle } from './grid.ts';
import { type PlanPoint, toDegrees, toGround } from './ground.ts';
import { LAKE, type Names, PLACES, QUARTERS, RIVER, TOWN } from './names.ts';
import { builtArea, lake, lakeshore, river, riverBanks } from './shapes.ts';
import { type StreetKind, streets } from './streets.ts';

/** Layers that the town has something in. */
export const LAYERS = ['earth', 'landuse', 'water', 'buildings', 'roads', 'pois', 'places'] as const;
type TownLayer = (typeof LAYERS)[number];

/** Degrees: west, south, east, north. */
export const BOUNDS = boundsOf([
  [-4_000, -3_100],
  [4_000, 3_100],
]);

export interface TownFeature {
  readonly layer: TownLayer;
  readonly minZoom: number;
  readonly feature: Feature;
}

interface Kind {
  readonly layer: TownLayer;
  readonly minZoom: number;
  readonly kind: string;
  /** The schema calls this `kind_detail`. */
  readonly detail?: string;
  readonly names?: Names;
}

export function townFeatures(): readonly TownFeature[] {
  return [...ground(), ...waters(), ...roads(), ...houses(), ...names()];
}

function ground(): readonly TownFeature[] {
  const [west, south, east, north] = BOUNDS;
  const corner = (lng: number, lat: number): Position => [lng, lat];
  const whole = [
    corner(west, south),
    corner(east, south),
    corner(east, north),
    corner(west, north),
    corner(west, south),
  ];
  const use = (kind: string, outer: readonly PlanPoint[], inner: readonly (readonly PlanPoint[])[] = []) =>
    area({ layer: 'landuse', minZoom: 8, kind }, outer, inner);
  return [
    made({ layer: 'earth', minZoom: 0, kind: 'earth' }, { type: 'Polygon', coordinates: [whole] }),
    ...FORESTS.map((forest) => use('forest', forest)),
    use('residential', builtArea),
    use('park', lakeshore, [lake]),
    use('park', corners(park)),
    use('industrial', corners(factories)),
    use('industrial', corners(depot)),
  ];
}

/** Forests on the hills around the ring road. */
const FORESTS: readonly (readonly PlanPoint[])[] = [
  blob([-2_400, 2_450], [1_500, 520]),
  blob([900, 2_750], [1_900, 480]),
  blob([3_350, 600], [480, 1_700]),
  blob([-3_400, -700], [560, 1_500]),
];

function blob([u, v]: PlanPoint, [alongU, alongV]: readonly [number, number]): readonly PlanPoint[] {
  return Array.from({ length: 72 }, (_, at): PlanPoint => {
    const angle = (2 * Math.PI * at) / 72;
    const size = 1 + 0.12 * Math.sin(3 * angle + u) + 0.07 * Math.sin(7 * angle + v);
    return [u + alongU * size * Math.cos(angle), v + alongV * size * Math.sin(angle)];
  });
}

function waters(): readonly TownFeature[] {
  return [
    area({ layer: 'water', minZoom: 8, kind: 'lake' }, lake),
    area({ layer: 'water', minZoom: 12, kind: 'river' }, riverBanks()),
    lineOf({ layer: 'water', minZoom: 9, kind: 'river' }, river),
    at({ layer: 'water', minZoom: 11, kind: 'lake', names: LAKE }, [-1_000, -800]),
    at({ layer: 'water', minZoom: 13, kind: 'river', names: RIVER }, [-1_930, 1_800]),
  ];
}

interface RoadKind {
  readonly kind: string;
  readonly minZoom: number;
}

const ROAD_KINDS: Readonly<Record<StreetKind, RoadKind>> = {
  motorway: { kind: 'highway', minZoom: 5 },
  trunk: { kind: 'major_road', minZoom: 7 },
  primary: { kind: 'major_road', minZoom: 8 },
  secondary: { kind: 'major_road', minZoom: 10 },
  tertiary: { kind: 'major_road', minZoom: 11 },
  residential: { kind: 'minor_road', minZoom: 12 },
  footway: { kind: 'path', minZoom: 13 },
  rail: { kind: 'rail', minZoom: 9 },
};

function roads(): readonly TownFeature[] {
  return streets.map(({ kind, names: called, points }) =>
    lineOf(
      { layer: 'roads', ...ROAD_KINDS[kind], detail: kind, ...(called === undefined ? {} : { names: called }) },
      points,
    ),
  );
}

function houses(): readonly TownFeature[] {
  return buildings().map((house: Rectangle) =>
    area({ layer: 'buildings', minZoom: 14, kind: 'building' }, corners(house)),
  );
}

function names(): readonly TownFeature[] {
  const quarter = (called: Names, point: PlanPoint): TownFeature =>
    at({ layer: 'places', minZoom: 12, kind: 'neighbourhood', detail: 'neighbourhood', names: called }, point);
  const place = (kind: string, called: Names, point: PlanPoint): TownFeature =>
    at({ layer: 'pois', minZoom: 13, kind, names: called }, point);
  return [
    at({ layer: 'places', minZoom: 5, kind: 'locality', detail: 'town', names: TOWN }, [60, 60]),
    quarter(QUARTERS.north, [-700, 1_150]),
    quarter(QUARTERS.old, [-450, 330]),
    quarter(QUARTERS.lakeside, [-420, -420]),
    quarter(QUARTERS.east, [1_550, 380]),
    quarter(QUARTERS.works, [1_760, -540]),
    place('park', PLACES.park, [380, 345]),
    place('park', PLACES.shore, [-1_000, -1_435]),
    place('station', PLACES.station, [90, 1_440]),
    place('bus_station', PLACES.depot, [355, -990]),
    place('hospital', PLACES.hospital, [-520, 900]),
    place('school', PLACES.school, [-300, -900]),
    place('university', PLACES.university, [1_240, 980]),
  ];
}

function area(kind: Kind, outer: readonly PlanPoint[], inner: readonly (readonly PlanPoint[])[] = []): TownFeature {
  const ring = (points: readonly PlanPoint[]): Position[] => [...points, ...points.slice(0, 1)].map(position);
  return made(kind, { type: 'Polygon', coordinates: [outer, ...inner].map(ring) });
}

function lineOf(kind: Kind, points: readonly PlanPoint[]): TownFeature {
  return made(kind, { type: 'LineString', coordinates: points.map(position) });
}

function at(kind: Kind, point: PlanPoint): TownFeature {
  return made(kind, { type: 'Point', coordinates: position(point) });
}

function made({ layer, minZoom, kind, detail, names: called }: Kind, geometry: Geometry): TownFeature {
  const properties = {
    kind,
    ...(detail === undefined ? {} : { kind_detail: detail }),
    ...(called === undefined ? {} : named(called)),
    min_zoom: minZoom,
  };
  return { layer, minZoom, feature: { type: 'Feature', properties, geometry } };
}

/** The signs of the town are in Chinese. */
function named({ en, zh, ja }: Names): Readonly<Record<string, string>> {
  return { name: zh, 'name:zh-Hant': zh, 'name:en': en, 'name:ja': ja };
}

function position(point: PlanPoint): Position {
  const { latitude, longitude } = toDegrees(toGround(point));
  return [longitude, latitude];
}

function boundsOf([southWest, northEast]: readonly [PlanPoint, PlanPoint]): readonly [number, number, number, number] {
  const low = toDegrees(southWest);
  const high = toDegrees(northEast);
  return [low.longitude, low.latitude, high.longitude, high.latitude];
}
