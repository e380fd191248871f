// Whether an outline crosses or touches itself. A sweep from west to east, so that an outline of 2,000 vertices is done while
// it is being drawn.
import type { LngLat } from '../api/fences/fences.ts';

interface Edge {
  readonly at: number;
  readonly from: LngLat;
  readonly to: LngLat;
  readonly west: number;
  readonly east: number;
  readonly south: number;
  readonly north: number;
}

/** `ring`: without its last position, and no two neighbors alike. */
export function hasCrossingEdges(ring: readonly LngLat[]): boolean {
  const edges = ring.map((from, at) => edgeOf(at, from, ring[(at + 1) % ring.length] ?? from));
  const byWest = [...edges].sort((a, b) => a.west - b.west);
  let open: Edge[] = [];
  for (const edge of byWest) {
    open = open.filter(({ east }) => east >= edge.west);
    if (open.some((other) => overlap(edge, other) && meet(edge, other, ring.length))) return true;
    open.push(edge);
  }
  return false;
}

function edgeOf(at: number, from: LngLat, to: LngLat): Edge {
  const [west, east] = from[0] < to[0] ? [from[0], to[0]] : [to[0], from[0]];
  const [south, north] = from[1] < to[1] ? [from[1], to[1]] : [to[1], from[1]];
  return { at, from, to, west, east, south, north };
}

function overlap(a: Edge, b: Edge): boolean {
  return a.south <= b.north && b.south <= a.north;
}

/** Neighbors share a vertex; they meet elsewhere only where one runs back along the other. */
function meet(a: Edge, b: Edge, count: number): boolean {
  if ((a.at + 1) % count === b.at) return runsBack(a, b);
  if ((b.at + 1) % count === a.at) return runsBack(b, a);
  return intersect(a, b);
}

function runsBack(first: Edge, second: Edge): boolean {
  const [ax, ay] = [first.to[0] - first.from[0], first.to[1] - first.from[1]];
  const [bx, by] = [second.to[0] - second.from[0], second.to[1] - second.from[1]];
  return ax * by - ay * bx === 0 && ax * bx + ay * by < 0;
}

function intersect(a: Edge, b: Edge): boolean {
  const [a1, a2] = [side(b, a.from), side(b, a.to)];
  const [b1, b2] = [side(a, b.from), side(a, b.to)];
  if (a1 !== a2 && b1 !== b2 && a1 * a2 <= 0 && b1 * b2 <= 0) return true;
  // On one line: their boxes overlap already.
  return a1 === 0 && a2 === 0;
}

/** On which side of the edge's line a place lies: -1, 0 or 1. */
function side({ from, to }: Edge, place: LngLat): number {
  return Math.sign((to[0] - from[0]) * (place[1] - from[1]) - (to[1] - from[1]) * (place[0] - from[0]));
}
