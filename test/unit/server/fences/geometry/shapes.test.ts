import { booleanPointInPolygon } from '@turf/boolean-point-in-polygon';
import { destination } from '@turf/destination';
import { distance } from '@turf/distance';
import { lineString, point, polygon } from '@turf/helpers';
import { pointToLineDistance } from '@turf/point-to-line-distance';
import { describe, expect, it } from 'vitest';
import { Circle } from '../../../../../server/fences/geometry/circle.ts';
import { Corridor } from '../../../../../server/fences/geometry/corridor.ts';
import { Ring } from '../../../../../server/fences/geometry/ring.ts';
import type { LngLat } from '../../../../../shared/protocol/api/fences/fences.ts';
import { createRandom, FUZZ_RUNS, FUZZ_TIMEOUT_MS, type Random } from '../../../../support/fuzz.ts';

const POINTS_A_SHAPE = 500;
/** A million of points in `test:long`. */
const SHAPES = Math.ceil(Math.max(20_000, FUZZ_RUNS) / POINTS_A_SHAPE);
const MICRO = 1_000_000;
/** Beside the border both are right, each in its way. */
const BORDER_METERS = 0.001;

function between(low: number, high: number, random: Random): number {
  return low + ((high - low) * random(MICRO)) / MICRO;
}

/** Corners all around a place, at all distances: stars with deep notches. */
function randomRing(random: Random, [lng, lat]: LngLat, size: number): LngLat[] {
  const corners = 3 + random(120);
  const ring = Array.from({ length: corners }, (_, at): LngLat => {
    const angle = ((at + between(0, 0.9, random)) / corners) * 2 * Math.PI;
    const reach = size * between(0.2, 1, random);
    return [lng + reach * Math.cos(angle), lat + reach * Math.sin(angle)];
  });
  return [...ring, ring[0] ?? [lng, lat]];
}

describe('outlines of geofences against turf', () => {
  it(
    'polygons contain what theirs contain',
    () => {
      const random = createRandom(11);
      for (let shape = 0; shape < SHAPES; shape++) {
        const center: LngLat = [between(-170, 170, random), between(-75, 75, random)];
        const size = between(0.0005, 3, random);
        const coordinates = randomRing(random, center, size);
        const ring = new Ring(coordinates);
        const theirs = polygon([coordinates.map(([lng, lat]) => [lng, lat])]);
        for (let at = 0; at < POINTS_A_SHAPE; at++) {
          const lng = center[0] + between(-1.1, 1.1, random) * size;
          const lat = center[1] + between(-1.1, 1.1, random) * size;
          if (ring.contains(lat, lng) === booleanPointInPolygon(point([lng, lat]), theirs)) continue;
          expect(ring.borderMeters(lat, lng)).toBeLessThan(BORDER_METERS);
        }
      }
    },
    FUZZ_TIMEOUT_MS,
  );

  it(
    'circles contain what is as near by their distance',
    () => {
      const random = createRandom(12);
      for (let shape = 0; shape < SHAPES; shape++) {
        const center: LngLat = [between(-180, 180, random), between(-80, 80, random)];
        const radius = between(10, 200_000, random);
        const circle = new Circle({ latitude: center[1], longitude: center[0] }, radius);
        for (let at = 0; at < POINTS_A_SHAPE / 5; at++) {
          const far = between(0, 2 * radius, random);
          const to = destination([...center], far, between(0, 360, random), { units: 'meters' });
          const [lng = 0, lat = 0] = to.geometry.coordinates;
          const meters = distance([...center], [lng, lat], { units: 'meters' });
          if (Math.abs(meters - radius) < BORDER_METERS) continue;
          expect(circle.contains(lat, lng > 180 ? lng - 360 : lng)).toBe(meters < radius);
          expect(circle.borderMeters(lat, lng)).toBeCloseTo(Math.abs(meters - radius), 2);
        }
      }
    },
    FUZZ_TIMEOUT_MS,
  );

  it(
    'corridors contain what is as near to their line, to a thousandth',
    () => {
      const random = createRandom(13);
      for (let shape = 0; shape < SHAPES; shape++) {
        const start: LngLat = [between(-170, 170, random), between(-60, 60, random)];
        const line = randomLine(random, start);
        const width = between(5, 500, random);
        const corridor = new Corridor(line, width);
        const theirs = lineString(line.map(([lng, lat]) => [lng, lat]));
        for (let at = 0; at < POINTS_A_SHAPE / 25; at++) {
          const [lng, lat] = line[random(line.length)] ?? start;
          const to = [lng + between(-0.005, 0.005, random), lat + between(-0.005, 0.005, random)];
          const meters = pointToLineDistance(to, theirs, { units: 'meters' });
          // A straight line of degrees and a great circle are centimeters apart over such a way.
          if (Math.abs(meters - width / 2) < 0.1 + meters / 1_000) continue;
          expect(corridor.contains(to[1] ?? 0, to[0] ?? 0)).toBe(meters < width / 2);
        }
      }
    },
    FUZZ_TIMEOUT_MS,
  );
});

function randomLine(random: Random, start: LngLat): LngLat[] {
  let [lng, lat] = start;
  return Array.from({ length: 2 + random(40) }, (): LngLat => {
    lng += between(-0.01, 0.01, random);
    lat += between(-0.01, 0.01, random);
    return [lng, lat];
  });
}

describe('outlines across the antimeridian', () => {
  const written: readonly LngLat[][] = [
    [
      [179, -17],
      [-179, -17],
      [-179, -16],
      [179, -16],
      [179, -17],
    ],
    [
      [179, -17],
      [181, -17],
      [181, -16],
      [179, -16],
      [179, -17],
    ],
    [
      [-181, -17],
      [-179, -17],
      [-179, -16],
      [-181, -16],
      [-181, -17],
    ],
  ];

  it.each(written)('polygons contain both sides of it, however they are written: %#', (...coordinates) => {
    const ring = new Ring(coordinates);
    expect([179.5, 180, -180, -179.5].map((lng) => ring.contains(-16.5, lng))).toEqual([true, true, true, true]);
    expect([178.9, -178.9, 0].map((lng) => ring.contains(-16.5, lng))).toEqual([false, false, false]);
    expect(ring.borderMeters(-16.5, -179.999)).toBeCloseTo(ring.borderMeters(-16.5, 180.001), 3);
    const [from, to] = [
      { latitude: -16.5, longitude: 178 },
      { latitude: -16.5, longitude: -178 },
    ];
    expect(ring.isCrossed(from, to)).toBe(true);
    expect(ring.isCrossed({ ...from, latitude: 0 }, { ...to, latitude: 0 })).toBe(false);
  });

  it('circles and corridors contain both sides of it', () => {
    const circle = new Circle({ latitude: 0, longitude: 179.999 }, 1_000);
    expect([179.9985, -179.999].map((lng) => circle.contains(0, lng))).toEqual([true, true]);
    expect(circle.contains(0, -179.98)).toBe(false);
    const corridor = new Corridor(
      [
        [179.9, 0],
        [-179.9, 0],
      ],
      100,
    );
    expect([179.95, 180, -180, -179.95].map((lng) => corridor.contains(0, lng))).toEqual([true, true, true, true]);
    expect([179.8, -179.8].map((lng) => corridor.contains(0, lng))).toEqual([false, false]);
    const halfway = corridor.progressAt(0, -180).alongMeters;
    expect(corridor.progressAt(0, -179.9).alongMeters).toBeCloseTo(2 * halfway, 3);
  });
});

describe('ways through an outline', () => {
  const square = new Ring([
    [120, 24],
    [120.01, 24],
    [120.01, 24.01],
    [120, 24.01],
  ]);
  const at = (latitude: number, longitude: number) => ({ latitude, longitude });

  it('lead through a polygon, a circle or a corridor without a point in it', () => {
    expect(square.isCrossed(at(24.005, 119.99), at(24.005, 120.02))).toBe(true);
    expect(square.isCrossed(at(24.005, 119.98), at(24.005, 119.99))).toBe(false);
    expect(square.isCrossed(at(23.99, 119.99), at(23.99, 120.02))).toBe(false);
    const circle = new Circle(at(24, 120), 100);
    expect(circle.isCrossed(at(24.0005, 119.9), at(24.0005, 120.1))).toBe(true);
    expect(circle.isCrossed(at(24.002, 119.9), at(24.002, 120.1))).toBe(false);
    const corridor = new Corridor(
      [
        [120, 24],
        [120, 24.1],
      ],
      20,
    );
    expect(corridor.isCrossed(at(24.05, 119.99), at(24.05, 120.01))).toBe(true);
    expect(corridor.isCrossed(at(24.2, 119.99), at(24.2, 120.01))).toBe(false);
  });

  it('are measured along a corridor, with its direction', () => {
    const corridor = new Corridor(
      [
        [120, 24],
        [120, 24.01],
        [120.01, 24.01],
      ],
      20,
    );
    const { alongMeters, bearingDeg } = corridor.progressAt(24.005, 120.000_01);
    expect(alongMeters).toBeCloseTo(555.97, 0);
    expect(bearingDeg).toBeCloseTo(0, 5);
    expect(corridor.progressAt(24.01, 120.005).bearingDeg).toBeCloseTo(90, 5);
  });
});
