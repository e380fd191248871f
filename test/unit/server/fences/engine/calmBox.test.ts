import { describe, expect, it } from 'vitest';
import { devicePlacesOf } from '../../../../../server/fences/directory/devicePlaces.ts';
import { FenceSet } from '../../../../../server/fences/directory/fenceSet.ts';
import type { StoredFence } from '../../../../../server/fences/directory/fenceSource.ts';
import { type PreparedFence, prepareFence } from '../../../../../server/fences/directory/preparedFence.ts';
import type { Box, Shape } from '../../../../../server/fences/geometry/shape.ts';
import type { LngLat } from '../../../../../shared/protocol/api/fences/fences.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';
import { FENCE_PLACES, fenceContent } from '../../../../support/fences.ts';
import { createRandom, FUZZ_RUNS, FUZZ_TIMEOUT_MS, pick, type Random } from '../../../../support/fuzz.ts';
import { Drive, START_MS } from './drive.ts';

const FENCES_A_TOWN = 25;
const STEPS_A_DRIVE = 400;
const DRIVES = Math.max(12, Math.ceil(FUZZ_RUNS / STEPS_A_DRIVE));
const PAIRS_A_BOX = 12;
/** Reach of the town, in degrees from its middle. */
const REACH = 0.03;
const MICRO = 1_000_000;
const EVERYWHERE: Box = { south: -90, west: -180, north: 90, east: 180 };

const between = (low: number, high: number, random: Random) => low + ((high - low) * random(MICRO)) / MICRO;

const placeIn = ([lng, lat]: LngLat, reach: number, random: Random): LngLat => [
  lng + between(-reach, reach, random),
  lat + between(-reach, reach, random),
];

function randomOutline(center: LngLat, random: Random): Parameters<typeof fenceContent>[0] {
  const size = between(0.000_3, 0.02, random);
  const [lng, lat] = placeIn(center, REACH, random);
  switch (random(4)) {
    case 0:
      return { kind: 'circle', geometry: { type: 'Point', coordinates: [lng, lat] }, radiusMeters: size * 100_000 };
    case 1: {
      const coordinates = Array.from({ length: 2 + random(20) }, () => placeIn([lng, lat], size, random));
      return { kind: 'corridor', geometry: { type: 'LineString', coordinates }, widthMeters: between(10, 400, random) };
    }
    case 2: {
      const [east, north] = [lng + size, lat + between(0.000_3, size, random)];
      const corners: LngLat[] = [
        [lng, lat],
        [east, lat],
        [east, north],
        [lng, north],
        [lng, lat],
      ];
      return { kind: 'rectangle', geometry: { type: 'Polygon', coordinates: [corners] } };
    }
    default: {
      const corners = 3 + random(60);
      const ring = Array.from({ length: corners }, (_, at): LngLat => {
        const angle = ((at + between(0, 0.9, random)) / corners) * 2 * Math.PI;
        const reach = size * between(0.2, 1, random);
        return [lng + reach * Math.cos(angle), lat + reach * Math.sin(angle)];
      });
      return { kind: 'polygon', geometry: { type: 'Polygon', coordinates: [[...ring, ring[0] ?? [lng, lat]]] } };
    }
  }
}

/** A fence; a third of them are for another device, for some minutes, or with hours. */
function randomFence(id: number, center: LngLat, random: Random): StoredFence {
  const odd = random(9);
  const fromMs = START_MS + random(120) * 60_000;
  const content = fenceContent({
    ...randomOutline(center, random),
    ...(odd === 0 && { devices: ['ANOTHER'] }),
    ...(odd === 1 && { validFromMs: wallMs(fromMs), validToMs: wallMs(fromMs + 20 * 60_000) }),
    ...(odd === 2 && { schedule: [{ days: [1, 2, 3, 4, 5, 6, 7], fromMinute: 490, toMinute: 520 }] }),
    rules: {
      enter: true,
      leave: true,
      insideMinutes: random(3) * 5,
      outsideMinutes: random(8) === 0 ? 10 : 0,
      speedKmh: random(2) * 60,
      parkedMinutes: random(3) * 3,
      wrongDirection: random(2) === 0,
    },
  });
  return { id, memberGroup: 1, version: 1, content };
}

/** A fence that is looked at for each point, from wherever the point is. */
function alwaysAsked(fence: PreparedFence): PreparedFence {
  const { shape } = fence;
  const asked: Shape = {
    box: EVERYWHERE,
    contains: (latitude, longitude) => shape.contains(latitude, longitude),
    borderMeters: (latitude, longitude) => shape.borderMeters(latitude, longitude),
    isCrossed: (from, to) => shape.isCrossed(from, to),
    isBorderIn: () => true,
    ...(shape.progressAt !== undefined && {
      progressAt: (latitude: number, longitude: number) => {
        const progress = shape.progressAt?.(latitude, longitude);
        if (progress === undefined) throw new Error('no direction');
        return progress;
      },
    }),
  };
  return { ...fence, box: EVERYWHERE, shape: asked };
}

function randomTown(seed: number) {
  const random = createRandom(seed);
  const center: LngLat = [between(-170, 170, random), between(-70, 70, random)];
  const fences = Array.from({ length: FENCES_A_TOWN }, (_, at) => randomFence(at + 1, center, random)).flatMap(
    (fence) => prepareFence(fence) ?? [],
  );
  return { random, center, fences };
}

describe('a box without a border', () => {
  it(
    'changes nothing of what becomes of geofences, wherever a vehicle drives',
    () => {
      let told = 0;
      for (let seed = 1; seed <= DRIVES; seed++) {
        const { random, center, fences } = randomTown(seed);
        const places = devicePlacesOf(FENCE_PLACES);
        const quick = new Drive(new FenceSet(fences, places));
        const plain = new Drive(new FenceSet(fences.map(alwaysAsked), places));
        let [place, seconds] = [placeIn(center, REACH, random), 0];
        for (let step = 0; step < STEPS_A_DRIVE; step++) {
          const isStill = random(5) === 0;
          // Mostly some hundred meters; sometimes back to where something is.
          if (!isStill)
            place = random(40) === 0 ? placeIn(center, REACH, random) : placeIn(place, pick(STRIDES, random), random);
          seconds += pick([5, 10, 30, 60, 400], random);
          const where = {
            lng: place[0],
            lat: place[1],
            kmh: isStill ? 0 : random(90),
            heading: random(360),
            isLate: random(30) === 0,
            hasFix: random(30) > 0,
          };
          if (random(10) === 0)
            expect(quick.tick(seconds - 1).sort(), `seed ${seed}`).toEqual(plain.tick(seconds - 1).sort());
          const said = quick.at(seconds, where);
          told += said.length;
          expect(said.sort(), `seed ${seed}, step ${step}`).toEqual(plain.at(seconds, where).sort());
        }
        const inOrder = (drive: Drive) => drive.movements.map((movement) => JSON.stringify(movement)).sort();
        expect(inOrder(quick), `seed ${seed}`).toEqual(inOrder(plain));
      }
      expect(told).toBeGreaterThan(DRIVES);
    },
    FUZZ_TIMEOUT_MS,
  );

  it(
    'is inside or outside as a whole, and no way in it crosses the outline',
    () => {
      let calm = 0;
      for (let seed = 1; seed <= DRIVES * 4; seed++) {
        const { random, center, fences } = randomTown(seed);
        for (const { id, shape } of fences) {
          const [west, south] = placeIn(center, REACH, random);
          const size = pick([0.000_5, 0.002, 0.008], random);
          const box = { south, west, north: south + size, east: west + size };
          if (shape.isBorderIn(box)) continue;
          calm++;
          const isInside = shape.contains(south, west);
          for (let pair = 0; pair < PAIRS_A_BOX; pair++) {
            const [from, to] = [placeWithin(box, random), placeWithin(box, random)];
            const why = `seed ${seed}, geofence ${id}`;
            expect(shape.contains(from.latitude, from.longitude), why).toBe(isInside);
            if (!isInside) expect(shape.isCrossed(from, to), why).toBe(false);
          }
        }
      }
      expect(calm).toBeGreaterThan(DRIVES * FENCES_A_TOWN);
    },
    FUZZ_TIMEOUT_MS,
  );
});

const STRIDES = [0.000_1, 0.001, 0.004, 0.01];

function placeWithin({ south, west, north, east }: Box, random: Random) {
  return { latitude: between(south, north, random), longitude: between(west, east, random) };
}
