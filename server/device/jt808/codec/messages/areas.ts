// Areas and routes. Attribute bits say what an item holds, and the 2019 edition added to it. Coordinates are
// absolute values in millionths of a degree; the attributes have the signs.
import { hasBit } from '../codes.ts';
import {
  counted,
  countedText,
  digits,
  type Field,
  layout,
  type Reader,
  u8,
  u16,
  u32,
  type Value,
  type Writer,
} from '../fields.ts';

/** Bits of an area's attributes; a route has 0 and 2 to 5. */
export const AreaBit = {
  Times: 0,
  SpeedLimit: 1,
  EnterTellsDriver: 2,
  EnterTellsPlatform: 3,
  LeaveTellsDriver: 4,
  LeaveTellsPlatform: 5,
  South: 6,
  West: 7,
  DoorsShut: 8,
  RadioOff: 14,
  CollectGnss: 15,
} as const;

/** Bits of a section's attributes. */
export const SectionBit = { Times: 0, SpeedLimit: 1, South: 2, West: 3 } as const;

/** `YYMMDDhhmmss` in China's time; with zeros for the date it holds every day, so it is no instant. */
const window = layout({ start: digits(6), end: digits(6) });
export type AreaWindow = Value<typeof window>;

export interface SpeedLimit {
  readonly maxSpeedKmh: number;
  readonly durationSeconds: number;
  /** 2019 only. */
  readonly nightMaxSpeedKmh?: number;
}

/** What all areas share. Fields are written as attributes and edition demand, and left out where they do not. */
export interface AreaRules {
  readonly id: number;
  /** Bits: AreaBit. */
  readonly attributes: number;
  readonly window?: AreaWindow;
  readonly speedLimit?: SpeedLimit;
  /** 2019 only. */
  readonly name?: string;
}

const speed = layout({ maxSpeedKmh: u16, durationSeconds: u8 });
const name = countedText(u16);
const NO_WINDOW: AreaWindow = { start: '000000000000', end: '000000000000' };
const NO_LIMIT: SpeedLimit = { maxSpeedKmh: 0, durationSeconds: 0 };

function readRules(
  from: Reader,
  id: number,
  attributes: number,
): Pick<AreaRules, 'id' | 'attributes' | 'window' | 'speedLimit'> {
  const withWindow = hasBit(attributes, AreaBit.Times) ? { window: window.read(from) } : {};
  const withLimit = hasBit(attributes, AreaBit.SpeedLimit) ? { speedLimit: speed.read(from) } : {};
  return { id, attributes, ...withWindow, ...withLimit };
}

function writeRules(to: Writer, rules: AreaRules): void {
  if (hasBit(rules.attributes, AreaBit.Times)) window.write(to, rules.window ?? NO_WINDOW);
  if (hasBit(rules.attributes, AreaBit.SpeedLimit)) speed.write(to, rules.speedLimit ?? NO_LIMIT);
}

/** What 2019 adds behind the rest: the speed limit at night and the name. */
function readAddition<Rules extends AreaRules>(from: Reader, rules: Rules): Rules {
  if (from.edition === '2013') return rules;
  const { speedLimit } = rules;
  const night = speedLimit && { speedLimit: { ...speedLimit, nightMaxSpeedKmh: u16.read(from) } };
  return { ...rules, ...night, name: name.read(from) };
}

function writeAddition(to: Writer, rules: AreaRules): void {
  if (to.edition === '2013') return;
  if (hasBit(rules.attributes, AreaBit.SpeedLimit)) u16.write(to, rules.speedLimit?.nightMaxSpeedKmh ?? 0);
  name.write(to, rules.name ?? '');
}

const circleShape = layout({ latitude: u32, longitude: u32, radiusMeters: u32 });
const rectangleShape = layout({ top: u32, left: u32, bottom: u32, right: u32 });
const vertex = layout({ latitude: u32, longitude: u32 });

export interface CircleArea extends AreaRules, Value<typeof circleShape> {}
export interface RectangleArea extends AreaRules, Value<typeof rectangleShape> {}

/** Circles and rectangles differ in their shape alone. */
function area<Shape extends object>(shape: Field<Shape>): Field<AreaRules & Shape> {
  return {
    read(from) {
      const id = u32.read(from);
      const attributes = u16.read(from);
      const values = shape.read(from);
      return { ...values, ...readAddition(from, readRules(from, id, attributes)) };
    },
    write(to, value) {
      u32.write(to, value.id);
      u16.write(to, value.attributes);
      shape.write(to, value);
      writeRules(to, value);
      writeAddition(to, value);
    },
  };
}

export interface PolygonArea extends AreaRules {
  readonly vertices: readonly Value<typeof vertex>[];
}

const vertices = counted(u16, vertex);

const polygon: Field<PolygonArea> = {
  read(from) {
    const rules = readRules(from, u32.read(from), u16.read(from));
    return readAddition(from, { ...rules, vertices: vertices.read(from) });
  },
  write(to, value) {
    u32.write(to, value.id);
    u16.write(to, value.attributes);
    writeRules(to, value);
    vertices.write(to, value.vertices);
    writeAddition(to, value);
  },
};

const circle = area(circleShape);
const rectangle = area(rectangleShape);
const ids = layout({ ids: counted(u8, u32) });

/** Kind of 0x8608 and 0x0608. 0: all kinds. */
export const AreaKind = { All: 0, Circle: 1, Rectangle: 2, Polygon: 3, Route: 4 } as const;

export const areaFields = { circle, rectangle, polygon };

export const areaMessages = {
  /** Action: 0 replace all, 1 append, 2 modify. */
  setCircles: layout({ action: u8, areas: counted(u8, circle) }),
  setRectangles: layout({ action: u8, areas: counted(u8, rectangle) }),
  setPolygon: polygon,
  /** No ids: all of the kind. */
  deleteCircles: ids,
  deleteRectangles: ids,
  deletePolygons: ids,
  deleteRoutes: ids,
  /** No ids: all. */
  queryAreas: layout({ type: u8, ids: counted(u32, u32) }),
};
