// The demo's street map: what a customer gets from `pmtiles extract`, in small and of a town that does not exist.
// It is made when the demo starts, since nobody can review a binary in the repository.
import { BOUNDS, LAYERS } from './features.ts';
import { pmtilesFile } from './pmtilesFile.ts';
import { MAX_ZOOM, townTiles } from './tiles.ts';

const METADATA = {
  name: "The demo's town",
  type: 'baselayer',
  attribution: 'Fictional town',
  vector_layers: LAYERS.map((id) => ({ id, fields: { kind: 'String', name: 'String', min_zoom: 'Number' } })),
};

/** Takes about a second. */
export function townFile(): Buffer {
  return pmtilesFile(townTiles(), { bounds: BOUNDS, maxZoom: MAX_ZOOM, metadata: METADATA });
}
