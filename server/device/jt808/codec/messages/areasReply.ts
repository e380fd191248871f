// 0x0608: what 0x8608 asked for, in the formats of the messages that set it.
import type { Edition } from '../codes.ts';
import { type Field, layout, Reader, restBytes, u8, u32 } from '../fields.ts';
import { AreaKind, areaFields, type CircleArea, type PolygonArea, type RectangleArea } from './areas.ts';
import { type Route, route } from './route.ts';

export type StoredArea =
  | { readonly shape: 'circle'; readonly area: CircleArea }
  | { readonly shape: 'rectangle'; readonly area: RectangleArea }
  | { readonly shape: 'polygon'; readonly area: PolygonArea }
  | { readonly shape: 'route'; readonly area: Route };

const READERS: Readonly<Record<number, (from: Reader) => StoredArea>> = {
  [AreaKind.Circle]: (from) => ({ shape: 'circle', area: areaFields.circle.read(from) }),
  [AreaKind.Rectangle]: (from) => ({ shape: 'rectangle', area: areaFields.rectangle.read(from) }),
  [AreaKind.Polygon]: (from) => ({ shape: 'polygon', area: areaFields.polygon.read(from) }),
  [AreaKind.Route]: (from) => ({ shape: 'route', area: route.read(from) }),
};
/** Action and count, with which the messages that set circles and rectangles begin; some terminals repeat them. */
const SET_HEAD_BYTES = 2;

/** The areas in `data` of an areasReply; undefined where the data are no items of that type to their last byte. */
export function readStoredAreas(type: number, data: Uint8Array, edition: Edition): StoredArea[] | undefined {
  const read = READERS[type];
  if (read === undefined) return data.length === 0 ? [] : undefined;
  return readAll(read, new Reader(data, edition)) ?? readAll(read, new Reader(data.subarray(SET_HEAD_BYTES), edition));
}

function readAll(read: (from: Reader) => StoredArea, from: Reader): StoredArea[] | undefined {
  const areas: StoredArea[] = [];
  while (from.remaining > 0) areas.push(read(from));
  return from.reason === undefined ? areas : undefined;
}

/** `data`: readStoredAreas. */
const areasReply = layout({ type: u8, count: u32, data: restBytes });

export const areasReplyMessages = { areasReply } satisfies Record<string, Field<object>>;
