// GeoJSON (RFC 7946): a circle is its center and a corridor its line, with radius and width as properties.
import type { StoredFence } from '../../../store/fences/fences.ts';

export function* geojsonParts(fences: readonly StoredFence[]): Generator<string> {
  yield '{"type":"FeatureCollection","features":[';
  for (const [at, { content }] of fences.entries())
    yield `${at === 0 ? '\n' : ',\n'}${JSON.stringify(featureOf(content))}`;
  yield '\n]}\n';
}

function featureOf({ name, kind, geometry, radiusMeters, widthMeters, color }: StoredFence['content']) {
  // `stroke` and `fill` are what other programs color an outline by.
  const properties = { name, kind, ...sizeOf({ radiusMeters, widthMeters }), color, stroke: color, fill: color };
  return { type: 'Feature', properties, geometry };
}

function sizeOf({ radiusMeters, widthMeters }: Pick<StoredFence['content'], 'radiusMeters' | 'widthMeters'>) {
  if (radiusMeters > 0) return { radiusMeters };
  return widthMeters > 0 ? { widthMeters } : {};
}
