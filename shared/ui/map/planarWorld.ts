// The world's outlines come as they lie on a sphere, where longitude 180 is no edge. On a flat map a ring that crosses it
// would draw a line through all oceans: it goes on beyond the edge instead, and the map repeats it on the other side. Pure.
import type { FeatureCollection, Geometry, Position } from 'geojson';

export function toPlanar(world: FeatureCollection): FeatureCollection {
  return { ...world, features: world.features.map((each) => ({ ...each, geometry: planarGeometry(each.geometry) })) };
}

function planarGeometry(geometry: Geometry): Geometry {
  switch (geometry.type) {
    case 'Polygon':
      return { ...geometry, coordinates: geometry.coordinates.map(planarRing) };
    case 'MultiPolygon':
      return { ...geometry, coordinates: geometry.coordinates.map((rings) => rings.map(planarRing)) };
    default:
      return geometry;
  }
}

/** A closed ring without a step of more than half the world. One that goes round a pole is closed along it. */
export function planarRing(ring: readonly Position[]): Position[] {
  const planar: Position[] = [];
  let turnDegrees = 0;
  let before: number | undefined;
  for (const [lng = 0, lat = 0] of ring) {
    if (before !== undefined && lng - before > 180) turnDegrees -= 360;
    if (before !== undefined && lng - before < -180) turnDegrees += 360;
    before = lng;
    planar.push([lng + turnDegrees, lat]);
  }
  const [first, last] = [planar[0], planar.at(-1)];
  if (turnDegrees === 0 || first === undefined || last === undefined) return planar;
  const [firstLng = 0, latitude = 0] = first;
  const [lastLng = 0] = last;
  const pole = latitude < 0 ? -90 : 90;
  return [...planar, [lastLng, pole], [firstLng, pole], first];
}
