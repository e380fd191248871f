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

/** Whether terminals report it, perhaps beside a rule. Those that an administrator made are reported, or never raised. */
export function isReported(type: string): boolean {
  return builtInType(type)?.category !== 'system' && !BY_RULE_ALONE.includes(type);
}
