// Places as JT/T 808 has them: millionths of a degree without a sign, and one sign for a whole area. Pure.
import type { LngLat } from '../../../shared/protocol/api/fences/fences.ts';
import { EARTH_RADIUS_METERS, radians } from '../../../shared/protocol/fences/earth.ts';

export interface WirePlace {
  readonly latitude: number;
  readonly longitude: number;
}

export interface WireSigns {
  readonly isSouth: boolean;
  readonly isWest: boolean;
}

const MILLIONTHS = 1e6;

/** Undefined for an area on both sides of the equator or of a prime meridian, which no terminal can be told. */
export function signsOf(positions: readonly LngLat[]): WireSigns | undefined {
  const isSouth = positions.some(([, lat]) => lat < 0);
  const isWest = positions.some(([lng]) => lng < 0);
  if (isSouth && positions.some(([, lat]) => lat > 0)) return undefined;
  if (isWest && positions.some(([lng]) => lng > 0)) return undefined;
  return { isSouth, isWest };
}

export function wirePlace([lng, lat]: LngLat): WirePlace {
  return { latitude: millionths(lat), longitude: millionths(lng) };
}

function millionths(angle: number): number {
  return Math.round(Math.abs(angle) * MILLIONTHS);
}

/**
 * The outline with at most `max` vertices, of those that it has: the ones are left out whose loss moves it least. Whether it is a
 * ring or a line, its first and last position stay.
 */
export function simplifiedTo(line: readonly LngLat[], max: number): LngLat[] {
  if (line.length <= max) return [...line];
  const ranks = importanceOf(line);
  const kept = new Set([...line.keys()].sort((a, b) => (ranks[b] ?? 0) - (ranks[a] ?? 0) || a - b).slice(0, max));
  return line.filter((_, at) => kept.has(at));
}

interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly atMost: number;
}

/** How far the outline would be off without the vertex and those that matter less (Douglas and Peucker). */
function importanceOf(line: readonly LngLat[]): number[] {
  const ranks = line.map(() => 0);
  ranks[0] = Number.POSITIVE_INFINITY;
  ranks[line.length - 1] = Number.POSITIVE_INFINITY;
  const stretches: Stretch[] = [{ from: 0, to: line.length - 1, atMost: Number.POSITIVE_INFINITY }];
  for (let stretch = stretches.pop(); stretch !== undefined; stretch = stretches.pop()) {
    const { from, to, atMost } = stretch;
    const farthest = farthestOf(line, from, to);
    if (farthest === undefined) continue;
    const meters = Math.min(farthest.meters, atMost);
    ranks[farthest.at] = meters;
    stretches.push({ from, to: farthest.at, atMost: meters }, { from: farthest.at, to, atMost: meters });
  }
  return ranks;
}

function farthestOf(line: readonly LngLat[], from: number, to: number): { at: number; meters: number } | undefined {
  const [start, end] = [line[from], line[to]];
  if (start === undefined || end === undefined) return undefined;
  let farthest: { at: number; meters: number } | undefined;
  for (let at = from + 1; at < to; at++) {
    const place = line[at];
    const meters = place === undefined ? 0 : metersFromEdge(place, start, end);
    if (farthest === undefined || meters > farthest.meters) farthest = { at, meters };
  }
  return farthest;
}

/** On a plane that is true at the place: exact enough to tell which vertex matters more. */
function metersFromEdge(place: LngLat, start: LngLat, end: LngLat): number {
  const scale = Math.cos(radians(place[1]));
  const plane = ([lng, lat]: LngLat): readonly [number, number] => [
    radians(lng - place[0]) * scale * EARTH_RADIUS_METERS,
    radians(lat - place[1]) * EARTH_RADIUS_METERS,
  ];
  const [[ax, ay], [bx, by]] = [plane(start), plane(end)];
  const [dx, dy] = [bx - ax, by - ay];
  const square = dx * dx + dy * dy;
  const along = square === 0 ? 0 : Math.min(1, Math.max(0, -(ax * dx + ay * dy) / square));
  return Math.hypot(ax + along * dx, ay + along * dy);
}
