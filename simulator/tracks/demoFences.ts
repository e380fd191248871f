// The demo's geofences: one of each kind in its town, of which a vehicle's terminal gets one.
import {
  FENCE_DEVICE_PATH,
  FENCES_PATH,
  type FenceContent,
  type FenceGeometry,
  type FenceRules,
  type LngLat,
  type TerminalAreaRequest,
} from '../../shared/protocol/api/fences/fences.ts';
import { wallMs } from '../../shared/protocol/time.ts';
import type { DemoSession } from '../members/demoSession.ts';
import { depot, GRID, park, type Rectangle } from '../town/grid.ts';
import { type PlanPoint, straight, toDegrees, toGround } from '../town/ground.ts';
import { CURVE_POINTS, ring } from '../town/shapes.ts';

type Session = Pick<DemoSession, 'get' | 'send'>;

/** A vehicle whose terminal says what areas it has. */
const AREA_DEVICE = 'BUS-108';
const NO_RULES: FenceRules = {
  enter: false,
  leave: false,
  insideMinutes: 0,
  outsideMinutes: 0,
  speedKmh: 0,
  parkedMinutes: 0,
  wrongDirection: false,
};
const COMMON = {
  enabled: true,
  radiusMeters: 0,
  widthMeters: 0,
  validFromMs: wallMs(0),
  validToMs: wallMs(0),
  schedule: [],
  timeZone: '',
  deviceGroups: [],
  devices: [],
} as const;
/** Around the yard, for vehicles that turn on the street before it. */
const YARD_METERS = 120;
const PIER_METERS = 350;
const AVENUE_METERS = 80;
const EVERY_NTH = 12;

/** What somebody drew in an earlier run stays. */
export async function addDemoFences(administrator: Session): Promise<void> {
  const known = await administrator.get<{ readonly rows: readonly { readonly name: string }[] }>(
    `${FENCES_PATH}?limit=100`,
  );
  if (known === undefined) return;
  const names = new Set(known.rows.map(({ name }) => name));
  for (const fence of demoFences()) {
    if (names.has(fence.name)) continue;
    const added = await administrator.send<{ readonly id: number }>('POST', FENCES_PATH, fence);
    if (added === undefined || fence.kind !== 'circle') continue;
    const order: TerminalAreaRequest = { fence: added.id, act: 'put', devices: [AREA_DEVICE] };
    await administrator.send('POST', FENCE_DEVICE_PATH, order);
  }
}

function demoFences(): readonly FenceContent[] {
  const pier: PlanPoint = [GRID.u.pier, GRID.v.central];
  return [
    {
      ...COMMON,
      name: 'Depot',
      kind: 'polygon',
      geometry: polygon(cornersOf(widened(depot, YARD_METERS))),
      color: '#1a7f4b',
      rules: { ...NO_RULES, enter: true, leave: true },
    },
    {
      ...COMMON,
      name: 'Lake pier',
      kind: 'circle',
      geometry: { type: 'Point', coordinates: lngLat(pier) },
      radiusMeters: PIER_METERS,
      color: '#1a5fb4',
      rules: { ...NO_RULES, speedKmh: 70, parkedMinutes: 5 },
    },
    {
      ...COMMON,
      name: 'Park quarter',
      kind: 'rectangle',
      geometry: rectangleAround(cornersOf(park).map(lngLat)),
      color: '#7d4bb3',
      rules: { ...NO_RULES, enter: true, insideMinutes: 30 },
    },
    {
      ...COMMON,
      name: 'Ring road',
      kind: 'corridor',
      geometry: { type: 'LineString', coordinates: ringRoad().map(lngLat) },
      widthMeters: AVENUE_METERS,
      color: '#a85b00',
      rules: { ...NO_RULES, speedKmh: 80 },
    },
  ];
}

function lngLat(point: PlanPoint): LngLat {
  const { longitude, latitude } = toDegrees(toGround(point));
  return [rounded(longitude), rounded(latitude)];
}

/** To a tenth of a meter. */
function rounded(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6;
}

function widened({ west, south, east, north }: Rectangle, meters: number): Rectangle {
  return { west: west - meters, south: south - meters, east: east + meters, north: north + meters };
}

/** With points between the corners: the ground bends the plan. */
function cornersOf({ west, south, east, north }: Rectangle): readonly PlanPoint[] {
  const corners: readonly PlanPoint[] = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ];
  return corners.flatMap((corner, at) => {
    const side = straight(corner, corners[(at + 1) % corners.length] ?? corner);
    return side.slice(0, -1).filter((_, each) => each % EVERY_NTH === 0);
  });
}

function polygon(outline: readonly PlanPoint[]): FenceGeometry {
  const vertices = outline.map(lngLat);
  return { type: 'Polygon', coordinates: [[...vertices, ...vertices.slice(0, 1)]] };
}

/** Along the parallels, as rectangles are. */
function rectangleAround(points: readonly LngLat[]): FenceGeometry {
  const [lngs, lats] = [points.map(([lng = 0]) => lng), points.map(([, lat = 0]) => lat)];
  const [west, east] = [Math.min(...lngs), Math.max(...lngs)];
  const [south, north] = [Math.min(...lats), Math.max(...lats)];
  const vertices: readonly LngLat[] = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return { type: 'Polygon', coordinates: [[...vertices]] };
}

/** The half of it that vehicles drive, in their direction. */
function ringRoad(): readonly PlanPoint[] {
  const half = CURVE_POINTS / 2;
  return Array.from({ length: half / EVERY_NTH + 1 }, (_, at) => ring.at((at * EVERY_NTH) % CURVE_POINTS) ?? [0, 0]);
}
