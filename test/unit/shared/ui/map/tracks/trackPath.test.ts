import { describe, expect, it } from 'vitest';
import { hasToFollow } from '../../../../../../shared/ui/map/tracks/followView.ts';
import { MapWindow } from '../../../../../../shared/ui/map/tracks/mapWindow.ts';
import { boundsOfPaths, NO_PATH, placeOnPath, trackPath } from '../../../../../../shared/ui/map/tracks/trackPath.ts';
import { trackRuns } from '../../../../../../shared/ui/map/tracks/trackRuns.ts';
import { trackLine } from '../../../../../support/trackAnswers.ts';

const MINUTE_MS = 60_000;
const path = (gaps: number[] = []) => trackPath(trackLine(0, 5, { gaps }));
const VIEW = { lat: 25.002, lng: 121.002, zoom: 16, width: 800, height: 600 };

describe('the place on a path', () => {
  it('is between the points before and after', () => {
    const place = placeOnPath(path(), 1.5 * MINUTE_MS);
    expect(place?.lat).toBeCloseTo(25.0015, 6);
    expect(place?.lng).toBeCloseTo(121.0015, 9);
    expect(place).toMatchObject({ speedKmh: 42, headingDeg: 45, isSilent: false });
  });

  it('is that of a point at its own moment', () => {
    expect(placeOnPath(path(), 4 * MINUTE_MS)).toMatchObject({ isSilent: false });
    expect(placeOnPath(path(), 2 * MINUTE_MS)?.lat).toBeCloseTo(25.002, 9);
  });

  it('stays at the last point while nothing is reported, and before and behind all', () => {
    const silent = placeOnPath(path([2]), 1.9 * MINUTE_MS);
    expect(silent?.lat).toBeCloseTo(25.001, 9);
    expect(silent).toMatchObject({ isSilent: true, speedKmh: 0 });
    expect(placeOnPath(path(), -1)).toMatchObject({ isSilent: true });
    expect(placeOnPath(path(), 5 * MINUTE_MS)?.lat).toBeCloseTo(25.004, 9);
    expect(placeOnPath(NO_PATH, 0)).toBeUndefined();
  });

  it('is within the bounds of all paths', () => {
    const [west = 0, south = 0, east = 0, north = 0] = boundsOfPaths([path(), NO_PATH]) ?? [];
    expect([west, east].map((degrees) => degrees.toFixed(4))).toEqual(['121.0000', '121.0040']);
    expect([south, north].map((degrees) => degrees.toFixed(4))).toEqual(['25.0000', '25.0040']);
    expect(boundsOfPaths([NO_PATH])).toBeUndefined();
  });
});

describe('what is drawn of a path', () => {
  it('is a run for each color, with gaps apart', () => {
    const line = trackPath(trackLine(0, 5, { gaps: [3], speedKmh: [10, 10, 70, 70, 70] }));
    const { runs, gaps, arrows } = trackRuns(line, new MapWindow(VIEW));
    expect(runs.map(({ band, points }) => [band, points.length])).toEqual([
      [0, 2],
      [3, 2],
      [3, 2],
    ]);
    expect(gaps).toHaveLength(1);
    // To the north-east.
    for (const { angle } of arrows) expect(angle).toBeCloseTo(Math.PI / 4, 1);
    expect(arrows.length).toBeGreaterThan(0);
  });

  it('leaves out what falls together, and what is out of sight', () => {
    const far = new MapWindow({ ...VIEW, zoom: 3 });
    expect(trackRuns(path(), far).runs).toEqual([]);
    const elsewhere = new MapWindow({ ...VIEW, lat: 40 });
    expect(trackRuns(path(), elsewhere).runs).toEqual([]);
  });
});

describe('a map that follows', () => {
  it('moves when the vehicle comes near its edge', () => {
    const size = { width: 800, height: 600 };
    expect(hasToFollow({ left: 400, top: 300 }, size)).toBe(false);
    expect(hasToFollow({ left: 630, top: 300 }, size)).toBe(false);
    expect(hasToFollow({ left: 650, top: 300 }, size)).toBe(true);
    expect(hasToFollow({ left: 400, top: 100 }, size)).toBe(true);
  });
});
