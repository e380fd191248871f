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

interface Gathering {
  x: number;
  y: number;
  readonly devices: PlacedDevice[];
}

/**
 * The marks at a whole zoom. The grid lies on the world and not on the window, so that panning moves marks and never
 * regroups them; cells whose centres come close to one another are joined, so that no edge of the grid shows.
 */
export function clusterDevices(devices: readonly PlacedDevice[], zoom: number): readonly Mark[] {
  const cellPixels = zoom >= APART_ZOOM ? APART_PIXELS : CELL_PIXELS;
  const mergePixels = zoom >= APART_ZOOM ? APART_PIXELS : MERGE_PIXELS;
  const cellsAcross = (WORLD_PIXELS * 2 ** zoom) / cellPixels;
  const cells = new Map<number, Gathering>();
  const keyOf = (column: number, row: number): number => row * 2 ** 26 + column;
  for (const device of devices) {
    const key = keyOf(Math.floor(device.x * cellsAcross), Math.floor(device.y * cellsAcross));
    const cell = cells.get(key);
    if (cell === undefined) cells.set(key, { x: device.x, y: device.y, devices: [device] });
    else add(cell, device);
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
      for (const device of other.devices) add(cell, device);
      cells.delete(otherKey);
    }
  }
  return [...cells.values()].map(toMark);
}

const NEIGHBOURS = [
  [1, 0],
  [0, 1],
  [1, 1],
  [-1, 1],
] as const;

function add(cell: Gathering, device: PlacedDevice): void {
  cell.devices.push(device);
  const share = 1 / cell.devices.length;
  cell.x += (device.x - cell.x) * share;
  cell.y += (device.y - cell.y) * share;
}

function toMark({ x, y, devices }: Gathering): Mark {
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
