import { type BuiltInCode, builtInType } from '../../../shared/protocol/events/builtInTypes.ts';

/** Types that no terminal reports: the gateway finds them by itself. */
export const BY_RULE_ALONE: readonly string[] = [
  'cabin-temperature',
  'continuous-driving',
  'forbidden-hours',
  'fuel-drop',
  'ignition-off',
  'ignition-on',
  'no-driver-card',
  'no-fix',
  'not-recorded',
  'offline',
  'refueling',
  'wrong-clock',
] satisfies BuiltInCode[];

/** Types that only the gateway's fences raise. */
export const BY_FENCE_ALONE: readonly string[] = [
  'fence-entered',
  'fence-inside-long',
  'fence-left',
  'fence-outside-long',
  'fence-parked',
  'fence-wrong-direction',
] satisfies BuiltInCode[];

/** Types about a device that only the gateway's upkeep raises: data plans and firmware. */
export const BY_UPKEEP_ALONE: readonly string[] = [
  'data-plan-forecast',
  'data-plan-level',
  'firmware-failed',
] satisfies BuiltInCode[];

/** Whether terminals report the type, perhaps beside a rule. Types that an administrator made are reported, or never raised. */
export function isReported(type: string): boolean {
  if ([...BY_RULE_ALONE, ...BY_FENCE_ALONE, ...BY_UPKEEP_ALONE].includes(type)) return false;
  return builtInType(type)?.category !== 'system';
}
