import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { PMTiles, type RangeResponse } from 'pmtiles';
import { describe, expect, it } from 'vitest';
import { pmtilesFault } from '../../../server/http/fleet/pmtilesHeader.ts';
import { schemaOf } from '../../../shared/ui/map/streets/streetSchemas.ts';
import { LAP_MS, routeAt } from '../../../simulator/route.ts';
import { LAYERS, townFeatures } from '../../../simulator/town/features.ts';
import { type PlanPoint, toDegrees, toGround } from '../../../simulator/town/ground.ts';
import { distanceToSegment } from '../../../simulator/town/shapes.ts';
import { streets } from '../../../simulator/town/streets.ts';
import { townFile } from '../../../simulator/town/townFile.ts';

const METRES_PER_DEGREE = 111_320;

/** Metres to the east and north of somewhere in the town: enough for distances within it. */
function metres({ latitude, longitude }: { latitude: number; longitude: number }): PlanPoint {
  const origin = toDegrees([0, 0]);
  const scale = Math.cos((origin.latitude * Math.PI) / 180);
  return [(longitude - origin.longitude) * METRES_PER_DEGREE * scale, (latitude - origin.latitude) * METRES_PER_DEGREE];
}

const roads = streets
  .filter(({ kind }) => kind !== 'rail' && kind !== 'footway')
  .map(({ points }) => points.map(toGround));

function metresFromStreet(point: PlanPoint): number {
  const distances = roads.flatMap((road) =>
    road.slice(1).map((to, at) => distanceToSegment(point, road[at] ?? to, to)),
  );
  return Math.min(...distances);
}

const moments = (stepMs: number): readonly number[] =>
  Array.from({ length: Math.floor(LAP_MS / stepMs) }, (_, at) => at * stepMs);

describe('the lap of the vehicles', () => {
  it('lies on streets, at every moment', () => {
    const farthest = Math.max(...moments(2_000).map((atMs) => metresFromStreet(metres(routeAt(atMs, 0)))));
    // Corners are cut, as a bus does.
    expect(farthest).toBeLessThan(6);
  });

  it('is driven as a bus drives: as fast as it says, where it heads to, without a jump', () => {
    for (const atMs of moments(1_000)) {
      const [before, after] = [routeAt(atMs, 0), routeAt(atMs + 1_000, 0)];
      const [fromX, fromY] = metres(before);
      const [toX, toY] = metres(after);
      const driven = Math.hypot(toX - fromX, toY - fromY);
      expect(Math.abs(driven * 3.6 - (before.speedKmh + after.speedKmh) / 2), `at ${atMs}`).toBeLessThan(1.5);
      expect(before.speedKmh).toBeGreaterThan(15);
      expect(before.speedKmh).toBeLessThan(65);
      const heading = (Math.atan2(toX - fromX, toY - fromY) * 180) / Math.PI;
      const off = Math.abs(((heading - before.headingDegrees + 540) % 360) - 180);
      expect(off, `heading at ${atMs}`).toBeLessThan(30);
    }
  });

  it('begins where it ends', () => {
    const [begin, end] = [metres(routeAt(0, 0)), metres(routeAt(LAP_MS - 1, 0))];
    expect(Math.hypot(begin[0] - end[0], begin[1] - end[1])).toBeLessThan(1);
    expect(routeAt(LAP_MS / 2, 0).latitude).toBeCloseTo(routeAt(0, 0.5).latitude, 9);
  });
});

describe('the street map of the town', () => {
  const file = townFile();
  const map = new PMTiles({
    getKey: () => 'town',
    getBytes: async (offset: number, length: number): Promise<RangeResponse> => {
      const part = file.subarray(offset, offset + length);
      return { data: new Uint8Array(part).buffer };
    },
  });
  const tileAt = async (zoom: number, at: { latitude: number; longitude: number }): Promise<VectorTile> => {
    const across = 2 ** zoom;
    const sine = Math.sin((at.latitude * Math.PI) / 180);
    const row = (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * across;
    const tile = await map.getZxy(zoom, Math.floor((at.longitude / 360 + 0.5) * across), Math.floor(row));
    if (tile === undefined) throw new Error(`no tile at zoom ${zoom}`);
    return new VectorTile(new PbfReader(tile.data));
  };
  const centre = toDegrees([0, 0]);

  it('is small, and a PMTiles file that the gateway takes', () => {
    expect(file.length).toBeLessThan(500_000);
    expect(pmtilesFault(file, file.length)).toBeUndefined();
    expect(pmtilesFault(file, file.length - 1)).toContain('cut off');
  });

  it('is read by the library that the page reads it with', async () => {
    const header = await map.getHeader();
    expect(header).toMatchObject({ specVersion: 3, tileType: 1, tileCompression: 2, minZoom: 0, maxZoom: 14 });
    expect(header.minLon).toBeLessThan(centre.longitude);
    expect(header.maxLat).toBeGreaterThan(centre.latitude);
    const metadata = (await map.getMetadata()) as { vector_layers: { id: string }[] };
    expect(schemaOf(metadata.vector_layers.map(({ id }) => id))?.name).toBe('protomaps');
    expect(await map.getZxy(14, 0, 0)).toBeUndefined();
  });

  it('has in its tiles what a town has, the closer the more', async () => {
    const near = await tileAt(14, centre);
    expect(Object.keys(near.layers).sort()).toEqual([...LAYERS].sort());
    expect(near.layers.buildings?.length).toBeGreaterThan(100);
    expect(near.layers.roads?.length).toBeGreaterThan(20);
    const far = await tileAt(8, centre);
    expect(Object.keys(far.layers).sort()).toEqual(['earth', 'landuse', 'places', 'roads', 'water']);
    const town = far.layers.places?.feature(0);
    expect(town?.properties).toMatchObject({ name: '鏡湖鎮', 'name:en': 'Mirror Lake Town', 'name:ja': '鏡湖町' });
    expect(town?.loadGeometry().flat()).toHaveLength(1);
  });

  it('names every named thing in the three languages', () => {
    const named = townFeatures().filter(({ feature }) => feature.properties?.name !== undefined);
    expect(named.length).toBeGreaterThan(50);
    for (const { feature } of named) {
      expect(Object.keys(feature.properties ?? {})).toEqual(
        expect.arrayContaining(['name', 'name:en', 'name:zh-Hant', 'name:ja']),
      );
    }
  });
});
