import type { FenceGeometry } from '../api/fences/fences.ts';

/** Positions of the geometry as it is stored: a ring's last one, too. */
export function vertexCount({ geometry }: { readonly geometry: FenceGeometry }): number {
  switch (geometry.type) {
    case 'Point':
      return 1;
    case 'LineString':
      return geometry.coordinates.length;
    case 'Polygon':
      return geometry.coordinates.reduce((sum, ring) => sum + ring.length, 0);
  }
}
