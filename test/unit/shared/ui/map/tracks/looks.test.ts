import { describe, expect, it } from 'vitest';
import { DARK_MAP, LIGHT_MAP } from '../../../../../../shared/ui/map/mapScheme.ts';
import { toDegrees } from '../../../../../../shared/ui/map/mercator.ts';
import { fenceOutline } from '../../../../../../shared/ui/map/tracks/fenceOutline.ts';
import {
  DARK_SPEEDS,
  DARK_VEHICLES,
  LIGHT_SPEEDS,
  LIGHT_VEHICLES,
  speedBand,
} from '../../../../../../shared/ui/map/tracks/speedColors.ts';
import { contrast } from '../../../../../support/colors.ts';

describe('the colors of tracks', () => {
  it.each([
    ['light', [...LIGHT_SPEEDS, ...LIGHT_VEHICLES], LIGHT_MAP.land],
    ['dark', [...DARK_SPEEDS, ...DARK_VEHICLES], DARK_MAP.land],
  ] as const)('stand out from the land: %s', (_scheme, colors, land) => {
    for (const color of colors) expect(contrast(color, land), color).toBeGreaterThanOrEqual(3);
  });

  it('are those of speeds', () => {
    expect([0, 19.9, 20, 79, 100, 180].map(speedBand)).toEqual([0, 0, 1, 3, 5, 5]);
  });
});

describe('the outline of a geofence', () => {
  const shape = { id: 1, name: 'Depot', color: '#1a5fb4', radiusMeters: 0, widthMeters: 0 } as const;

  it('is a ring for a circle, as far in each direction', () => {
    const { points, width } = fenceOutline({
      ...shape,
      kind: 'circle',
      radiusMeters: 1_000,
      geometry: { type: 'Point', coordinates: [121, 60] },
    });
    const places = points.map(toDegrees);
    const north = Math.max(...places.map(({ lat }) => lat)) - 60;
    const east = Math.max(...places.map(({ lng }) => lng)) - 121;
    expect(width).toBe(0);
    expect(north * 111_320).toBeCloseTo(1_000, 0);
    expect(east * 111_320 * Math.cos(Math.PI / 3)).toBeCloseTo(1_000, 0);
  });

  it('is a ring without its first point again, and a line with its width', () => {
    const ring: [number, number][] = [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
    ];
    const polygon = fenceOutline({ ...shape, kind: 'polygon', geometry: { type: 'Polygon', coordinates: [ring] } });
    expect(polygon.points).toHaveLength(3);
    const line = fenceOutline({
      ...shape,
      kind: 'corridor',
      widthMeters: 111_320,
      geometry: {
        type: 'LineString',
        coordinates: [
          [0, 0],
          [1, 0],
        ],
      },
    });
    expect(line.width).toBeCloseTo(1 / 360, 6);
  });
});
