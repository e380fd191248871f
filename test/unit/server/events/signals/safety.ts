// Active-safety alarms as terminals send them.
import {
  type SafetyAlarm,
  type SafetyKind,
  safetyItem,
} from '../../../../../server/device/jt808/codec/activeSafety.ts';
import { createAlarmMark } from '../../../../../server/device/jt808/codec/alarmMark.ts';
import type { PositionItem } from '../../../../../server/device/jt808/codec/messages/position.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';

const TIME = wallMs(Date.UTC(2026, 10, 21, 4, 5, 6));
export const MARK = createAlarmMark({ terminalId: 'T1', time: TIME, serial: 3, fileCount: 2 });

const BLANK = {
  alarmId: 1,
  flag: 0,
  speedKmh: 60,
  altitudeMeters: 10,
  latitude: 23.5,
  longitude: 120.5,
  time: TIME,
  vehicleState: 0,
  mark: MARK,
};

const BLANKS: { readonly [Kind in SafetyKind]: SafetyAlarm<Kind> } = {
  adas: { ...BLANK, type: 1, level: 1, aheadSpeedKmh: 0, headwayMs: 0, side: 0, signType: 0, signValue: 0 },
  driverMonitoring: { ...BLANK, type: 1, level: 1, fatigueDegree: 0 },
  tyres: { ...BLANK, readings: [] },
  blindSpot: { ...BLANK, type: 1 },
  drivingStyle: { ...BLANK, type: 1, durationSeconds: 0, threshold1: 0, threshold2: 0 },
};

export function safetyAlarm<Kind extends SafetyKind>(
  kind: Kind,
  fields: Partial<SafetyAlarm<Kind>> = {},
): PositionItem {
  return safetyItem(kind, { ...BLANKS[kind], ...fields });
}

export function tyre(number: number, alarms: number, pressureKpa = 800) {
  return { tyre: number, alarms, pressureKpa, celsius: 40, batteryPercent: 90 };
}
