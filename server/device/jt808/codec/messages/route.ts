// 0x8606.
import { hasBit } from '../codes.ts';
import { counted, countedText, digits, type Field, layout, u8, u16, u32, type Value } from '../fields.ts';
import { AreaBit, type AreaWindow, SectionBit, type SpeedLimit } from './areas.ts';

const pointHead = layout({
  id: u32,
  sectionId: u32,
  /** Absolute, millionths of a degree; the attributes have the signs. */
  latitude: u32,
  longitude: u32,
  widthMeters: u8,
  /** Bits (SectionBit) for the section that begins at this point. */
  attributes: u8,
});

const times = layout({ maxSeconds: u16, minSeconds: u16 });
const speed = layout({ maxSpeedKmh: u16, durationSeconds: u8 });

interface RoutePoint extends Value<typeof pointHead> {
  /** Driving longer or shorter than this along the section is an alarm. */
  readonly times?: Value<typeof times>;
  readonly speedLimit?: SpeedLimit;
}

const point: Field<RoutePoint> = {
  read(from) {
    const head = pointHead.read(from);
    const withTimes = hasBit(head.attributes, SectionBit.Times) ? { times: times.read(from) } : {};
    if (!hasBit(head.attributes, SectionBit.SpeedLimit)) return { ...head, ...withTimes };
    const limit = speed.read(from);
    const night = from.edition === '2019' ? { nightMaxSpeedKmh: u16.read(from) } : {};
    return { ...head, ...withTimes, speedLimit: { ...limit, ...night } };
  },
  write(to, value) {
    pointHead.write(to, value);
    if (hasBit(value.attributes, SectionBit.Times)) times.write(to, value.times ?? { maxSeconds: 0, minSeconds: 0 });
    if (!hasBit(value.attributes, SectionBit.SpeedLimit)) return;
    speed.write(to, value.speedLimit ?? { maxSpeedKmh: 0, durationSeconds: 0 });
    if (to.edition === '2019') u16.write(to, value.speedLimit?.nightMaxSpeedKmh ?? 0);
  },
};

export interface Route {
  readonly id: number;
  /** Bits: AreaBit 0 and 2 to 5. */
  readonly attributes: number;
  readonly window?: AreaWindow;
  readonly points: readonly RoutePoint[];
  /** 2019 only. */
  readonly name?: string;
}

const window = layout({ start: digits(6), end: digits(6) });
const points = counted(u16, point);
const name = countedText(u16);

export const route: Field<Route> = {
  read(from) {
    const id = u32.read(from);
    const attributes = u16.read(from);
    const withWindow = hasBit(attributes, AreaBit.Times) ? { window: window.read(from) } : {};
    const withPoints = { id, attributes, ...withWindow, points: points.read(from) };
    return from.edition === '2013' ? withPoints : { ...withPoints, name: name.read(from) };
  },
  write(to, value) {
    u32.write(to, value.id);
    u16.write(to, value.attributes);
    if (hasBit(value.attributes, AreaBit.Times)) {
      window.write(to, value.window ?? { start: '000000000000', end: '000000000000' });
    }
    points.write(to, value.points);
    if (to.edition === '2019') name.write(to, value.name ?? '');
  },
};

export const routeMessages = { setRoute: route };
