// The areas and routes that a simulated terminal keeps and watches.
import { type Edition, GeneralResult, hasBit } from '../../server/device/jt808/codec/codes.ts';
import { Writer } from '../../server/device/jt808/codec/fields.ts';
import type { BodyOf, MessageBody } from '../../server/device/jt808/codec/message.ts';
import {
  AreaBit,
  AreaKind,
  areaFields,
  type CircleArea,
  type PolygonArea,
  type RectangleArea,
} from '../../server/device/jt808/codec/messages/areas.ts';
import type { StoredArea } from '../../server/device/jt808/codec/messages/areasReply.ts';
import { route } from '../../server/device/jt808/codec/messages/route.ts';
import type { PositionDetails } from '../../server/device/jt808/codec/positionItems.ts';
import { isInArea, type Place } from './areaPlaces.ts';

/** Maximum number of areas of each kind, like the memory of a real terminal. */
const MAX_AREAS = 24;
/** Action of 0x8600 and 0x8602. */
const REPLACE_ALL = 0;

type AreaCrossed = NonNullable<PositionDetails['areaCrossed']>;

export class AreaTable {
  readonly #edition: Edition;
  /** Keyed by kind and number. */
  readonly #areas = new Map<string, StoredArea>();
  readonly #inside = new Set<string>();

  constructor(edition: Edition) {
    this.#edition = edition;
  }

  get areas(): readonly StoredArea[] {
    return [...this.#areas.values()];
  }

  /** Obeys an order and gives the result that the terminal answers with; undefined for an order about something else. */
  obey(order: MessageBody): GeneralResult | undefined {
    switch (order.kind) {
      case 'setCircles':
        if (order.action === REPLACE_ALL) this.#remove('circle', []);
        return this.#keep(order.areas.map((area: CircleArea) => ({ shape: 'circle', area })));
      case 'setRectangles':
        if (order.action === REPLACE_ALL) this.#remove('rectangle', []);
        return this.#keep(order.areas.map((area: RectangleArea) => ({ shape: 'rectangle', area })));
      case 'setPolygon':
        return this.#keep([{ shape: 'polygon', area: order satisfies PolygonArea }]);
      case 'setRoute':
        return this.#keep([{ shape: 'route', area: order }]);
      case 'deleteCircles':
        return this.#remove('circle', order.ids);
      case 'deleteRectangles':
        return this.#remove('rectangle', order.ids);
      case 'deletePolygons':
        return this.#remove('polygon', order.ids);
      case 'deleteRoutes':
        return this.#remove('route', order.ids);
      default:
        return undefined;
    }
  }

  /** The answer with the stored areas (0x0608). */
  reply({ type, ids }: Pick<BodyOf<'queryAreas'>, 'type' | 'ids'>): BodyOf<'areasReply'> {
    const asked = this.areas.filter(({ shape, area }) => {
      return (type === AreaKind.All || type === KIND_NUMBERS[shape]) && (ids.length === 0 || ids.includes(area.id));
    });
    const to = new Writer(this.#edition);
    for (const area of asked) write(to, area);
    return { kind: 'areasReply', type, count: asked.length, data: to.finish() };
  }

  /** The first area whose edge lies between this place and the last one; further ones are reported with the next position. */
  crossing(place: Place): AreaCrossed | undefined {
    for (const [key, stored] of this.#areas) {
      const isInside = isInArea(place, stored);
      if (isInside === this.#inside.has(key)) continue;
      if (isInside) this.#inside.add(key);
      else this.#inside.delete(key);
      const tells = isInside ? AreaBit.EnterTellsPlatform : AreaBit.LeaveTellsPlatform;
      if (!hasBit(stored.area.attributes, tells)) continue;
      return { areaType: KIND_NUMBERS[stored.shape], areaId: stored.area.id, isLeaving: !isInside };
    }
    return undefined;
  }

  #keep(areas: readonly StoredArea[]): GeneralResult {
    for (const stored of areas) {
      const key = keyOf(stored.shape, stored.area.id);
      const ofShape = this.areas.filter(({ shape }) => shape === stored.shape);
      if (!this.#areas.has(key) && ofShape.length >= MAX_AREAS) return GeneralResult.Failed;
      this.#areas.set(key, stored);
    }
    return GeneralResult.Ok;
  }

  /** Removes the areas with these numbers; without numbers, all of the kind. */
  #remove(shape: StoredArea['shape'], ids: readonly number[]): GeneralResult {
    for (const [key, stored] of this.#areas) {
      if (stored.shape !== shape || (ids.length > 0 && !ids.includes(stored.area.id))) continue;
      this.#areas.delete(key);
      this.#inside.delete(key);
    }
    return GeneralResult.Ok;
  }
}

const KIND_NUMBERS = {
  circle: AreaKind.Circle,
  rectangle: AreaKind.Rectangle,
  polygon: AreaKind.Polygon,
  route: AreaKind.Route,
} as const satisfies Record<StoredArea['shape'], number>;

function keyOf(shape: StoredArea['shape'], id: number): string {
  return `${shape} ${id}`;
}

function write(to: Writer, { shape, area }: StoredArea): void {
  switch (shape) {
    case 'circle':
      areaFields.circle.write(to, area);
      return;
    case 'rectangle':
      areaFields.rectangle.write(to, area);
      return;
    case 'polygon':
      areaFields.polygon.write(to, area);
      return;
    case 'route':
      route.write(to, area);
  }
}
