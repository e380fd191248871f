// Whether what a terminal says that it has is what it was sent. Pure.
import type { Edition } from '../jt808/codec/codes.ts';
import type { BodyOf, MessageBody } from '../jt808/codec/message.ts';
import type { AreaRules } from '../jt808/codec/messages/areas.ts';
import { readStoredAreas, type StoredArea } from '../jt808/codec/messages/areasReply.ts';
import type { Route } from '../jt808/codec/messages/route.ts';

/** Terminals that compute with floating-point numbers return a place one off. */
const PLACE_TOLERANCE = 1;

/** Undefined where the answer can't be read. */
export function areasOfReply(reply: BodyOf<'areasReply'>, edition: Edition): StoredArea[] | undefined {
  return readStoredAreas(reply.type, reply.data, edition);
}

/** `sent`: what set the area. Names are left out: terminals cut them. */
export function holdsArea(areas: readonly StoredArea[], sent: MessageBody): boolean {
  return areas.some(({ shape, area }) => {
    switch (sent.kind) {
      case 'setCircles':
        return shape === 'circle' && sent.areas.some((each) => isSameCircle(area, each));
      case 'setRectangles':
        return shape === 'rectangle' && sent.areas.some((each) => isSameRectangle(area, each));
      case 'setPolygon':
        return shape === 'polygon' && haveSameRules(area, sent) && arePlacesAlike(area.vertices, sent.vertices);
      case 'setRoute':
        return shape === 'route' && isSameRoute(area, sent);
      default:
        return false;
    }
  });
}

type Circle = BodyOf<'setCircles'>['areas'][number];
type Rectangle = BodyOf<'setRectangles'>['areas'][number];
interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

function isSameCircle(one: Circle, other: Circle): boolean {
  return haveSameRules(one, other) && one.radiusMeters === other.radiusMeters && isNear(one, other);
}

function isSameRectangle(one: Rectangle, other: Rectangle): boolean {
  const sides = ['top', 'left', 'bottom', 'right'] as const;
  return haveSameRules(one, other) && sides.every((side) => isClose(one[side], other[side]));
}

function isSameRoute(one: Route, other: Route): boolean {
  const isAlike = one.id === other.id && one.attributes === other.attributes && isSameWindow(one, other);
  if (!isAlike || !arePlacesAlike(one.points, other.points)) return false;
  return one.points.every(({ widthMeters, speedLimit }, at) => {
    const point = other.points[at];
    return widthMeters === point?.widthMeters && speedLimit?.maxSpeedKmh === point.speedLimit?.maxSpeedKmh;
  });
}

function haveSameRules(one: AreaRules, other: AreaRules): boolean {
  const isAlike = one.id === other.id && one.attributes === other.attributes && isSameWindow(one, other);
  return isAlike && one.speedLimit?.maxSpeedKmh === other.speedLimit?.maxSpeedKmh;
}

function isSameWindow(one: Pick<AreaRules, 'window'>, other: Pick<AreaRules, 'window'>): boolean {
  return one.window?.start === other.window?.start && one.window?.end === other.window?.end;
}

function arePlacesAlike(one: readonly Place[], other: readonly Place[]): boolean {
  return one.length === other.length && one.every((place, at) => isNear(place, other[at]));
}

function isNear(one: Place, other: Place | undefined): boolean {
  return other !== undefined && isClose(one.latitude, other.latitude) && isClose(one.longitude, other.longitude);
}

function isClose(one: number, other: number): boolean {
  return Math.abs(one - other) <= PLACE_TOLERANCE;
}
