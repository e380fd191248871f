import type { FenceContent, FenceShape, LngLat } from '../../shared/protocol/api/fences/fences.ts';
import { wallMs } from '../../shared/protocol/time.ts';

/** A closed ring around a place: `half` degrees to each side. */
export function squareAround([lng, lat]: LngLat, half: number): LngLat[] {
  const [west, east, south, north] = [lng - half, lng + half, lat - half, lat + half];
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

const DEPOT: LngLat = [121.5, 25];

export function aPolygon(ring: readonly LngLat[] = squareAround(DEPOT, 0.01)): FenceShape {
  return { kind: 'polygon', geometry: { type: 'Polygon', coordinates: [ring] }, radiusMeters: 0, widthMeters: 0 };
}

export function aRectangle(ring: readonly LngLat[] = squareAround(DEPOT, 0.01)): FenceShape {
  return { ...aPolygon(ring), kind: 'rectangle' };
}

export function aCircle(radiusMeters = 500, center: LngLat = DEPOT): FenceShape {
  return { kind: 'circle', geometry: { type: 'Point', coordinates: center }, radiusMeters, widthMeters: 0 };
}

export function aCorridor(
  widthMeters = 50,
  line: readonly LngLat[] = [DEPOT, [121.52, 25.01], [121.6, 25]],
): FenceShape {
  return { kind: 'corridor', geometry: { type: 'LineString', coordinates: line }, radiusMeters: 0, widthMeters };
}

export function aFenceContent(change: Partial<FenceContent> = {}): FenceContent {
  return {
    name: 'Depot',
    enabled: true,
    ...aPolygon(),
    color: '#1976d2',
    validFromMs: wallMs(0),
    validToMs: wallMs(0),
    schedule: [],
    timeZone: '',
    deviceGroups: [],
    devices: [],
    rules: {
      enter: true,
      leave: true,
      insideMinutes: 0,
      outsideMinutes: 0,
      speedKmh: 0,
      parkedMinutes: 0,
      wrongDirection: false,
    },
    ...change,
  };
}
