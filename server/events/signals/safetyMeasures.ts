// The numbers of active-safety alarms, in the units of the event types: km/h, km/h per second, seconds, percent, revolutions per minute.
import { type BoundedValue, knownValue } from '../../../shared/protocol/positions/knownValues.ts';
import type { SafetyAlarm } from '../../device/jt808/codec/activeSafety.ts';
import { AdasType, DriverMonitoringType, DrivingStyleType, RoadSignType } from '../../device/jt808/codec/codes.ts';
import type { Signal } from './signal.ts';

export type Measures = Pick<Signal, 'value' | 'limit'>;

/** Seconds to the vehicle or pedestrian ahead for warnings of these; for speed limits the one on the sign, and the speed if above. */
export function adasMeasures(alarm: SafetyAlarm<'adas'>): Measures {
  const { type, headwayMs, signType, signValue, speedKmh } = alarm;
  // Signs with limits of height and weight have numbers too, but their unit isn't given.
  const isSpeedLimit = signType === RoadSignType.SpeedLimit;
  switch (type) {
    case AdasType.ForwardCollision:
    case AdasType.FollowingTooClose:
    case AdasType.Pedestrian:
      return measureOf('headwaySeconds', headwayMs / 1000);
    case AdasType.RoadSignExceeded:
      return isSpeedLimit ? { ...speedOf(speedKmh), ...limitOf('speedLimitKmh', signValue) } : {};
    case AdasType.RoadSignRecognized:
      return isSpeedLimit ? measureOf('speedLimitKmh', signValue) : {};
    default:
      return {};
  }
}

const MAX_FATIGUE_DEGREE = 10;

/** Fatigue in percent, like in item 0x18. */
export function driverMeasures({ type, fatigueDegree }: SafetyAlarm<'driverMonitoring'>): Measures {
  const isKnown = fatigueDegree > 0 && fatigueDegree <= MAX_FATIGUE_DEGREE;
  return type === DriverMonitoringType.Fatigue && isKnown ? { value: fatigueDegree * 10 } : {};
}

/** A hundredth of the standard gravity in km/h per second, the unit of the gateway's own rules. */
const KMH_PER_SECOND = 9.80665 * 0.036;

/** The terminal reports the thresholds that were passed, and the speed as the only measured value. */
export function drivingStyleMeasures(alarm: SafetyAlarm<'drivingStyle'>): Measures {
  const { type, durationSeconds, threshold1, threshold2, speedKmh } = alarm;
  switch (type) {
    case DrivingStyleType.HarshAcceleration:
    case DrivingStyleType.HarshBraking:
    case DrivingStyleType.HarshCornering:
      return accelerationLimitOf(threshold1);
    case DrivingStyleType.Idling:
      return limitOf('durationSeconds', durationSeconds);
    case DrivingStyleType.EngineStall:
    case DrivingStyleType.NeutralCoasting:
      return { ...speedOf(speedKmh), ...limitOf('durationSeconds', threshold1) };
    case DrivingStyleType.EngineOverspeed:
      return limitOf('engineRpm', threshold2);
    default:
      return {};
  }
}

/** 255 stands for a byte that the terminal doesn't fill. */
function speedOf(speedKmh: number): Measures {
  return speedKmh < 255 ? { value: speedKmh } : {};
}

function accelerationLimitOf(centiG: number): Measures {
  const known = knownValue('accelerationCentiG', centiG);
  return known === undefined ? {} : { limit: Math.round(known * KMH_PER_SECOND * 10) / 10 };
}

function measureOf(name: BoundedValue, value: number): Measures {
  return knownValue(name, value) === undefined ? {} : { value };
}

function limitOf(name: BoundedValue, limit: number): Measures {
  return knownValue(name, limit) === undefined ? {} : { limit };
}
