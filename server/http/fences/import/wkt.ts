// Well-known text. Pure.
import type { LngLat } from '../../../../shared/protocol/api/fences/fences.ts';
import { closedRing, type ReadGeometry } from './readFence.ts';

const FORM = /^(?:SRID=\d{1,6};)?\s*(POINT|LINESTRING|POLYGON|MULTIPOLYGON)\s*(?:ZM|Z|M)?\s*\((.*)\)$/is;

/** The parts of the geometry; undefined for what is none. */
export function readWkt(given: string): Exclude<ReadGeometry, undefined>[] | undefined {
  const [, type = '', body = ''] = FORM.exec(given.trim()) ?? [];
  switch (type.toUpperCase()) {
    case 'POINT': {
      const [position, ...others] = positionsOf(body) ?? [];
      return position === undefined || others.length > 0 ? undefined : [{ type: 'Point', coordinates: position }];
    }
    case 'LINESTRING': {
      const coordinates = positionsOf(body);
      return coordinates && [{ type: 'LineString', coordinates }];
    }
    case 'POLYGON': {
      const polygon = polygonOf(body);
      return polygon && [polygon];
    }
    case 'MULTIPOLYGON': {
      const polygons = body
        .trim()
        .replace(/^\(/, '')
        .replace(/\)$/, '')
        .split(/\)\s*\)\s*,\s*\(\s*\(/);
      const parts = polygons.map((polygon, at) => {
        const opening = at === 0 ? '' : '(';
        const closing = at === polygons.length - 1 ? '' : ')';
        return polygonOf(`${opening}${polygon}${closing}`);
      });
      const known = parts.filter((part) => part !== undefined);
      return known.length < parts.length ? undefined : known;
    }
    default:
      return undefined;
  }
}

function polygonOf(body: string): Exclude<ReadGeometry, undefined> | undefined {
  const inner = body.trim();
  if (!inner.startsWith('(') || !inner.endsWith(')')) return undefined;
  const rings = inner
    .slice(1, -1)
    .split(/\)\s*,\s*\(/)
    .map(positionsOf);
  const known = rings.filter((ring) => ring !== undefined);
  return known.length < rings.length ? undefined : { type: 'Polygon', coordinates: known.map(closedRing) };
}

/** Longitude before latitude; what comes behind them is left out. */
function positionsOf(body: string): LngLat[] | undefined {
  const pairs = body.split(',').map((pair) => pair.trim().split(/\s+/).map(Number));
  const positions = pairs.flatMap(([lng, lat]): LngLat[] => {
    return lng !== undefined && lat !== undefined && Number.isFinite(lng) && Number.isFinite(lat) ? [[lng, lat]] : [];
  });
  return positions.length < pairs.length ? undefined : positions;
}
