// GPX: a track or a route is a corridor, a waypoint a circle. Pure.
import type { LngLat } from '../../../../shared/protocol/api/fences/fences.ts';
import { type DefaultSizes, fencesOf, type ReadFence, type ReadGeometry } from './readFence.ts';
import { attributeOf, childOf, childrenOf, textOf, type XmlNode } from './xmlTree.ts';

export function readGpx(tree: XmlNode, sizes: DefaultSizes): ReadFence[] | undefined {
  const root = childOf(tree, 'gpx');
  if (root === undefined) return undefined;
  const tracks = childrenOf(root, 'trk').map((track) => ({
    node: track,
    parts: childrenOf(track, 'trkseg').map((segment) => lineOf(childrenOf(segment, 'trkpt'))),
  }));
  const routes = childrenOf(root, 'rte').map((route) => ({ node: route, parts: [lineOf(childrenOf(route, 'rtept'))] }));
  const waypoints = childrenOf(root, 'wpt').map((waypoint) => ({ node: waypoint, parts: [pointOf(waypoint)] }));
  return [...tracks, ...routes, ...waypoints].flatMap(({ node, parts }, at) =>
    fencesOf({ line: at + 1, name: textOf(childOf(node, 'name')) }, parts, sizes),
  );
}

function lineOf(points: readonly XmlNode[]): ReadGeometry {
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
