// 0x0200 and the messages that hold its body.
import { hasBit, StatusBit } from '../codes.ts';
import {
  absoluteDegrees,
  type Field,
  i16,
  layout,
  localTime,
  type Reader,
  tryRead,
  u8,
  u16,
  u32,
  type Value,
  Writer,
} from '../fields.ts';

const SOUTH_AND_WEST = (1 << StatusBit.South) | (1 << StatusBit.West);

const basicFields = layout({
  /** Bits: AlarmBit. */
  alarm: u32,
  /** Bits: StatusBit. */
  status: u32,
  latitude: absoluteDegrees,
  longitude: absoluteDegrees,
  altitudeMeters: i16,
  speedKmh: u16,
  /** Degrees from north, clockwise. */
  direction: u16,
  /** The terminal's clock; undefined: it has none yet. */
  time: localTime,
});

/** The 28 bytes without items. Degrees are signed, south and west negative, and not checked to lie on the earth. */
export type BasicPosition = Value<typeof basicFields>;

/** The wire has absolute values in millionths of a degree and the signs in the status word. */
export const basicPosition: Field<BasicPosition> = {
  read(from) {
    const raw = basicFields.read(from);
    return { ...raw, ...signedPlace(raw, raw.status), speedKmh: raw.speedKmh / 10 };
  },
  write: (to, value) =>
    basicFields.write(to, { ...value, status: statusOf(value), speedKmh: Math.round(value.speedKmh * 10) }),
};

export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** Absolute degrees with the signs of a status word. */
export function signedPlace({ latitude, longitude }: Place, status: number): Place {
  return {
    latitude: signed(latitude, hasBit(status, StatusBit.South)),
    longitude: signed(longitude, hasBit(status, StatusBit.West)),
  };
}

function signed(degrees: number, isNegative: boolean): number {
  return isNegative && degrees !== 0 ? -degrees : degrees;
}

/** The signs win over the bits; 0 has no sign, and its bit stays. */
function statusOf({ status, latitude, longitude }: BasicPosition): number {
  const bitOf = (value: number, bit: number): number => (value === 0 ? status & (1 << bit) : value < 0 ? 1 << bit : 0);
  return ((status & ~SOUTH_AND_WEST) | bitOf(latitude, StatusBit.South) | bitOf(longitude, StatusBit.West)) >>> 0;
}

/** Maximum for one position; several times what terminals send. */
export const MAX_POSITION_ITEMS = 250;
/** Maximum for one 0x0704: reading and keeping it must not block the thread that relays media. Terminals send some dozens. */
export const MAX_BULK_POSITIONS = 2_000;
export const MAX_BULK_ITEMS = 40_000;

/** An additional item as it came; `positionItems.ts` says what the known ones mean. */
export interface PositionItem {
  readonly id: number;
  readonly value: Uint8Array;
}

export interface Position extends BasicPosition {
  /** Items in the order sent; an id may come twice. */
  readonly items: readonly PositionItem[];
  /**
   * Bytes behind the last of MAX_POSITION_ITEMS, or behind an item whose length runs past the end. Vendors use wider ids and lengths. Mostly
   * empty.
   */
  readonly tail: Uint8Array;
}

const position: Field<Position> = {
  read(from) {
    const basic = basicPosition.read(from);
    const items: PositionItem[] = [];
    for (let item = readItem(from); item !== undefined; item = readItem(from)) {
      items.push(item);
      if (items.length === MAX_POSITION_ITEMS) break;
    }
    return { ...basic, items, tail: from.rest() };
  },
  write(to, value) {
    basicPosition.write(to, value);
    for (const item of value.items) {
      u8.write(to, item.id);
      u8.write(to, item.value.length);
      to.bytes(item.value);
    }
    to.bytes(value.tail);
  },
};

function readItem(from: Reader): PositionItem | undefined {
  const [id, length] = from.peek();
  if (id === undefined || length === undefined || length > from.remaining - 2) return undefined;
  from.bytes(2);
  return { id, value: from.bytes(length) };
}

interface PositionReply extends Position {
  readonly replySerial: number;
}

/** 0x0201 and 0x0500. */
const positionReply: Field<PositionReply> = {
  read: (from) => ({ replySerial: u16.read(from), ...position.read(from) }),
  write(to, value) {
    u16.write(to, value.replySerial);
    position.write(to, value);
  },
};

interface BulkPositions {
  /** 0 normal, 1 sent later because there was no connection. */
  readonly type: number;
  readonly positions: readonly Position[];
  /** Items too short for a position, and one that the body's end cut off. The other positions are read all the same. */
  readonly brokenItems: number;
  /** Positions beyond MAX_BULK_POSITIONS or MAX_BULK_ITEMS, by the message's own count. Missing: none. */
  readonly unreadPositions?: number;
}

const bulkPositions: Field<BulkPositions> = {
  read(from) {
    const count = u16.read(from);
    const type = u8.read(from);
    const positions: Position[] = [];
    let brokenItems = 0;
    let itemCount = 0;
    while (positions.length + brokenItems < count && from.remaining > 2) {
      if (positions.length + brokenItems === MAX_BULK_POSITIONS || itemCount >= MAX_BULK_ITEMS) {
        from.rest();
        return { type, positions, brokenItems, unreadPositions: count - positions.length - brokenItems };
      }
      const item = from.bytes(Math.min(u16.read(from), from.remaining));
      const read = tryRead(position, item, from.edition);
      if (read === undefined) {
        brokenItems++;
        continue;
      }
      positions.push(read.value);
      itemCount += read.value.items.length;
    }
    return { type, positions, brokenItems };
  },
  write(to, value) {
    u16.write(to, value.positions.length);
    u8.write(to, value.type);
    for (const each of value.positions) {
      const item = new Writer(to.edition);
      position.write(item, each);
      const bytes = item.finish();
      u16.write(to, bytes.length);
      to.bytes(bytes);
    }
  },
};

/** 0x8202: interval 0 ends the tracking, then nothing follows. */
interface TrackControl {
  readonly intervalSeconds: number;
  readonly validSeconds?: number;
}

const trackControl: Field<TrackControl> = {
  read(from) {
    const intervalSeconds = u16.read(from);
    return from.remaining < 4 ? { intervalSeconds } : { intervalSeconds, validSeconds: u32.read(from) };
  },
  write(to, value) {
    u16.write(to, value.intervalSeconds);
    if (value.intervalSeconds > 0) u32.write(to, value.validSeconds ?? 0);
  },
};

export const positionMessages = {
  position,
  positionReply,
  vehicleControlReply: positionReply,
  bulkPositions,
  trackControl,
  /** `alarmSerial` 0: all alarms of the types; `types` has bits of the alarm word. */
  confirmAlarm: layout({ alarmSerial: u16, types: u32 }),
};
