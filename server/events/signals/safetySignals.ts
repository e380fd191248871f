// T/JSATL 12: the items 0x64 to 0x67 and 0x70 of a position, in which driver assistance and driver monitoring report their alarms.
//
// Unlike the alarm bits, these alarms are reported once: a flag tells whether an alarm begins or ends, or has neither. So a position does
// not end an alarm by leaving it out.
import { knownValue } from '../../../shared/protocol/positions/knownValues.ts';
import type { SafetyAlarm, SafetyAlarms } from '../../device/jt808/codec/activeSafety.ts';
import {
  AdasType,
  BlindSpotType,
  DriverMonitoringType,
  DrivingStyleType,
  SafetyAlarmFlag,
  TyreAlarmBit,
} from '../../device/jt808/codec/codes.ts';
import { adasMeasures, driverMeasures, drivingStyleMeasures, type Measures } from './safetyMeasures.ts';
import { Origin, type Signal, type SignalForm } from './signal.ts';

export function safetySignals(alarms: SafetyAlarms): Signal[] {
  const { adas = [], driverMonitoring = [], tyres = [], blindSpot = [], drivingStyle = [] } = alarms;
  return [
    ...adas.flatMap((alarm) => signalOf(alarm, ADAS_TYPES.get(alarm.type), adasMeasures(alarm))),
    ...driverMonitoring.flatMap((alarm) => signalOf(alarm, DRIVER_TYPES.get(alarm.type), driverMeasures(alarm))),
    ...tyres.flatMap(tireSignals),
    ...blindSpot.flatMap((alarm) => signalOf(alarm, BLIND_SPOT_TYPES.get(alarm.type))),
    ...drivingStyle.flatMap((alarm) => signalOf(alarm, STYLE_TYPES.get(alarm.type), drivingStyleMeasures(alarm))),
  ];
}

// Types that are not in these tables are a vendor's own, and mean nothing without its documents.
const ADAS_TYPES: ReadonlyMap<number, string> = new Map([
  [AdasType.ForwardCollision, 'forward-collision'],
  [AdasType.LaneDeparture, 'lane-departure'],
  [AdasType.FollowingTooClose, 'following-too-close'],
  [AdasType.Pedestrian, 'pedestrian-warning'],
  [AdasType.FrequentLaneChanges, 'frequent-lane-changes'],
  [AdasType.RoadSignExceeded, 'sign-limit'],
  [AdasType.Obstacle, 'obstacle-warning'],
  [AdasType.FunctionFailed, 'adas-fault'],
  [AdasType.RoadSignRecognized, 'sign-recognized'],
  [AdasType.Snapshot, 'adas-snapshot'],
]);

const DRIVER_TYPES: ReadonlyMap<number, string> = new Map([
  [DriverMonitoringType.Fatigue, 'fatigue'],
  [DriverMonitoringType.PhoneUse, 'phone-use'],
  [DriverMonitoringType.Smoking, 'smoking'],
  [DriverMonitoringType.Distraction, 'distraction'],
  [DriverMonitoringType.DriverNotDetected, 'driver-abnormal'],
  [DriverMonitoringType.HandsOffWheel, 'hands-off-wheel'],
  [DriverMonitoringType.FunctionFailed, 'dsm-fault'],
  [DriverMonitoringType.Snapshot, 'dsm-snapshot'],
  [DriverMonitoringType.DriverChanged, 'driver-change'],
]);

const BLIND_SPOT_TYPES: ReadonlyMap<number, string> = new Map([
  [BlindSpotType.Rear, 'blind-spot-rear'],
  [BlindSpotType.LeftRear, 'blind-spot-left'],
  [BlindSpotType.RightRear, 'blind-spot-right'],
]);

const STYLE_TYPES: ReadonlyMap<number, string> = new Map([
  [DrivingStyleType.HarshAcceleration, 'harsh-acceleration'],
  [DrivingStyleType.HarshBraking, 'harsh-braking'],
  [DrivingStyleType.HarshCornering, 'harsh-cornering'],
  [DrivingStyleType.Idling, 'idling'],
  [DrivingStyleType.EngineStall, 'stalling'],
  [DrivingStyleType.NeutralCoasting, 'coasting'],
  [DrivingStyleType.EngineOverspeed, 'over-revving'],
]);

/** Types without a duration: a begun event of these would never end, whatever the flag says. */
const INSTANTS: ReadonlySet<string> = new Set(['sign-recognized', 'adas-snapshot', 'dsm-snapshot', 'driver-change']);

type FlaggedAlarm = Pick<SafetyAlarm<'tyres'>, 'flag' | 'mark'>;

function signalOf({ flag, mark }: FlaggedAlarm, type: string | undefined, measures: Measures = {}): Signal[] {
  const form = formOf(flag);
  if (type === undefined || (INSTANTS.has(type) && form === 'end')) return [];
  const alarmMark = Buffer.from(mark.bytes).toString('hex');
  const signal = { type, unit: 0, area: 0, origin: Origin.ActiveSafety, alarmMark, ...measures };
  return [{ ...signal, form: INSTANTS.has(type) ? 'momentary' : form }];
}

function formOf(flag: number): SignalForm {
  if (flag === SafetyAlarmFlag.Begin) return 'begin';
  return flag === SafetyAlarmFlag.End ? 'end' : 'momentary';
}

/** All of a tire's alarms except the bit of readings that are due, and those that vendors define. */
const TIRE_ALARMS = 0xff & ~(1 << TyreAlarmBit.PeriodicReport);

/** Terminals list all tires, or those with an alarm. At its end the bits may already be gone, so only the tire counts there. */
function tireSignals(alarm: SafetyAlarm<'tyres'>): Signal[] {
  const isEnd = alarm.flag === SafetyAlarmFlag.End;
  return alarm.readings.flatMap(({ tyre, alarms, pressureKpa }) => {
    if (!isEnd && (alarms & TIRE_ALARMS) === 0) return [];
    const value = knownValue('tirePressureKpa', pressureKpa);
    const measures = value === undefined ? {} : { value };
    // Terminals count tires from 0; unit 0 is no tire in particular.
    const unit = knownValue('tire', tyre) === undefined ? 0 : tyre + 1;
    return signalOf(alarm, 'tire-pressure', measures).map((signal) => ({ ...signal, unit }));
  });
}
