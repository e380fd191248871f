import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { FeatureCollection, Position } from 'geojson';
import { feature } from 'topojson-client';
import { describe, expect, it } from 'vitest';
import { planarRing, toPlanar } from '../../../../../shared/ui/map/planarWorld.ts';

/** Degrees to the east or west between neighbours, but along a pole: a flat map ends before it. */
const steps = (ring: readonly Position[]): number[] =>
  ring.slice(1).map(([lng = 0, lat = 0], at) => {
    const [beforeLng = 0, beforeLat = 0] = ring[at] ?? [];
    return Math.abs(lat) === 90 && lat === beforeLat ? 0 : Math.abs(lng - beforeLng);
  });

describe('the outlines on a flat map', () => {
  it('go on beyond the edge where they cross it, and come back', () => {
    const ring = [
      [178, -16],
      [-179, -16],
      [-179, -18],
      [178, -18],
      [178, -16],
    ];
    expect(planarRing(ring).map(([lng]) => lng)).toEqual([178, 181, 181, 178, 178]);
    expect(planarRing(ring.toReversed()).map(([lng]) => lng)).toEqual([178, 178, 181, 181, 178]);
  });

  it('are left as they are where they cross nothing', () => {
    const ring = [
      [-10, 1],
      [170, 1],
      [170, 3],
      [-10, 1],
    ];
    expect(planarRing(ring)).toEqual(ring);
  });

  it('are closed along the pole that they go round', () => {
    const ring = [
      [-120, -70],
      [0, -75],
      [120, -70],
      [-120, -70],
    ];
    expect(planarRing(ring)).toEqual([
      [-120, -70],
      [0, -75],
      [120, -70],
      [240, -70],
      [240, -90],
      [-120, -90],
      [-120, -70],
    ]);
  });

  it('have no line through the oceans in the whole world that the map is drawn from', () => {
    const file = createRequire(import.meta.url).resolve('world-atlas/countries-50m.json');
    const topology = JSON.parse(readFileSync(file, 'utf8'));
    const world = feature(topology, topology.objects.countries) as unknown as FeatureCollection;
    const long = (collection: FeatureCollection): number[] =>
      collection.features.flatMap(({ geometry }) => {
        const polygons =
          geometry.type === 'MultiPolygon'
            ? geometry.coordinates
            : geometry.type === 'Polygon'
              ? [geometry.coordinates]
              : [];
        return polygons
          .flat()
          .flatMap(steps)
          .filter((degrees) => degrees > 180);
      });
    expect(long(world).length).toBeGreaterThan(0);
    expect(long(toPlanar(world))).toEqual([]);
  });
});
