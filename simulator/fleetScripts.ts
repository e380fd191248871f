// What happens to the demo's vehicles: something of most kinds within the first minute, and from then on what a dispatcher of four
// buses sees on a busy morning.
import {
  AdasType,
  AlarmBit,
  BlindSpotType,
  DriverMonitoringType,
  DrivingStyleType,
  LaneSide,
  StatusBit,
  TyreAlarmBit,
} from '../server/device/jt808/codec/codes.ts';
import type { DriverCard } from '../server/device/jt808/codec/messages/driver.ts';
import { pastDay } from './day/pastDay.ts';
import type { ScriptStep, VehicleScript } from './script/vehicleScript.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** Types of areas in item 0x12. */
const POLYGON = 3;
const DEPOT_AREA = 12;
/** An abnormal driving bit of item 0x18. */
const SMOKING = 0b100;
const CABIN_CHANNEL = 3;

const DRIVERS = {
  lin: { name: '林志明', licence: 'N123906712', issuer: '南投監理站', validUntil: '20290630' },
  chen: { name: '陳淑芬', licence: 'M220618345', issuer: '臺中監理站', validUntil: '20280131' },
  huang: { name: '黃俊傑', licence: 'L121480956', issuer: '彰化監理站', validUntil: '20270915' },
  chang: { name: '張雅婷', licence: 'B220937114', issuer: '南投監理站', validUntil: '20301120' },
} as const satisfies Readonly<Record<string, DriverCard>>;

/** A bus that drives with assistance, too fast at times, and on a tire that leaks. */
const ASSISTED: VehicleScript = [
  ...pastDay({ laterMinutes: 0, early: DRIVERS.chang, late: DRIVERS.lin, fuelLiters: 150, tankLiters: 185 }),
  driver(4, DRIVERS.lin),
  { kind: 'gauge', gauge: 'fuelLitres', atSeconds: 0, forSeconds: 7 * HOUR, everySeconds: 8 * HOUR, from: 182, to: 61 },
  { kind: 'alarm', atSeconds: 12, forSeconds: 25, everySeconds: 23 * MINUTE, bits: [AlarmBit.Overspeed] },
  { kind: 'speed', atSeconds: 12, forSeconds: 25, everySeconds: 23 * MINUTE, speedKmh: 86.4 },
  {
    kind: 'safety',
    atSeconds: 20,
    everySeconds: 17 * MINUTE,
    alarm: { item: 'adas', type: AdasType.ForwardCollision, level: 2, aheadSpeedKmh: 31, headwayMs: 1_400 },
    files: { channel: 1, pictures: 2, videoSeconds: 5 },
  },
  {
    kind: 'safety',
    atSeconds: 33,
    forSeconds: 8 * MINUTE,
    everySeconds: 71 * MINUTE,
    alarm: {
      item: 'tyres',
      readings: [{ tyre: 2, alarms: 1 << TyreAlarmBit.PressureLow, pressureKpa: 610, celsius: 41, batteryPercent: 83 }],
    },
  },
  {
    kind: 'safety',
    atSeconds: 5 * MINUTE + 10,
    everySeconds: 26 * MINUTE,
    alarm: { item: 'adas', type: AdasType.LaneDeparture, side: LaneSide.Right },
    files: { channel: 1, pictures: 1, videoSeconds: 0 },
  },
  { kind: 'pace', atSeconds: 9 * MINUTE, forSeconds: 5 * MINUTE, everySeconds: 45 * MINUTE, pace: 0 },
  {
    kind: 'safety',
    atSeconds: 11 * MINUTE,
    forSeconds: 2 * MINUTE,
    everySeconds: 45 * MINUTE,
    alarm: { item: 'drivingStyle', type: DrivingStyleType.Idling, durationSeconds: 60 },
  },
];

/** A bus whose driver calls for help, whose camera loses its picture, and which comes and goes at the depot. */
const CALLS_FOR_HELP: VehicleScript = [
  ...pastDay({ laterMinutes: 7, early: DRIVERS.lin, late: DRIVERS.chen, fuelLiters: 170, tankLiters: 190 }),
  driver(5, DRIVERS.chen),
  // The alarm lasts until somebody answers.
  { kind: 'alarm', atSeconds: 8, bits: [AlarmBit.Emergency] },
  { kind: 'video-alarm', atSeconds: 16, forSeconds: 90, everySeconds: 47 * MINUTE, lostChannels: [2] },
  {
    kind: 'alarm',
    atSeconds: 28,
    forSeconds: 30,
    everySeconds: 19 * MINUTE,
    bits: [AlarmBit.AreaCrossed],
    areaCrossed: { areaType: POLYGON, areaId: DEPOT_AREA, isLeaving: true },
  },
  { kind: 'alarm', atSeconds: 44, forSeconds: 15, everySeconds: 64 * MINUTE, bits: [AlarmBit.IllegalDoorOpening] },
  { kind: 'status', atSeconds: 44, forSeconds: 15, everySeconds: 64 * MINUTE, on: [StatusBit.FrontDoorOpen] },
  ...stays({ atSeconds: 14 * MINUTE, forSeconds: 6 * MINUTE, everySeconds: 53 * MINUTE }),
  passengers(4 * MINUTE, { boarded: 11, alighted: 7 }),
];

/** A bus whose driver is watched, with a covered camera, which goes through a valley without a network. */
const WATCHED: VehicleScript = [
  ...pastDay({ laterMinutes: 14, early: DRIVERS.chen, late: DRIVERS.huang, fuelLiters: 160, tankLiters: 188 }),
  driver(3, DRIVERS.huang),
  monitored(15, 29 * MINUTE, { type: DriverMonitoringType.PhoneUse, level: 2 }),
  monitored(38, 43 * MINUTE, { type: DriverMonitoringType.Fatigue, level: 2, fatigueDegree: 7 }),
  { kind: 'video-alarm', atSeconds: 24, coveredChannels: [5] },
  { kind: 'absence', atSeconds: 6 * MINUTE, forSeconds: 90, everySeconds: 58 * MINUTE },
  {
    kind: 'safety',
    atSeconds: 6 * MINUTE + 40,
    everySeconds: 58 * MINUTE,
    alarm: { item: 'drivingStyle', type: DrivingStyleType.HarshAcceleration, durationSeconds: 1, threshold1: 35 },
  },
  {
    kind: 'video-alarm',
    atSeconds: 11 * MINUTE,
    forSeconds: 20,
    everySeconds: 37 * MINUTE,
    abnormalDriving: { types: SMOKING },
  },
  passengers(3 * MINUTE, { boarded: 18, alighted: 12 }),
];

/** A bus that comes out of a garage without a network, brakes hard, and loses fuel. */
const FROM_THE_GARAGE: VehicleScript = [
  ...pastDay({ laterMinutes: -21, early: DRIVERS.huang, late: DRIVERS.chang, fuelLiters: 175, tankLiters: 204 }),
  ...stays({ atSeconds: -18 * MINUTE, forSeconds: 18 * MINUTE }),
  { kind: 'alarm', atSeconds: -13 * MINUTE, forSeconds: MINUTE, bits: [AlarmBit.MainPowerLow] },
  driver(6, DRIVERS.chang),
  { kind: 'gauge', gauge: 'cabinCelsius', atSeconds: -18 * MINUTE, forSeconds: 40 * MINUTE, from: 31, to: 24 },
  { kind: 'gauge', gauge: 'fuelLitres', atSeconds: -18 * MINUTE, from: 204 },
  { kind: 'gauge', gauge: 'fuelLitres', atSeconds: 41, forSeconds: 50, from: 204, to: 169 },
  { kind: 'alarm', atSeconds: 41, forSeconds: 2 * MINUTE, bits: [AlarmBit.FuelAbnormal] },
  { kind: 'pace', atSeconds: 28, forSeconds: 8, everySeconds: 13 * MINUTE, pace: 0.2, rampSeconds: 2 },
  {
    kind: 'safety',
    atSeconds: 30,
    everySeconds: 13 * MINUTE,
    alarm: { item: 'drivingStyle', type: DrivingStyleType.HarshBraking, durationSeconds: 1, threshold1: 40 },
    files: { channel: 1, pictures: 1, videoSeconds: 5 },
  },
  {
    kind: 'safety',
    atSeconds: 7 * MINUTE,
    everySeconds: 31 * MINUTE,
    alarm: { item: 'blindSpot', type: BlindSpotType.RightRear },
    files: { channel: 8, pictures: 1, videoSeconds: 0 },
  },
  passengers(5 * MINUTE, { boarded: 9, alighted: 14 }),
];

/** Keyed by device ID. */
export const FLEET_SCRIPTS = {
  'BUS-101': ASSISTED,
  'BUS-104': CALLS_FOR_HELP,
  'BUS-106': WATCHED,
  'BUS-108': FROM_THE_GARAGE,
} as const satisfies Readonly<Record<string, VehicleScript>>;

function driver(atSeconds: number, card: DriverCard): ScriptStep {
  return { kind: 'driver-card', atSeconds, card };
}

function passengers(
  everySeconds: number,
  { boarded, alighted }: { readonly boarded: number; readonly alighted: number },
): ScriptStep {
  return { kind: 'passengers', atSeconds: everySeconds, everySeconds, overSeconds: everySeconds, boarded, alighted };
}

interface Observed {
  readonly type: DriverMonitoringType;
  readonly level: number;
  readonly fatigueDegree?: number;
}

/** An alarm that the camera in the cabin raises. */
function monitored(atSeconds: number, everySeconds: number, observed: Observed): ScriptStep {
  const alarm = { item: 'driverMonitoring', ...observed } as const;
  const files = { channel: CABIN_CHANNEL, pictures: 2, videoSeconds: 5 };
  return { kind: 'safety', atSeconds, forSeconds: 12, everySeconds, alarm, files };
}

interface Stay {
  readonly atSeconds: number;
  readonly forSeconds: number;
  readonly everySeconds?: number;
}

/** The ignition goes off once the vehicle stands, and on before it leaves. */
function stays(stay: Stay): ScriptStep[] {
  const standing = { ...stay, atSeconds: stay.atSeconds + 30, forSeconds: stay.forSeconds - MINUTE };
  return [
    { kind: 'pace', ...stay, pace: 0 },
    { kind: 'status', ...standing, off: [StatusBit.AccOn] },
  ];
}
