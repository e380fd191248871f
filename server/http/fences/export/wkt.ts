import type { FenceGeometry, LngLat } from '../../../../shared/protocol/api/fences/fences.ts';

/** Well-known text of a geometry: longitude before latitude. */
export function wktOf(geometry: FenceGeometry): string {
  switch (geometry.type) {
    case 'Point':
      return `POINT (${pairOf(geometry.coordinates)})`;
    case 'LineString':
      return `LINESTRING (${pairsOf(geometry.coordinates)})`;
    case 'Polygon':
      return `POLYGON (${geometry.coordinates.map((ring) => `(${pairsOf(ring)})`).join(', ')})`;
  }
}

function pairsOf(positions: readonly LngLat[]): string {
  return positions.map(pairOf).join(', ');
}

function pairOf([lng, lat]: LngLat): string {
  return `${lng} ${lat}`;
}
