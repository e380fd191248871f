// GPX: a track or a route is a corridor, a waypoint a circle. Pure.
import { type LngLat, MAX_FENCE_NAME } from '../../../../shared/protocol/api/fences/fences.ts';
import { MAX_VERTICES } from '../../../../shared/protocol/fences/fenceWords.ts';
import { decimalOf } from '../../imports/decimal.ts';
import {
  type BadCoordinates,
  badCoordinates,
  type FeatureReader,
  type FenceDefaults,
  fencesOf,
  lineOfText,
  type ReadGeometry,
} from './readFence.ts';
import { attributeOf, childOf, childrenOf, textBelow, textOf, type XmlNode } from './xmlTree.ts';

interface GpxFeature {
  readonly node: XmlNode;
  readonly parts: () => readonly ReadGeometry[];
}

/** Readers of the file's features. Undefined for XML that isn't GPX. */
export function readGpx(tree: XmlNode, given: FenceDefaults): FeatureReader[] | undefined {
  const root = childOf(tree, 'gpx');
  if (root === undefined) return undefined;
  const features = featuresOf(root);
  // Version 1.0 has the name of the file below the root.
  const title = nameIn(childOf(root, 'metadata')) || nameIn(root);
  const defaults = { ...given, name: title || given.name };
  const only = features.length === 1 ? title : '';
  return features.map(
    ({ node, parts }, at) =>
      () =>
        fencesOf({ line: at + 1, name: ownNameOf(node) || only || describedIn(node) }, parts(), defaults),
  );
}

function featuresOf(root: XmlNode): GpxFeature[] {
  const tracks = childrenOf(root, 'trk').filter((track) => {
    return isNamed(track) || childrenOf(track, 'trkseg').some((segment) => childOf(segment, 'trkpt') !== undefined);
  });
  const routes = childrenOf(root, 'rte').filter((route) => isNamed(route) || childOf(route, 'rtept') !== undefined);
  return [
    ...tracks.map((node) => ({ node, parts: () => segmentsOf(node) })),
    ...routes.map((node) => ({ node, parts: () => [lineOf(childrenOf(node, 'rtept'))] })),
    ...childrenOf(root, 'wpt').map((node) => ({ node, parts: () => [pointOf(node)] })),
  ];
}

/** Nobody would miss an empty track without a name. */
function isNamed(node: XmlNode): boolean {
  return ownNameOf(node) !== '';
}

function nameIn(node: XmlNode | undefined): string {
  return node === undefined ? '' : lineOfText(textBelow(node, 'name'));
}

/** Programs put values that GPX has no place for into extensions, most of them one element deeper. */
function ownNameOf(node: XmlNode): string {
  const extensions = childrenOf(node, 'extensions');
  const places = [...extensions, ...extensions.flatMap(({ children }) => children)];
  const texts = places.flatMap((place) => [textBelow(place, 'name'), textBelow(place, 'displayname')]);
  return nameIn(node) || (texts.map(lineOfText).find((text) => text !== '') ?? '');
}

/** The description, if it isn't too long to be a name. */
function describedIn(node: XmlNode): string {
  const described = ['desc', 'cmt'].map((name) => lineOfText(textOf(childOf(node, name))));
  return described.find((text) => text !== '' && text.length <= MAX_FENCE_NAME) ?? '';
}

function segmentsOf(track: XmlNode): ReadGeometry[] {
  const segments = childrenOf(track, 'trkseg').map((segment) => lineOf(childrenOf(segment, 'trkpt')));
  return segments.length > 0 ? segments : [lineOf([])];
}

/** Reads only as much of a line that is too long as shows that it is. */
function lineOf(all: readonly XmlNode[]): ReadGeometry {
  const positions: LngLat[] = [];
  for (const point of all.slice(0, MAX_VERTICES + 1)) {
    const position = positionOf(point);
    if (position === undefined) return badPoint(point, positions.length + 1);
    positions.push(position);
  }
  return { type: 'LineString', coordinates: positions };
}

function pointOf(point: XmlNode): ReadGeometry {
  const position = positionOf(point);
  return position === undefined ? badPoint(point, 1) : { type: 'Point', coordinates: position };
}

/** `number`: number of the point, from 1. */
function badPoint(point: XmlNode, number: number): BadCoordinates {
  return badCoordinates(number, `lat="${attributeOf(point, 'lat')}" lon="${attributeOf(point, 'lon')}"`);
}

function positionOf(point: XmlNode): LngLat | undefined {
  const [lng, lat] = [decimalOf(attributeOf(point, 'lon').trim()), decimalOf(attributeOf(point, 'lat').trim())];
  return lng === undefined || lat === undefined ? undefined : [lng, lat];
}
