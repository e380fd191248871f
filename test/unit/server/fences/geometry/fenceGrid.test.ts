import { describe, expect, it } from 'vitest';
import { FenceGrid } from '../../../../../server/fences/geometry/fenceGrid.ts';
import { type Box, boxOf, isInBox } from '../../../../../server/fences/geometry/shape.ts';
import { createRandom } from '../../../../support/fuzz.ts';

interface Boxed {
  readonly box: Box;
}

function visited(grid: FenceGrid<Boxed>, box: Box): Boxed[] {
  const found: Boxed[] = [];
  grid.visit(box, (thing) => found.push(thing));
  return found;
}

describe('the grid of geofences', () => {
  it('finds every box that a place lies in, once, whatever its size, and across the antimeridian', () => {
    const random = createRandom(21);
    const degrees = (limit: number): number => random(limit * 1_000) / 1_000;
    const boxes = Array.from({ length: 400 }, (): Boxed => {
      const [south, west] = [degrees(179) - 90, degrees(360) - 180];
      const size = 360 * (random(1_000) / 1_000) ** 8;
      return { box: boxOf(south, west, Math.min(90, south + size), west + Math.min(359, size * 2)) };
    });
    const grid = new FenceGrid(boxes);
    for (let run = 0; run < 2_000; run++) {
      const [latitude, longitude] = [degrees(180) - 90, degrees(360) - 180];
      const found = visited(grid, { south: latitude, north: latitude, west: longitude, east: longitude });
      expect(new Set(found).size).toBe(found.length);
      const wanted = boxes.filter(({ box }) => isInBox(box, latitude, longitude));
      expect(wanted.filter((each) => !found.includes(each))).toEqual([]);
    }
  });

  it('gives few others', () => {
    const boxes = Array.from({ length: 2_000 }, (_, at): Boxed => {
      const [south, west] = [22 + (at % 50) * 0.05, 120 + Math.floor(at / 50) * 0.05];
      return { box: boxOf(south, west, south + 0.01, west + 0.01) };
    });
    const grid = new FenceGrid(boxes);
    expect(visited(grid, { south: 23.005, north: 23.005, west: 121.005, east: 121.005 }).length).toBeLessThanOrEqual(2);
    expect(visited(grid, { south: 10, north: 10, west: 10, east: 10 })).toEqual([]);
  });
});
