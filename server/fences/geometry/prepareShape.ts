import type { FenceShape } from '../../../shared/protocol/api/fences/fences.ts';
import { Circle } from './circle.ts';
import { Corridor } from './corridor.ts';
import { Ring } from './ring.ts';
import type { Shape } from './shape.ts';

/** Undefined for an outline that can't be one of its kind: a checked one always can. */
export function prepareShape({ geometry, radiusMeters, widthMeters }: FenceShape): Shape | undefined {
  switch (geometry.type) {
    case 'Point': {
      const [longitude, latitude] = geometry.coordinates;
      return new Circle({ latitude, longitude }, radiusMeters);
    }
    case 'LineString':
      return geometry.coordinates.length < 2 ? undefined : new Corridor(geometry.coordinates, widthMeters);
    case 'Polygon': {
      const [ring = []] = geometry.coordinates;
      return ring.length < 3 ? undefined : new Ring(ring);
    }
  }
}
