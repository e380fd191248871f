// The messages that set a fence in a terminal and remove it. Pure.
import type { FenceContent, FenceShape, LngLat } from '../../../shared/protocol/api/fences/fences.ts';
import { hasCrossingEdges } from '../../../shared/protocol/fences/crossingEdges.ts';
import type { FenceKind, TerminalAreaNote } from '../../../shared/protocol/fences/fenceWords.ts';
import type { MessageBody } from '../jt808/codec/message.ts';
import { AreaBit, AreaKind, type AreaRules, SectionBit } from '../jt808/codec/messages/areas.ts';
import { signsOf, simplifiedTo, wirePlace } from './areaShape.ts';

/** A fence with the number that terminals know its area by. */
export interface NumberedFence {
  readonly id: number;
  readonly content: FenceContent;
}

export type AreaBody =
  | { readonly ok: true; readonly body: MessageBody; readonly note: TerminalAreaNote }
  /** The area lies on both sides of the equator or of a prime meridian. */
  | { readonly ok: false };

/** Message 0x8604 stays small enough for terminals that take no packages. */
const MAX_AREA_VERTICES = 100;
const MAX_ROUTE_WIDTH_METERS = 255;
/** Terminals report speeding when it has lasted this long. */
const SPEEDING_SECONDS = 5;
const MAX_NAME_LENGTH = 32;
/** Action of 0x8600 and 0x8602. */
const AreaAction = { Append: 1, Modify: 2 } as const;
const DAY_MINUTES = 1_440;

/** `isThere`: the terminal has an area with that number, of the same kind. */
export function areaBody({ id, content }: NumberedFence, isThere = false): AreaBody {
  const rules: AreaRules = { id, ...rulesOf(content), name: content.name.slice(0, MAX_NAME_LENGTH) };
  if (content.kind === 'corridor') return routeBody(rules, content);
  const positions = positionsOf(content);
  const signs = signsOf(positions);
  if (signs === undefined) return { ok: false };
  const action = isThere ? AreaAction.Modify : AreaAction.Append;
  const hemisphere = (signs.isSouth ? 1 << AreaBit.South : 0) | (signs.isWest ? 1 << AreaBit.West : 0);
  const signed = { ...rules, attributes: rules.attributes | hemisphere };
  switch (content.kind) {
    case 'circle':
      return fits({ kind: 'setCircles', action, areas: [{ ...signed, ...circleOf(content) }] });
    case 'rectangle':
      return fits({ kind: 'setRectangles', action, areas: [{ ...signed, ...rectangleOf(positions) }] });
    case 'polygon':
      return polygonBody(signed, positions);
  }
}

export function removalBody(kind: FenceKind, id: number): MessageBody {
  return { kind: REMOVALS[kind], ids: [id] };
}

/** The kind of area to ask a terminal for. */
export function areaKindOf(kind: FenceKind): number {
  return AREA_KINDS[kind];
}

const REMOVALS = {
  circle: 'deleteCircles',
  rectangle: 'deleteRectangles',
  polygon: 'deletePolygons',
  corridor: 'deleteRoutes',
} as const satisfies Record<FenceKind, MessageBody['kind']>;

const AREA_KINDS = {
  circle: AreaKind.Circle,
  rectangle: AreaKind.Rectangle,
  polygon: AreaKind.Polygon,
  corridor: AreaKind.Route,
} as const satisfies Record<FenceKind, number>;

function fits(body: MessageBody, note: TerminalAreaNote = ''): AreaBody {
  return { ok: true, body, note };
}

/** The positions of the shape; a ring's without its last one, which repeats the first. */
function positionsOf({ geometry }: FenceShape): readonly LngLat[] {
  switch (geometry.type) {
    case 'Point':
      return [geometry.coordinates];
    case 'LineString':
      return geometry.coordinates;
    case 'Polygon':
      return (geometry.coordinates[0] ?? []).slice(0, -1);
  }
}

type Rules = Pick<AreaRules, 'attributes' | 'window' | 'speedLimit'>;

function rulesOf(content: FenceContent): Rules {
  const { enter, leave, speedKmh } = content.rules;
  const tells = (enter ? 1 << AreaBit.EnterTellsPlatform : 0) | (leave ? 1 << AreaBit.LeaveTellsPlatform : 0);
  const window = dailyWindow(content);
  const limit = { maxSpeedKmh: speedKmh, durationSeconds: SPEEDING_SECONDS, nightMaxSpeedKmh: speedKmh };
  const withWindow =
    window === undefined ? { attributes: tells } : { attributes: tells | (1 << AreaBit.Times), window };
  if (speedKmh === 0) return withWindow;
  return { ...withWindow, attributes: withWindow.attributes | (1 << AreaBit.SpeedLimit), speedLimit: limit };
}

/** Zones with the same time of day as the terminals' clocks, which show GMT+8. */
const ZONES_OF_TERMINALS: ReadonlySet<string> = new Set([
  'Asia/Taipei',
  'Asia/Shanghai',
  'Asia/Hong_Kong',
  'Asia/Macau',
  'Asia/Singapore',
  'Asia/Kuala_Lumpur',
  'Asia/Manila',
  'Australia/Perth',
]);

/** Terminals know no days of the week and no zones: any other schedule is left to the gateway, and the area holds at all times. */
function dailyWindow({ schedule, timeZone }: FenceContent): AreaRules['window'] {
  const [only, ...others] = schedule;
  if (only === undefined || others.length > 0 || only.days.length < 7) return undefined;
  if (!ZONES_OF_TERMINALS.has(timeZone) || only.fromMinute >= only.toMinute) return undefined;
  return { start: dailyTime(only.fromMinute, 0), end: dailyTime(only.toMinute, 0) };
}

function dailyTime(minute: number, second: number): string {
  if (minute >= DAY_MINUTES) return dailyTime(DAY_MINUTES - 1, 59);
  const digits = [0, 0, 0, Math.floor(minute / 60), minute % 60, second];
  return digits.map((each) => String(each).padStart(2, '0')).join('');
}

function circleOf({ geometry, radiusMeters }: FenceShape) {
  const center: LngLat = geometry.type === 'Point' ? geometry.coordinates : [0, 0];
  return { ...wirePlace(center), radiusMeters: Math.round(radiusMeters) };
}

/** West is left and north is top, also where coordinates are negative. */
function rectangleOf(ring: readonly LngLat[]) {
  const lngs = ring.map(([lng]) => lng);
  const lats = ring.map(([, lat]) => lat);
  const topLeft = wirePlace([Math.min(...lngs), Math.max(...lats)]);
  const bottomRight = wirePlace([Math.max(...lngs), Math.min(...lats)]);
  return {
    top: topLeft.latitude,
    left: topLeft.longitude,
    bottom: bottomRight.latitude,
    right: bottomRight.longitude,
  };
}

function polygonBody(rules: AreaRules, ring: readonly LngLat[]): AreaBody {
  const fewer = fewerVertices(ring);
  const body: MessageBody = { kind: 'setPolygon', ...rules, vertices: fewer.map(wirePlace) };
  return fits(body, fewer.length < ring.length ? 'simplified' : '');
}

/** A narrow outline may cross itself with so few vertices; then more are kept. */
function fewerVertices(ring: readonly LngLat[]): readonly LngLat[] {
  const [first] = ring;
  const closed = first === undefined ? [] : [...ring, first];
  for (let count = MAX_AREA_VERTICES; count < ring.length; count *= 2) {
    const fewer = simplifiedTo(closed, count + 1).slice(0, -1);
    if (!hasCrossingEdges(fewer)) return fewer;
  }
  return ring;
}

/** A route has its signs and its speed limit at each of its sections. */
function routeBody(
  { id, attributes, window, speedLimit, name }: AreaRules,
  { geometry, widthMeters }: FenceShape,
): AreaBody {
  const given = geometry.type === 'LineString' ? geometry.coordinates : [];
  const line = simplifiedTo(given, MAX_AREA_VERTICES);
  const width = Math.min(MAX_ROUTE_WIDTH_METERS, Math.max(1, Math.round(widthMeters)));
  const points = line.map((position, at) => {
    const [lng, lat] = position;
    const signs = (lat < 0 ? 1 << SectionBit.South : 0) | (lng < 0 ? 1 << SectionBit.West : 0);
    const section = speedLimit === undefined ? signs : signs | (1 << SectionBit.SpeedLimit);
    const point = { id: at + 1, sectionId: at + 1, ...wirePlace(position), widthMeters: width, attributes: section };
    return speedLimit === undefined ? point : { ...point, speedLimit };
  });
  const withoutLimit = attributes & ~(1 << AreaBit.SpeedLimit);
  const route = { kind: 'setRoute', id, attributes: withoutLimit, points, name: name ?? '' } as const;
  const note = width < Math.round(widthMeters) ? 'narrowed' : line.length < given.length ? 'simplified' : '';
  return fits(window === undefined ? route : { ...route, window }, note);
}
