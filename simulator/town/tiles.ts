// The demo's town cut into vector tiles.
import { GeoJSONVT, type GeoJSONVTOptions } from '@maplibre/geojson-vt';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import type { Feature } from 'geojson';
import { BOUNDS, LAYERS, type TownFeature, townFeatures } from './features.ts';

export interface Tile {
  readonly zoom: number;
  readonly column: number;
  readonly row: number;
  readonly bytes: Uint8Array;
}

/** The map draws these larger where a reader looks closer. */
export const MAX_ZOOM = 14;
const EXTENT = 4_096;
const OPTIONS: GeoJSONVTOptions = {
  maxZoom: MAX_ZOOM,
  indexMaxZoom: MAX_ZOOM,
  extent: EXTENT,
  buffer: 64,
  tolerance: 2,
};

export function townTiles(): readonly Tile[] {
  const features = townFeatures();
  const tiles: Tile[] = [];
  for (let zoom = 0; zoom <= MAX_ZOOM; zoom++) {
    // What comes into view at the same zoom is cut together.
    const layers = LAYERS.map((layer) => ({ layer, index: indexOf(features, layer, zoom) }));
    for (const { column, row } of tilesAt(zoom)) {
      const cut = layers.map(({ layer, index }) => [layer, index?.getTile(zoom, column, row)] as const);
      const filled = cut.flatMap(([layer, tile]) => (tile && tile.features.length > 0 ? [[layer, tile] as const] : []));
      if (filled.length === 0) continue;
      const bytes = fromGeojsonVt(Object.fromEntries(filled), { version: 2, extent: EXTENT });
      tiles.push({ zoom, column, row, bytes });
    }
  }
  return tiles;
}

function indexOf(features: readonly TownFeature[], layer: string, zoom: number): GeoJSONVT | undefined {
  const shown = features.filter((each) => each.layer === layer && each.minZoom <= zoom);
  if (shown.length === 0) return undefined;
  const collection = { type: 'FeatureCollection' as const, features: shown.map(({ feature }): Feature => feature) };
  return new GeoJSONVT(collection, { ...OPTIONS, maxZoom: zoom, indexMaxZoom: zoom });
}

function tilesAt(zoom: number): readonly Pick<Tile, 'column' | 'row'>[] {
  const [west, south, east, north] = BOUNDS;
  const [first, last] = [tileOf(west, north, zoom), tileOf(east, south, zoom)];
  const found: Pick<Tile, 'column' | 'row'>[] = [];
  for (let row = first.row; row <= last.row; row++) {
    for (let column = first.column; column <= last.column; column++) found.push({ column, row });
  }
  return found;
}

function tileOf(longitude: number, latitude: number, zoom: number): Pick<Tile, 'column' | 'row'> {
  const across = 2 ** zoom;
  const sine = Math.sin((latitude * Math.PI) / 180);
  return {
    column: Math.floor((longitude / 360 + 0.5) * across),
    row: Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * across),
  };
}
