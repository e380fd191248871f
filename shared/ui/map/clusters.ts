// Devices that would lie over one another become one mark. Pure.
import type { LiveDevice } from '../../protocol/api/liveUpdates.ts';
import { MARKER_STATES, type MarkerState, markerStateOf } from './markerState.ts';
import { toWorld, WORLD_PIXELS, type WorldPoint } from './mercator.ts';

export interface Mark extends WorldPoint {
  /** One for a device by itself. */
  readonly devices: readonly PlacedDevice[];
  readonly states: Readonly<Record<MarkerState, number>>;
}

export interface PlacedDevice extends WorldPoint {
  readonly device: LiveDevice;
  readonly state: MarkerState;
}

/** Devices that have a place; those that never had a fix are in the list alone. */
export function placeDevices(devices: readonly LiveDevice[]): readonly PlacedDevice[] {
  const placed: PlacedDevice[] = [];
  for (const device of devices) {
    if (device.lat === null || device.lng === null) continue;
    placed.push({ ...toWorld(device.lat, device.lng), device, state: markerStateOf(device) });
  }
  return placed;
}

const CELL_PIXELS = 64;
const MERGE_PIXELS = 40;
/** From here on streets are wide enough: only what stands in one spot is one mark. */
const APART_ZOOM = 17;
const APART_PIXELS = 12;

/** Points that would lie over one another, at their middle. */
export interface Cluster<Point extends WorldPoint> extends WorldPoint {
  readonly points: readonly Point[];
}

interface Gathering<Point> {
  x: number;
  y: number;
  readonly points: Point[];
}

/** The marks at a whole zoom. */
export function clusterDevices(devices: readonly PlacedDevice[], zoom: number): readonly Mark[] {
  return clusterPoints(devices, zoom).map(toMark);
}

/**
 * The clusters at a whole zoom. The grid lies on the world and not on the window, so that panning moves marks and never
 * regroups them; cells whose centres come close to one another are joined, so that no edge of the grid shows.
 */
export function clusterPoints<Point extends WorldPoint>(
  points: readonly Point[],
  zoom: number,
): readonly Cluster<Point>[] {
  const cellPixels = zoom >= APART_ZOOM ? APART_PIXELS : CELL_PIXELS;
  const mergePixels = zoom >= APART_ZOOM ? APART_PIXELS : MERGE_PIXELS;
  const cellsAcross = (WORLD_PIXELS * 2 ** zoom) / cellPixels;
  const cells = new Map<number, Gathering<Point>>();
  const keyOf = (column: number, row: number): number => row * 2 ** 26 + column;
  for (const point of points) {
    const key = keyOf(Math.floor(point.x * cellsAcross), Math.floor(point.y * cellsAcross));
    const cell = cells.get(key);
    if (cell === undefined) cells.set(key, { x: point.x, y: point.y, points: [point] });
    else add(cell, point);
  }
  const reach = mergePixels / cellPixels / cellsAcross;
  for (const [key, cell] of cells) {
    const column = Math.floor(cell.x * cellsAcross);
    const row = Math.floor(cell.y * cellsAcross);
    for (const [right, down] of NEIGHBOURS) {
      const otherKey = keyOf(column + right, row + down);
      const other = cells.get(otherKey);
      if (other === undefined || other === cell || otherKey === key) continue;
      if (Math.hypot(other.x - cell.x, other.y - cell.y) >= reach) continue;
      for (const point of other.points) add(cell, point);
      cells.delete(otherKey);
    }
  }
  return [...cells.values()];
}

const NEIGHBOURS = [
  [1, 0],
  [0, 1],
  [1, 1],
  [-1, 1],
] as const;

function add<Point extends WorldPoint>(cell: Gathering<Point>, point: Point): void {
  cell.points.push(point);
  const share = 1 / cell.points.length;
  cell.x += (point.x - cell.x) * share;
  cell.y += (point.y - cell.y) * share;
}

function toMark({ x, y, points: devices }: Cluster<PlacedDevice>): Mark {
  const states: Record<MarkerState, number> = { alarm: 0, moving: 0, parked: 0, offline: 0, never: 0 };
  for (const { state } of devices) states[state]++;
  return { x, y, devices, states };
}

/** What a cluster's colour says: the most urgent state in it. */
export function urgentState({ states }: Mark): MarkerState {
  return MARKER_STATES.find((state) => states[state] > 0) ?? 'offline';
}

export interface Bounds {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Degrees; undefined without a device that has a place. */
export function boundsOf(devices: Iterable<LiveDevice>): Bounds | undefined {
  let bounds: { west: number; south: number; east: number; north: number } | undefined;
  for (const { lat, lng } of devices) {
    if (lat === null || lng === null) continue;
    bounds ??= { west: lng, east: lng, south: lat, north: lat };
    bounds.west = Math.min(bounds.west, lng);
    bounds.east = Math.max(bounds.east, lng);
    bounds.south = Math.min(bounds.south, lat);
    bounds.north = Math.max(bounds.north, lat);
  }
  return bounds;
}

/** False for a device without a place. */
export function isWithin({ lat, lng }: LiveDevice, { west, south, east, north }: Bounds): boolean {
  return lat !== null && lng !== null && lng >= west && lng <= east && lat >= south && lat <= north;
}
