// Active-safety alarms of a script as items of a position.
import { type SafetyAlarm, safetyItem } from '../../server/device/jt808/codec/activeSafety.ts';
import type { AlarmMark } from '../../server/device/jt808/codec/alarmMark.ts';
import { hasBit, StatusBit, VehicleStateBit } from '../../server/device/jt808/codec/codes.ts';
import type { BasicPosition, PositionItem } from '../../server/device/jt808/codec/messages/position.ts';
import type { SafetyContent } from './vehicleScript.ts';

export interface SafetyHead {
  readonly alarmId: number;
  readonly flag: number;
  readonly mark: AlarmMark;
}

/** Where and when: as the position says. */
export function safetyItemOf(content: SafetyContent, head: SafetyHead, position: BasicPosition): PositionItem {
  const common = { ...head, ...commonOf(position) };
  switch (content.item) {
    case 'adas':
      return safetyItem('adas', { ...NO_ADAS, ...content, ...common });
    case 'driverMonitoring':
      return safetyItem('driverMonitoring', { level: 1, fatigueDegree: 0, ...content, ...common });
    case 'tyres':
      return safetyItem('tyres', { ...content, ...common });
    case 'blindSpot':
      return safetyItem('blindSpot', { ...content, ...common });
    case 'drivingStyle':
      return safetyItem('drivingStyle', { durationSeconds: 0, threshold1: 0, threshold2: 0, ...content, ...common });
  }
}

const NO_ADAS = { level: 1, aheadSpeedKmh: 0, headwayMs: 0, side: 0, signType: 0, signValue: 0 } as const;
/** Item ids, which the types of alarms in file names begin with. */
const ITEM_ID = { adas: 0x64, driverMonitoring: 0x65, tyres: 0x66, blindSpot: 0x67, drivingStyle: 0x70 } as const;

/** Item and type in four hexadecimal digits, as T/JSATL 12 names files by: `6401`. */
export function alarmTypeCode(content: SafetyContent): string {
  const type = content.item === 'tyres' ? 0 : content.type;
  return `${ITEM_ID[content.item].toString(16)}${type.toString(16).padStart(2, '0')}`;
}

type Common = Pick<
  SafetyAlarm<'tyres'>,
  'speedKmh' | 'altitudeMeters' | 'latitude' | 'longitude' | 'time' | 'vehicleState'
>;

function commonOf({ status, speedKmh, altitudeMeters, latitude, longitude, time }: BasicPosition): Common {
  const bitIf = (statusBit: number, bit: number): number => (hasBit(status, statusBit) ? 1 << bit : 0);
  const vehicleState = bitIf(StatusBit.AccOn, VehicleStateBit.AccOn) | bitIf(StatusBit.Fixed, VehicleStateBit.Fixed);
  // A byte holds the speed, which the position has in tenths.
  return { speedKmh: Math.min(255, Math.round(speedKmh)), altitudeMeters, latitude, longitude, time, vehicleState };
}
