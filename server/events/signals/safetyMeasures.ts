// The numbers of active-safety alarms, in the units that event types have: km/h, km/h a second, seconds, percent, revolutions per minute.
import { type BoundedValue, knownValue } from '../../../shared/protocol/positions/knownValues.ts';
import type { SafetyAlarm } from '../../device/jt808/codec/activeSafety.ts';
import { AdasType, DriverMonitoringType, DrivingStyleType, RoadSignType } from '../../device/jt808/codec/codes.ts';
import type { Signal } from './signal.ts';

export type Measures = Pick<Signal, 'value' | 'limit'>;

/** Of warnings of a vehicle or a pedestrian ahead, the seconds to it. Of speed limits what the sign says, and the speed if above. */
export function adasMeasures(alarm: SafetyAlarm<'adas'>): Measures {
  const { type, headwayMs, signType, signValue, speedKmh } = alarm;
  // Signs with limits of height and weight have numbers too, whose unit is not said.
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

/** Fatigue in percent, as item 0x18 has it. */
export function driverMeasures({ type, fatigueDegree }: SafetyAlarm<'driverMonitoring'>): Measures {
  const isKnown = fatigueDegree > 0 && fatigueDegree <= MAX_FATIGUE_DEGREE;
  return type === DriverMonitoringType.Fatigue && isKnown ? { value: fatigueDegree * 10 } : {};
}

/** Of a hundredth of the standard gravity, in the unit that the gateway's own rules have. */
const KMH_PER_SECOND = 9.80665 * 0.036;

/** The terminal says which thresholds were passed, and of what was measured the speed alone. */
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

/** 255 is a byte that the terminal doesn't fill. */
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
