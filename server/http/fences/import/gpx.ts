// GPX: a track or a route is a corridor, a waypoint a circle. Pure.
import type { LngLat } from '../../../../shared/protocol/api/fences/fences.ts';
import { MAX_VERTICES } from '../../../../shared/protocol/fences/fenceWords.ts';
import { type DefaultSizes, type FeatureReader, fencesOf, type ReadGeometry } from './readFence.ts';
import { attributeOf, childOf, childrenOf, textOf, type XmlNode } from './xmlTree.ts';

/** What reads each of its features. Undefined for what is no GPX. */
export function readGpx(tree: XmlNode, sizes: DefaultSizes): FeatureReader[] | undefined {
  const root = childOf(tree, 'gpx');
  if (root === undefined) return undefined;
  const tracks = childrenOf(root, 'trk').map((track) => ({
    node: track,
    parts: () => childrenOf(track, 'trkseg').map((segment) => lineOf(childrenOf(segment, 'trkpt'))),
  }));
  const routes = childrenOf(root, 'rte').map((route) => ({
    node: route,
    parts: () => [lineOf(childrenOf(route, 'rtept'))],
  }));
  const waypoints = childrenOf(root, 'wpt').map((waypoint) => ({ node: waypoint, parts: () => [pointOf(waypoint)] }));
  return [...tracks, ...routes, ...waypoints].map(
    ({ node, parts }, at) =>
      () =>
        fencesOf({ line: at + 1, name: textOf(childOf(node, 'name')) }, parts(), sizes),
  );
}

/** Of a line that is too long no more is read than tells so. */
function lineOf(all: readonly XmlNode[]): ReadGeometry {
  const points = all.slice(0, MAX_VERTICES + 1);
  const positions = points.map(positionOf).filter((position) => position !== undefined);
  return positions.length < points.length ? undefined : { type: 'LineString', coordinates: positions };
}

function pointOf(point: XmlNode): ReadGeometry {
  const position = positionOf(point);
  return position && { type: 'Point', coordinates: position };
}

function positionOf(point: XmlNode): LngLat | undefined {
  const [lng, lat] = [numberOf(attributeOf(point, 'lon')), numberOf(attributeOf(point, 'lat'))];
  return lng === undefined || lat === undefined ? undefined : [lng, lat];
}

function numberOf(text: string): number | undefined {
  const number = Number(text);
  return text.trim() === '' || !Number.isFinite(number) ? undefined : number;
}
