// The items of a position in which T/JSATL 12-2017 reports active-safety alarms. Values that belong to one type of alarm are 0
// in the others.
import { alarmMark } from './alarmMark.ts';
import {
  absoluteDegrees,
  counted,
  type Field,
  i16,
  layout,
  localTime,
  tryRead,
  u8,
  u16,
  u32,
  type Value,
  Writer,
  withReserved,
} from './fields.ts';
import { type Place, type PositionItem, signedPlace } from './messages/position.ts';

const begin = {
  /** Counts the alarms of the terminal, of all kinds; the same at begin and end of an alarm. */
  alarmId: u32,
  /** SafetyAlarmFlag. */
  flag: u8,
};

const common = {
  speedKmh: u8,
  altitudeMeters: i16,
  latitude: absoluteDegrees,
  longitude: absoluteDegrees,
  /** The terminal's clock; undefined: it has none yet. */
  time: localTime,
  /** Bits: VehicleStateBit. */
  vehicleState: u16,
  mark: alarmMark,
};

const headwayMs: Field<number> = {
  read: (from) => u8.read(from) * 100,
  write: (to, value) => u8.write(to, Math.round(value / 100)),
};

const adas = layout({
  ...begin,
  /** AdasType. */
  type: u8,
  /** 1 or 2; 2 is more severe. */
  level: u8,
  /** Speed of the vehicle ahead. */
  aheadSpeedKmh: u8,
  /** Time to the vehicle or pedestrian ahead. */
  headwayMs,
  /** LaneSide. */
  side: u8,
  /** RoadSignType. */
  signType: u8,
  /** The value on the sign. */
  signValue: u8,
  ...common,
});

const driverMonitoring = layout({
  ...begin,
  /** DriverMonitoringType. */
  type: u8,
  /** 1 or 2; 2 is more severe. */
  level: u8,
  /** 1 to 10; 10 is the most tired. */
  fatigueDegree: withReserved(u8, 4),
  ...common,
});

const tyreReading = layout({
  /** Number of the tire from 0, row by row from the front, left to right. */
  tyre: u8,
  /** Bits: TyreAlarmBit. */
  alarms: u16,
  pressureKpa: u16,
  celsius: i16,
  batteryPercent: u16,
});

const tyres = layout({ ...begin, ...common, readings: counted(u8, tyreReading) });

/** `type`: BlindSpotType. */
const blindSpot = layout({ ...begin, type: u8, ...common });

const drivingStyle = layout({
  ...begin,
  /** DrivingStyleType. */
  type: u8,
  /** Time for which the thresholds must be passed. */
  durationSeconds: u16,
  /** In hundredths of g for acceleration, braking and cornering; in km/h for the other types. */
  threshold1: u16,
  /** In revolutions per minute; unused with acceleration, braking and cornering. */
  threshold2: u16,
  ...common,
});

const ITEMS = {
  adas: { id: 0x64, alarm: adas },
  driverMonitoring: { id: 0x65, alarm: driverMonitoring },
  tyres: { id: 0x66, alarm: tyres },
  blindSpot: { id: 0x67, alarm: blindSpot },
  drivingStyle: { id: 0x70, alarm: drivingStyle },
} as const;

export type SafetyKind = keyof typeof ITEMS;
/** The alarm of one kind: `SafetyAlarm<'adas'>`. */
export type SafetyAlarm<Kind extends SafetyKind> = Value<(typeof ITEMS)[Kind]['alarm']>;
/** All alarms of each kind that the position has, in their order. */
export type SafetyAlarms = { readonly [Kind in SafetyKind]?: readonly SafetyAlarm<Kind>[] };

export const SAFETY_KINDS = Object.keys(ITEMS) as readonly SafetyKind[];
const KIND_OF = new Map<number, SafetyKind>();
for (const kind of SAFETY_KINDS) KIND_OF.set(ITEMS[kind].id, kind);

/**
 * The alarms among the items of a position. An item that does not fit its layout to the last byte is not an alarm: vendors and
 * provinces have layouts of their own under these ids. `status`: the position's status word, which has the signs of the
 * coordinates.
 */
export function safetyAlarms(items: readonly PositionItem[], status: number): SafetyAlarms {
  const alarms = new Map<SafetyKind, object[]>();
  for (const { id, value } of items) {
    const kind = KIND_OF.get(id);
    if (kind === undefined) continue;
    const layoutOfKind: Field<Place> = ITEMS[kind].alarm;
    const read = tryRead(layoutOfKind, value, '2013');
    if (read?.left !== 0) continue;
    const alarm = { ...read.value, ...signedPlace(read.value, status) };
    const before = alarms.get(kind);
    if (before === undefined) alarms.set(kind, [alarm]);
    else before.push(alarm);
  }
  // Each list was read with the layout of its kind; the table of layouts keeps both together.
  return Object.fromEntries(alarms) as SafetyAlarms;
}

/** The item of an alarm, as a terminal sends it. Throws a RangeError for values that do not fit. */
export function safetyItem<Kind extends SafetyKind>(kind: Kind, alarm: SafetyAlarm<Kind>): PositionItem {
  const layoutOfKind: Field<SafetyAlarm<Kind>> = ITEMS[kind].alarm as Field<SafetyAlarm<Kind>>;
  const to = new Writer('2013');
  layoutOfKind.write(to, alarm);
  return { id: ITEMS[kind].id, value: to.finish() };
}
