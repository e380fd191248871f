// The outlines of fences in the map's world, worked out once for each fence. Pure.
import type { FenceShape } from '../../../protocol/api/fences/fences.ts';
import { outlineOf } from '../../../protocol/fences/outline.ts';
import type { MapView } from '../mapView.ts';
import { toWorld, type WorldPoint, worldSize } from '../mercator.ts';

export interface FencePath {
  readonly points: readonly WorldPoint[];
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** CSS pixels in the window. */
export interface WindowPoint {
  readonly left: number;
  readonly top: number;
}

/** CSS pixels in the window. */
export interface WindowBox {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

// Outlines of circles and corridors cost more than drawing them, and a map is drawn with each of its movements.
const known = new WeakMap<FenceShape, FencePath>();

export function pathOf(shape: FenceShape): FencePath {
  const found = known.get(shape);
  if (found !== undefined) return found;
  const points = outlineOf(shape).map(([lng, lat]) => toWorld(lat, lng));
  const path = { points, ...boundsOfPoints(points) };
  known.set(shape, path);
  return path;
}

function boundsOfPoints(points: readonly WorldPoint[]): Omit<FencePath, 'points'> {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of points) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return { left, top, right, bottom };
}

/** From the world into the window. */
export function windowOf(view: MapView): (point: WorldPoint) => WindowPoint {
  const size = worldSize(view.zoom);
  const center = toWorld(view.lat, view.lng);
  return ({ x, y }) => ({
    left: (x - center.x) * size + view.width / 2,
    top: (y - center.y) * size + view.height / 2,
  });
}

export function boxOf(path: FencePath, view: MapView): WindowBox {
  const place = windowOf(view);
  const { left, top } = place({ x: path.left, y: path.top });
  const { left: right, top: bottom } = place({ x: path.right, y: path.bottom });
  return { left, top, right, bottom };
}

export function isInWindow({ left, top, right, bottom }: WindowBox, { width, height }: MapView): boolean {
  return left <= width && right >= 0 && top <= height && bottom >= 0;
}

/** The topmost fence over a point of the window: of those that lie in one another, the smallest. */
export function fenceAt<Shape extends FenceShape>(
  fences: readonly Shape[],
  view: MapView,
  at: { readonly left: number; readonly top: number },
): Shape | undefined {
  const size = worldSize(view.zoom);
  const center = toWorld(view.lat, view.lng);
  const point = { x: (at.left - view.width / 2) / size + center.x, y: (at.top - view.height / 2) / size + center.y };
  const hits = fences.filter((fence) => isInside(pathOf(fence), point));
  return hits.reduce<Shape | undefined>(
    (best, each) => (best === undefined || extentOf(each) <= extentOf(best) ? each : best),
    undefined,
  );
}

function extentOf(shape: FenceShape): number {
  const { left, top, right, bottom } = pathOf(shape);
  return (right - left) * (bottom - top);
}

function isInside(path: FencePath, { x, y }: WorldPoint): boolean {
  if (x < path.left || x > path.right || y < path.top || y > path.bottom) return false;
  let inside = false;
  let before = path.points.at(-1);
  for (const point of path.points) {
    if (before !== undefined && point.y > y !== before.y > y) {
      const crossing = ((before.x - point.x) * (y - point.y)) / (before.y - point.y) + point.x;
      if (x < crossing) inside = !inside;
    }
    before = point;
  }
  return inside;
}

export function overlap(one: WindowBox, other: WindowBox): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}
