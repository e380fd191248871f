// Whether a simulated vehicle is in an area, on a plane that is true where it is. Pure.
import { hasBit } from '../../server/device/jt808/codec/codes.ts';
import { AreaBit, SectionBit } from '../../server/device/jt808/codec/messages/areas.ts';
import type { StoredArea } from '../../server/device/jt808/codec/messages/areasReply.ts';

export interface Place {
  /** Degrees. */
  readonly latitude: number;
  readonly longitude: number;
}

interface MetersFrom {
  readonly east: number;
  readonly north: number;
}

const METERS_A_DEGREE = 111_195;
const MILLIONTHS = 1e6;

export function isInArea(place: Place, stored: StoredArea): boolean {
  const { attributes } = stored.area;
  const signs = { south: hasBit(attributes, AreaBit.South), west: hasBit(attributes, AreaBit.West) };
  const from = (latitude: number, longitude: number) => metersFrom(place, signed({ latitude, longitude }, signs));
  switch (stored.shape) {
    case 'circle': {
      const { east, north } = from(stored.area.latitude, stored.area.longitude);
      return Math.hypot(east, north) <= stored.area.radiusMeters;
    }
    case 'rectangle': {
      const { top, left, bottom, right } = stored.area;
      const [topLeft, bottomRight] = [from(top, left), from(bottom, right)];
      return topLeft.east * bottomRight.east <= 0 && topLeft.north * bottomRight.north <= 0;
    }
    case 'polygon':
      return isAround(stored.area.vertices.map(({ latitude, longitude }) => from(latitude, longitude)));
    case 'route':
      return isOnRoute(place, stored.area.points);
  }
}

function signed({ latitude, longitude }: Place, { south, west }: { readonly south: boolean; readonly west: boolean }) {
  const [lat, lng] = [latitude / MILLIONTHS, longitude / MILLIONTHS];
  return { latitude: south ? -lat : lat, longitude: west ? -lng : lng };
}

function metersFrom(place: Place, other: Place): MetersFrom {
  const scale = Math.cos((place.latitude * Math.PI) / 180) * METERS_A_DEGREE;
  return {
    east: (other.longitude - place.longitude) * scale,
    north: (other.latitude - place.latitude) * METERS_A_DEGREE,
  };
}

/** Whether the ring lies around the place that its vertices are measured from: a ray to the east crosses it an odd number of times. */
function isAround(ring: readonly MetersFrom[]): boolean {
  const crossings = ring.filter((one, at) => {
    const other = ring[(at + 1) % ring.length] ?? one;
    if (one.north > 0 === other.north > 0) return false;
    return one.east - (one.north * (other.east - one.east)) / (other.north - one.north) > 0;
  });
  return crossings.length % 2 === 1;
}

type RoutePoints = Extract<StoredArea, { readonly shape: 'route' }>['area']['points'];

function isOnRoute(place: Place, points: RoutePoints): boolean {
  const places = points.map((point) => {
    const { attributes } = point;
    const signs = { south: hasBit(attributes, SectionBit.South), west: hasBit(attributes, SectionBit.West) };
    return metersFrom(place, signed(point, signs));
  });
  return places.some((from, at) => {
    const to = places[at + 1];
    return to !== undefined && metersToEdge(from, to) <= (points[at]?.widthMeters ?? 0) / 2;
  });
}

function metersToEdge(from: MetersFrom, to: MetersFrom): number {
  const [east, north] = [to.east - from.east, to.north - from.north];
  const square = east * east + north * north;
  const along = square === 0 ? 0 : Math.min(1, Math.max(0, -(from.east * east + from.north * north) / square));
  return Math.hypot(from.east + along * east, from.north + along * north);
}
