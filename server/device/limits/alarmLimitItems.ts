// The alarm limits as parameters of JT/T 808. Pure.
import type { AlarmLimitChange, AlarmLimits } from '../../../shared/protocol/api/eventConfig.ts';
import type { Edition } from '../jt808/codec/codes.ts';
import type { ParameterItem } from '../jt808/codec/messages/parameters.ts';
import { Parameter, parameterItem, parameterValue } from '../jt808/codec/parameterValues.ts';

/** All of them are 32-bit numbers, in both editions. */
const PARAMETERS = {
  maskedAlarms: 'alarmMask',
  keyAlarms: 'keyAlarmMask',
  maskedVideoAlarms: 'videoAlarmMask',
  maxSpeedKmh: 'maxSpeedKmh',
  speedingSeconds: 'overspeedSeconds',
  drivingSeconds: 'drivingLimitSeconds',
  dailyDrivingSeconds: 'dailyDrivingLimitSeconds',
  restSeconds: 'minRestSeconds',
  parkedSeconds: 'maxParkingSeconds',
} as const satisfies Record<keyof AlarmLimits, keyof typeof Parameter>;

const NAMES = Object.keys(PARAMETERS) as readonly (keyof AlarmLimits)[];

export const ALARM_LIMIT_IDS = NAMES.map((name) => Parameter[PARAMETERS[name]].id);

export function itemsOfLimits(limits: Partial<AlarmLimits>): ParameterItem[] {
  return NAMES.flatMap((name) => {
    const value = limits[name];
    return value === undefined ? [] : [parameterItem(PARAMETERS[name], value, '2019')];
  });
}

/** Null takes a limit out. */
export function changedLimits(before: Partial<AlarmLimits>, change: AlarmLimitChange): Partial<AlarmLimits> {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = change[name] === undefined ? before[name] : change[name];
      return value === undefined || value === null ? [] : [[name, value] as const];
    }),
  );
}

/** What the terminal doesn't have, or says in another length, is left out. */
export function limitsOfItems(items: readonly ParameterItem[], edition: Edition): Partial<AlarmLimits> {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = parameterValue(items, PARAMETERS[name], edition);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/** Whether the terminal has all that is wanted. */
export function hasLimits(reported: Partial<AlarmLimits>, wanted: Partial<AlarmLimits>): boolean {
  return NAMES.every((name) => wanted[name] === undefined || wanted[name] === reported[name]);
}
